// The phases of the screen: choose, load, explore. A key becomes an action, which changes the state, which is drawn as a frame.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { rejectUnfitFlags } from '../analysis/profiles/choices.ts';
import type { BaseRun } from '../analysis/profiles/compare/compare.ts';
import type { Action } from '../app/action.ts';
import { pasteAction } from '../app/input.ts';
import { actionForKey } from '../app/keymap.ts';
import { isFollowerBehind, MIN_AUTO_SPLIT_WIDTH } from '../app/split.ts';
import { openSession, withPreferences } from '../app/start.ts';
import { type AppState, type UpdateResult, withMessage } from '../app/state.ts';
import { nextTourStop } from '../app/tour.ts';
import { applyAnswer, prepareForKeys, update } from '../app/update.ts';
import { memo } from '../base/lists.ts';
import { baseName } from '../base/paths.ts';
import { THEMES } from '../base/style.ts';
import { plural } from '../base/units.ts';
import { otherFilesOfRun, pathsToFollow, type ResolvedPaths, resolveChosen, resolvePathsOrRecent } from '../io/find.ts';
import { toLoadOptions } from '../io/load.ts';
import { killRunning } from '../io/programs.ts';
import type { BaseSourcePaths } from '../io/sources/source-text.ts';
import { cancelLoading, startLoading } from '../io/start-loading.ts';
import { recentFiles, recentProfiles } from '../io/user/last-session.ts';
import { readProfileNotes } from '../io/user/notes.ts';
import type { Profile } from '../model/profile.ts';
import { Chooser, type ChooserState, handleChooserKey, handleChooserPointer, newChooserState } from './Chooser.tsx';
import { type EffectContext, errorText, loadWithoutProgress, runEffect } from './effects.ts';
import { Follower } from './following.ts';
import { openFrameRenderer } from './ink-frames.ts';
import { KeptSession } from './kept-session.ts';
import { Loading } from './Loading.tsx';
import type { PointerAction } from './mouse.ts';
import type { ScreenOptions, ScreenPhase } from './options.ts';
import { SessionPlayer } from './playing.ts';
import { Recording, readSession } from './recording.ts';
import { Screen } from './Screen.tsx';
import { Terminal } from './terminal.ts';
import { ASK_BACKGROUND, chooseTheme, colourCountOf, needsBackground, type Theme, type ThemeOptions } from './theme.ts';

/** Opens the screen; resolves to the exit code when the user quits. Throws FormatError if there is nothing to open. */
export async function openScreen(options: ScreenOptions, version: string): Promise<number> {
  const resolved = options.follow
    ? { paths: pathsToFollow(options.paths[0] ?? '.') }
    : resolvePathsOrRecent(options.paths, recentProfiles());
  const played = options.play === undefined ? [] : readSession(options.play);
  // Recording starts before the screen opens, so that an error message stays visible.
  const recording = options.record === undefined ? undefined : new Recording(options.record);
  return new Promise((resolve, reject) =>
    new ScreenSession(options, version, played, recording, resolve, reject).start(resolved),
  );
}

/** The pause after the last key before data for later keys is computed. */
const IDLE_DELAY_MS = 100;
/** The pause after the last key before the second pane follows. */
const FOLLOW_DELAY_MS = 80;
/** Milliseconds a key may spend on work that can continue later, and between two displays of progress. */
const WORK_BUDGET_MS = 10;
const PROGRESS_INTERVAL_MS = 60;
const MAX_EARLY_KEYS = 200;

class ScreenSession {
  private phase: ScreenPhase | undefined;
  private readonly earlyKeys: (readonly [name: string, typed: string])[] = [];
  private readonly terminal: Terminal;
  private readonly frames;
  private themeOptions: ThemeOptions;
  private theme: Theme;
  /** The terminal's reply about its background colour; undefined before the query. */
  private background: string | undefined;
  private isDrawScheduled = false;
  private prepareTimer: NodeJS.Timeout | undefined;
  private followTimer: NodeJS.Timeout | undefined;
  private isWorkScheduled = false;
  /** The second pane opens once the first one is complete, because it may need all inclusive costs. */
  private isSplitDue = false;
  private lastDrawMs = 0;
  private readonly follower: Follower;
  private hasEnded = false;
  private readonly keptSession: KeptSession;
  private readonly player: SessionPlayer;

  constructor(
    private readonly options: ScreenOptions,
    private readonly version: string,
    private readonly recordedActions: readonly Action[],
    private readonly recording: Recording | undefined,
    private readonly resolve: (code: number) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.themeOptions = options;
    this.player = new SessionPlayer(options.playedIn);
    this.keptSession = new KeptSession(options.playedIn);
    this.terminal = new Terminal(process.stdout, options.mouse, {
      key: (name, typed) => this.handleKey(name, typed),
      paste: (text) => {
        if (this.phase?.kind === 'explore') this.handleAction(pasteAction(this.phase.state, text));
      },
      mouse: (action) => this.handleMouse(action),
      reply: (text) => {
        this.background = text;
        this.setTheme();
      },
      resize: (width, height) => this.resize(width, height),
      resumed: (stopped) => {
        if (!stopped) this.showError('Cannot suspend: no job-control shell');
        this.scheduleDraw();
      },
    });
    this.theme = this.currentTheme();
    const wait = (error: unknown) => this.showError(`Following: incomplete, waiting (${errorText(error)})`, 'waiting');
    this.follower = new Follower(options.paths[0], toLoadOptions(options), this.showReloaded.bind(this), wait);
    this.frames = openFrameRenderer(this.terminal.width, this.terminal.height, (lines) => this.terminal.showFrame(lines));
  }

  start(resolved: ResolvedPaths): void {
    this.terminal.open();
    // For tests: simulates an internal error, after which the terminal must be restored.
    if (process.env['PROFTUI_TEST_CRASH'] === 'screen')
      setTimeout(() => {
        throw new Error('crash on request');
      }, 50);
    this.openOrChoose(resolved);
  }

  /** `choice`: the list that led here. */
  private openOrChoose(resolved: ResolvedPaths, choice?: ChooserState): void {
    if ('paths' in resolved) return this.openProfile(resolved.paths, choice);
    this.showChoice(newChooserState(resolved));
  }

  /** Opens a profile. `choice`: the list that it was chosen from, to which a profile that cannot be read leads back. */
  private openProfile(paths: readonly string[], choice?: ChooserState): void {
    this.readProfile(paths)
      .then(async (profile) => {
        // The user may have quit in the meantime.
        const versus = this.hasEnded
          ? undefined
          : await this.options.versus(this.options.base, paths, (files) => this.readProfile(files, true));
        if (!this.hasEnded) this.showProfile(profile, paths, versus);
      })
      .catch((error: unknown) => {
        if (!choice) return this.endSession(() => this.reject(error));
        this.showChoice({ ...choice, message: errorText(error).replace(paths[0], baseName(paths[0])) });
      });
  }

  /** Applies a changed setting at once. Returns false if it takes effect at the next start. */
  private applySetting(name: string, value: unknown): boolean {
    const theme = THEMES.find((known) => name === 'theme' && known === value);
    if (!theme) return false;
    this.themeOptions = { theme, color: this.options.color };
    this.setTheme();
    return true;
  }

  private currentTheme(): Theme {
    const colours = colourCountOf(process.stdout, process.env, this.terminal.can);
    return chooseTheme(this.themeOptions, colours, process.env, this.background);
  }

  private setTheme(): void {
    this.theme = this.currentTheme();
    const { phase } = this;
    if (phase?.kind === 'explore') this.phase = { ...phase, state: { ...phase.state, fills: this.theme.palette !== undefined } };
    this.scheduleDraw();
  }

  /** Asks for the background colour after the first frame of a profile, because the reply may be slow. */
  private askBackground(): void {
    if (this.background !== undefined || !needsBackground(this.themeOptions, this.theme, this.terminal.can)) return;
    this.background = '';
    this.terminal.send(ASK_BACKGROUND);
  }

  /** Loads a profile, and shows the progress. What ninja printed (--log) is not of the base. */
  private readProfile(paths: readonly string[], isBase = false): Promise<Profile> {
    this.phase = { kind: 'load', paths, progress: undefined, startedMs: Date.now() };
    // Small profiles load before this timeout, so that no loading screen flickers.
    setTimeout(() => this.scheduleDraw(), 150).unref();
    const { follow: live, log } = this.options;
    return startLoading(paths, { ...toLoadOptions(this.options), live, log: isBase ? undefined : log }, (progress) => {
      if (this.phase?.kind !== 'load') return;
      // Show the previous preview until there is a newer one.
      const preview = progress.preview ?? this.phase.progress?.preview;
      this.phase = { ...this.phase, progress: preview ? { ...progress, preview } : progress };
      this.scheduleDraw();
    });
  }

  private showProfile(profile: Profile, paths: readonly string[], versus: BaseRun | undefined): void {
    try {
      const [{ options }, { width, height }] = [this, this.terminal];
      const surroundings = {
        siblings: otherFilesOfRun(paths),
        notes: readProfileNotes(paths),
        fills: this.theme.palette !== undefined,
        isNew: recentFiles().length === 0,
      };
      rejectUnfitFlags(profile, options.given);
      const choices = { ...options, ...surroundings, width, height, versus, timeBudgetMs: WORK_BUDGET_MS };
      const [first, effects] = openSession(profile, withPreferences(profile, choices, options.wishes));
      const shown: AppState = options.tour ? { ...first, tour: 0 } : first;
      this.phase = { kind: 'explore', state: shown };
      this.keptSession.paths = paths;
      this.recordAction({ type: 'resize', width: first.width, height: first.height });
      this.isSplitDue =
        this.recordedActions.length === 0 && !options.tour && options.wishes.panes === 'two' && width >= MIN_AUTO_SPLIT_WIDTH;
      this.applyStep([shown, effects]);
      if (options.follow) this.handleAction({ type: 'follow-file' });
      void this.player.play(this.recordedActions, (action) => this.handleAction(action)).then((left) => this.finishPlaying(left));
    } catch (error) {
      this.endSession(() => this.reject(error));
    }
  }

  /** Ends a replay: restores the real screen size, and reports how many effects (`left`) were skipped. */
  private finishPlaying(left: number): void {
    if (this.recordedActions.length > 0) this.resize(this.terminal.width, this.terminal.height);
    if (left > 0) this.showError(`played without ${plural(left, 'action')} that write files, copy or start programs`);
    for (const [name, typed] of this.earlyKeys.splice(0)) this.handleKey(name, typed);
  }

  private handleKey(name: string, typed: string): void {
    const { phase } = this;
    if (!phase) return;
    if (phase.kind === 'explore') {
      // Apply the user's key mappings, except while the user types text.
      const mappedKey = phase.state.prompt || phase.state.panel ? undefined : this.options.wishes.keys.get(name);
      const action = actionForKey(phase.state, mappedKey ?? name, mappedKey ?? typed);
      if (action.type === 'redraw') this.terminal.invalidate();
      this.handleAction(action, name);
      return;
    }
    const leavingKeys = phase.kind === 'choose' ? (phase.choice.isTyping ? ['ctrl-c'] : ['q', 'ctrl-c']) : ['q', 'esc', 'ctrl-c'];
    if (leavingKeys.includes(name)) this.endSession(() => this.resolve(phase.kind === 'load' ? 130 : 0));
    else if (name === 'ctrl-z') this.terminal.suspend();
    else if (phase.kind === 'choose') this.showChoice(handleChooserKey(phase.choice, name, typed));
    else if (this.earlyKeys.length < MAX_EARLY_KEYS) this.earlyKeys.push([name, typed]);
  }

  private handleMouse(action: PointerAction): void {
    const { phase } = this;
    if (phase?.kind === 'load') return;
    if (phase?.kind !== 'choose') return this.handleAction(action);
    this.showChoice(handleChooserPointer(phase.choice, this.terminal.height, action));
  }

  private showChoice(next: ReturnType<typeof handleChooserKey>): void {
    const choice = this.phase?.kind === 'choose' ? this.phase.choice : undefined;
    if ('open' in next) return this.openOrChoose(resolveChosen(next.open), choice);
    this.phase = { kind: 'choose', choice: next };
    this.scheduleDraw();
  }

  private resize(width: number, height: number): void {
    this.frames.resize(width, height);
    if (this.phase?.kind === 'explore') this.handleAction({ type: 'resize', width, height });
    else this.scheduleDraw();
  }

  /** Applies an action. `key`: the key that caused it, for the tour. */
  private handleAction(action: Action, key?: string): void {
    if (this.phase?.kind !== 'explore' || this.hasEnded) return;
    this.recordAction(action);
    const before = this.phase.state;
    const [next, effects] = update(before, action);
    const tour = key === undefined || before.tour === undefined ? before.tour : nextTourStop(before.tour, key, before);
    this.applyStep([{ ...next, tour }, effects]);
  }

  private recordAction(action: Action): void {
    this.keptSession.add(action);
    const failed = this.recording?.add(action);
    if (failed !== undefined) setImmediate(() => this.showError(failed));
  }

  private showError(text: string, kind: 'error' | 'waiting' = 'error'): void {
    if (this.phase?.kind === 'explore') this.applyStep([withMessage(this.phase.state, text, kind), []]);
  }

  private readonly baseSourcePaths = memo(({ profile, before }: Analysis): BaseSourcePaths => {
    if (!before) throw new Error('no base is open');
    return this.options.basePlaces(profile, before.profile);
  });

  private applyStep([state, effects]: UpdateResult): void {
    if (this.hasEnded) return;
    this.phase = { kind: 'explore', state };
    const context: EffectContext = {
      terminal: this.terminal,
      version: this.version,
      options: this.options,
      state: () => (this.phase as Extract<ScreenPhase, { kind: 'explore' }>).state,
      applyStep: (s) => {
        this.applyStep(s);
        this.player.loadEnded();
      },
      quit: () => this.endSession(() => this.resolve(0)),
      applySetting: (name, value) => this.applySetting(name, value),
      baseSourcePaths: ({ analysis }) => this.baseSourcePaths(analysis),
      loadBase: (path) =>
        this.options.versus([path], state.analysis.profile.paths, (paths) =>
          loadWithoutProgress(paths, { ...this.options, log: undefined }),
        ),
    };
    this.follower.sync(state);
    for (const effect of this.player.filterEffects(effects)) runEffect(effect, context);
    this.scheduleDraw();
    this.scheduleFollow(state);
    if (state.unfinished) return this.scheduleWork();
    this.schedulePrepare(IDLE_DELAY_MS);
    if (!this.isSplitDue) return;
    this.isSplitDue = false;
    this.handleAction({ type: 'split-wide' });
  }

  private showReloaded(profile: Profile): void {
    if (this.phase?.kind !== 'explore' || this.hasEnded) return;
    const again = { derive: this.options.derive, siblings: otherFilesOfRun(profile.paths), why: '', again: true, quiet: true };
    this.applyStep(applyAnswer(this.phase.state, { type: 'loaded', profile, ...again }));
  }

  /** Schedules the update of the second pane: while a key is held down, only the first pane is updated. */
  private scheduleFollow(state: AppState): void {
    clearTimeout(this.followTimer);
    if (!isFollowerBehind(state)) return;
    this.followTimer = setTimeout(() => this.handleAction({ type: 'follow' }), FOLLOW_DELAY_MS);
  }

  /** Computes data for later keys in slices while the user is idle. */
  private schedulePrepare(ms: number): void {
    clearTimeout(this.prepareTimer);
    this.prepareTimer = setTimeout(() => {
      if (this.phase?.kind !== 'explore' || this.hasEnded || this.phase.state.unfinished) return;
      if (!prepareForKeys(this.phase.state)) this.schedulePrepare(0);
    }, ms);
    this.prepareTimer.unref();
  }

  /** Continues unfinished work in slices between keys. */
  private scheduleWork(): void {
    if (this.isWorkScheduled) return;
    this.isWorkScheduled = true;
    setImmediate(() => {
      this.isWorkScheduled = false;
      if (this.phase?.kind !== 'explore' || this.hasEnded) return;
      const step = update(this.phase.state, { type: 'work' });
      if (step[0].unfinished && performance.now() - this.lastDrawMs < PROGRESS_INTERVAL_MS) {
        this.phase = { kind: 'explore', state: step[0] };
        this.scheduleWork();
      } else this.applyStep(step);
    });
  }

  /** Schedules a frame. Keys that arrive in one read share a frame. */
  private scheduleDraw(): void {
    if (this.isDrawScheduled || this.hasEnded) return;
    this.isDrawScheduled = true;
    setImmediate(() => {
      this.isDrawScheduled = false;
      if (!this.hasEnded) this.drawNow();
    });
  }

  private drawNow(): void {
    this.lastDrawMs = performance.now();
    const { phase, terminal, options } = this;
    if (phase?.kind === 'explore') {
      this.frames.draw(<Screen state={phase.state} theme={this.theme} />, phase.state.panel === undefined);
      this.askBackground();
    } else if (phase) {
      const look = { width: terminal.width, height: terminal.height, ascii: options.ascii };
      const nowMs = Date.now();
      this.frames.draw(
        phase.kind === 'choose' ? (
          <Chooser state={{ ...phase.choice, nowMs }} {...look} />
        ) : (
          <Loading state={{ ...phase, nowMs }} {...look} />
        ),
      );
    }
  }

  /** Closes the screen and calls `then`, which may report an error on the restored terminal. */
  private endSession(then: () => void): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.keptSession.save();
    clearTimeout(this.followTimer);
    this.follower.stop();
    this.frames.close();
    cancelLoading();
    killRunning();
    this.terminal.close(then);
  }
}
