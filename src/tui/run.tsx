// The lifecycle of the screen: choose, load, explore. Keys become actions, actions a new state, the state a frame.
import { wholeOf } from '../analysis/answers/analysis.ts';
import { refuseUnfit } from '../analysis/profiles/choices.ts';
import type { Versus } from '../analysis/profiles/compare/versus.ts';
import type { Action } from '../app/action.ts';
import { actionFor, pasteAction } from '../app/keymap.ts';
import { isBehind, WIDE } from '../app/split.ts';
import { openSession, withWishes } from '../app/start.ts';
import { type AppState, type Step, say } from '../app/state.ts';
import { tourAfter } from '../app/tour.ts';
import { answer, prepare, update } from '../app/update.ts';
import { THEMES } from '../base/style.ts';
import { plural } from '../base/units.ts';
import { newestBuild, resolvedOr, type resolvePaths, siblingsOf } from '../io/find.ts';
import { livePaths } from '../io/follow.ts';
import { loadOptions } from '../io/load.ts';
import { stopDisassembly } from '../io/objdump.ts';
import type { BasePlaces } from '../io/sources/base-source.ts';
import { cancelLoading, startLoading } from '../io/start-loading.ts';
import { recentFiles, recentProfiles } from '../io/user/last-session.ts';
import type { Profile } from '../model/profile.ts';
import { Chooser, chooserKey, chooserPointed, newChoice } from './Chooser.tsx';
import { type Context, failureOf, loadQuietly, runEffect } from './effects.ts';
import { Follower } from './following.ts';
import { openFrames } from './ink-frames.ts';
import { KeptSession, notesBeside } from './kept-session.ts';
import { Loading } from './Loading.tsx';
import { type MouseReport, pointerAction } from './mouse.ts';
import type { Phase, ScreenOptions } from './options.ts';
import { Playing } from './playing.ts';
import { Recording, readSession } from './recording.ts';
import { Screen } from './Screen.tsx';
import { Terminal } from './terminal.ts';
import { ASK_BACKGROUND, asksBackground, coloursOf, type Theme, type ThemeWishes, themeFor } from './theme.ts';

/** Opens the screen; resolves to the exit code on quitting. Throws FormatError if there is nothing to open. */
export async function openScreen(options: ScreenOptions, version: string): Promise<number> {
  const resolved = options.follow ? { paths: livePaths(options.paths[0] ?? '.') } : resolvedOr(options.paths, recentProfiles());
  const played = options.play === undefined ? [] : readSession(options.play);
  // Before the terminal is taken over, so that an error is seen.
  const recording = options.record === undefined ? undefined : new Recording(options.record);
  return new Promise((resolve, reject) => new Session(options, version, played, recording, resolve, reject).start(resolved));
}

/** Idle time after the last key before preparing work in advance. */
const IDLE_MS = 100;
/** How long keys rest before the second of two views follows the first. */
const FOLLOW_MS = 50;
/** How long a key may spend on work that can continue later, and how often its progress is shown. */
const PATIENCE_MS = 10;
const SHOW_MS = 60;
const MOST_EARLY = 200;

class Session {
  private phase: Phase | undefined;
  /** Keys that were pressed while loading. */
  private readonly early: (readonly [name: string, typed: string])[] = [];
  private readonly terminal: Terminal;
  private readonly frames;
  private wishes: ThemeWishes;
  private theme: Theme;
  /** The terminal's answer about its background; undefined until it is asked. */
  private background: string | undefined;
  private drawn = false;
  private preparing: NodeJS.Timeout | undefined;
  private following: NodeJS.Timeout | undefined;
  private goingOn = false;
  private shownMs = 0;
  private baseAt: { readonly of: Profile; readonly places: BasePlaces } | undefined;
  private readonly live: Follower;
  private ended = false;
  private readonly kept: KeptSession;
  private readonly playing: Playing;

  constructor(
    private readonly options: ScreenOptions,
    private readonly version: string,
    private readonly played: readonly Action[],
    private readonly recording: Recording | undefined,
    private readonly resolve: (code: number) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.wishes = options;
    this.playing = new Playing(options.playedIn);
    this.kept = new KeptSession(options.playedIn);
    this.theme = this.wantedTheme();
    this.terminal = new Terminal(process.stdout, options.mouse, {
      key: (name, typed) => this.key(name, typed),
      paste: (text) => this.paste(text),
      mouse: (report) => this.mouse(report),
      reply: (text) => this.reply(text),
      resize: (width, height) => this.resize(width, height),
      resumed: (stopped) => {
        if (!stopped) this.tell('Cannot suspend: no job-control shell');
        this.draw();
      },
    });
    const show = this.showAgain.bind(this);
    this.live = new Follower(options.paths[0], loadOptions(options), show, (error) => this.tell(failureOf(error)));
    this.frames = openFrames(this.terminal.width, this.terminal.height, (lines) => this.terminal.show(lines));
  }

  start(resolved: ReturnType<typeof resolvePaths>): void {
    this.terminal.open();
    // The only way to test that the terminal is restored after a failure that should never happen.
    if (process.env['PROFTUI_TEST_CRASH'] === 'screen')
      setTimeout(() => {
        throw new Error('crash on request');
      }, 50);
    if ('paths' in resolved) this.load(resolved.paths);
    else {
      const { folder, found } = resolved;
      const row = resolved.newest ? found.indexOf(newestBuild(found)) : 0;
      this.phase = { kind: 'choose', choice: newChoice(folder, found, row) };
      this.draw();
    }
  }

  private load(paths: readonly string[]): void {
    this.read(paths)
      .then(async (profile) => {
        // The user may have quit meanwhile.
        const versus = this.ended ? undefined : await this.versus(this.options.base, paths);
        if (!this.ended) this.loaded(profile, paths, versus);
      })
      .catch((error: unknown) => this.failed(error));
  }

  private async versus(bases: readonly string[], opened: readonly string[]): Promise<Versus | undefined> {
    return this.options.versus(bases, opened, (paths) => this.read(paths));
  }

  /** Follows a setting at once, as far as that is possible. */
  private applySetting(name: string, value: unknown): boolean {
    const theme = THEMES.find((known) => name === 'theme' && known === value);
    if (!theme) return false;
    this.wishes = { theme, color: this.options.color };
    this.setTheme();
    return true;
  }

  private wantedTheme(): Theme {
    return themeFor(this.wishes, coloursOf(process.stdout), process.env, this.background);
  }

  private setTheme(): void {
    this.theme = this.wantedTheme();
    const { phase } = this;
    if (phase?.kind === 'explore') this.phase = { ...phase, state: { ...phase.state, fills: this.theme.palette !== undefined } };
    this.draw();
  }

  /** After the first frame of a profile, which need not wait for an answer over a slow link. */
  private askBackground(): void {
    if (this.background !== undefined || !asksBackground(this.wishes, this.theme)) return;
    this.background = '';
    this.terminal.send(ASK_BACKGROUND);
  }

  private reply(text: string): void {
    this.background = text;
    this.setTheme();
  }

  /** Shows how far it is. */
  private read(paths: readonly string[]): Promise<Profile> {
    this.phase = { kind: 'load', paths, progress: undefined, startedMs: Date.now() };
    // Small profiles load before anyone could read a loading message.
    setTimeout(() => this.draw(), 150).unref();
    return startLoading(paths, { ...loadOptions(this.options), live: this.options.follow }, (progress) => {
      if (this.phase?.kind !== 'load') return;
      // Keep the last preview until there is a newer one.
      const preview = progress.preview ?? this.phase.progress?.preview;
      this.phase = { ...this.phase, progress: preview ? { ...progress, preview } : progress };
      this.draw();
    }).profile;
  }

  /** Who opened the screen says what is wrong, once the terminal is as it was. */
  private failed(error: unknown): void {
    this.end(() => this.reject(error));
  }

  private loaded(profile: Profile, paths: readonly string[], versus: Versus | undefined): void {
    try {
      const { options } = this;
      const { width, height } = this.terminal;
      const beside = {
        siblings: siblingsOf(paths),
        notes: notesBeside(paths),
        fills: this.theme.palette !== undefined,
        isNew: recentFiles().length === 0,
      };
      refuseUnfit(profile, options.given);
      const choices = { ...options, ...beside, width, height, versus, patienceMs: PATIENCE_MS };
      const [first, effects] = openSession(profile, withWishes(profile, choices, options.wishes));
      // Compute the totals now, not at the first key.
      wholeOf(first.analysis, first.analysis.events[0]);
      const shown: AppState = options.tour ? { ...first, tour: 0 } : first;
      this.phase = { kind: 'explore', state: shown };
      this.kept.opened(paths);
      this.record({ type: 'resize', width: first.width, height: first.height });
      this.step([shown, effects]);
      if (this.played.length === 0 && !options.tour && options.wishes.panes === 'two' && width >= WIDE)
        this.act({ type: 'split-wide' });
      if (options.follow) this.act({ type: 'follow-file' });
      void this.playing.play(this.played, (action) => this.act(action)).then((left) => this.wasPlayed(left));
    } catch (error) {
      this.failed(error);
    }
  }

  /** The session to play, if any, was played, but for so many effects, on a screen of the size that it was recorded on. */
  private wasPlayed(left: number): void {
    if (this.played.length > 0) this.resize(this.terminal.width, this.terminal.height);
    if (left > 0) this.tell(`played without ${plural(left, 'action')} that write files, copy or start programs`);
    for (const [name, typed] of this.early.splice(0)) this.key(name, typed);
  }

  private key(name: string, typed: string): void {
    const { phase } = this;
    if (!phase) return;
    if (phase.kind === 'explore') {
      // Another key may stand for it; in a prompt, a letter is a letter.
      const other = phase.state.prompt || phase.state.panel ? undefined : this.options.wishes.keys.get(name);
      const action = other === undefined ? actionFor(phase.state, name, typed) : actionFor(phase.state, other, other);
      if (action.type === 'redraw') this.terminal.forget();
      this.act(action, name);
      return;
    }
    const leaves = phase.kind === 'choose' ? (phase.choice.isTyping ? ['ctrl-c'] : ['q', 'ctrl-c']) : ['q', 'esc', 'ctrl-c'];
    if (leaves.includes(name)) {
      this.end(() => this.resolve(phase.kind === 'load' ? 130 : 0));
    } else if (name === 'ctrl-z') this.terminal.suspend();
    else if (phase.kind === 'choose') this.choose(chooserKey(phase.choice, name, typed));
    else if (this.early.length < MOST_EARLY) this.early.push([name, typed]);
  }

  private paste(text: string): void {
    if (this.phase?.kind === 'explore') this.act(pasteAction(this.phase.state, text));
  }

  private mouse(report: MouseReport): void {
    const action = pointerAction(report);
    const { phase } = this;
    if (!action || phase?.kind === 'load') return;
    if (phase?.kind !== 'choose') return this.act(action);
    if (action.type === 'wheel' || action.type === 'click')
      this.choose(chooserPointed(phase.choice, this.terminal.height, action));
  }

  private choose(next: ReturnType<typeof chooserKey>): void {
    if ('open' in next) return this.load([next.open]);
    this.phase = { kind: 'choose', choice: next };
    this.draw();
  }

  private resize(width: number, height: number): void {
    this.frames.resize(width, height);
    if (this.phase?.kind === 'explore') this.act({ type: 'resize', width, height });
    else this.draw();
  }

  /** `key`: the key that it is of, for the tour. */
  private act(action: Action, key?: string): void {
    if (this.phase?.kind !== 'explore' || this.ended) return;
    this.record(action);
    const before = this.phase.state;
    const [next, effects] = update(before, action);
    const tour = key === undefined || before.tour === undefined ? before.tour : tourAfter(before.tour, key, before);
    this.step([{ ...next, tour }, effects]);
  }

  private record(action: Action): void {
    this.kept.add(action);
    const failed = this.recording?.add(action);
    if (failed !== undefined) setImmediate(() => this.tell(failed));
  }

  private tell(text: string): void {
    if (this.phase?.kind === 'explore') this.step([say(this.phase.state, text, 'error'), []]);
  }

  private basePlaces({ analysis }: AppState): BasePlaces {
    const { before } = analysis;
    if (!before) throw new Error('no base is open');
    if (this.baseAt?.of !== before.profile)
      this.baseAt = { of: before.profile, places: this.options.basePlaces(analysis.profile, before.profile) };
    return this.baseAt.places;
  }

  private step([state, effects]: Step): void {
    if (this.ended) return;
    this.phase = { kind: 'explore', state };
    const context: Context = {
      terminal: this.terminal,
      version: this.version,
      options: this.options,
      state: () => (this.phase as Extract<Phase, { kind: 'explore' }>).state,
      step: (s) => {
        this.step(s);
        this.playing.answered();
      },
      quit: () => this.end(() => this.resolve(0)),
      apply: (name, value) => this.applySetting(name, value),
      basePlaces: (state) => this.basePlaces(state),
      loadBase: (path) => this.options.versus([path], state.analysis.profile.paths, (paths) => loadQuietly(paths, this.options)),
    };
    this.live.sync(state);
    for (const effect of this.playing.allowed(effects)) runEffect(effect, context);
    this.draw();
    this.followSoon(state);
    if (state.unfinished) this.goOn();
    else this.prepareSoon(IDLE_MS);
  }

  private showAgain(profile: Profile): void {
    if (this.phase?.kind !== 'explore' || this.ended) return;
    const again = { derive: this.options.derive, siblings: siblingsOf(profile.paths), why: '', again: true, quiet: true };
    this.step(answer(this.phase.state, { type: 'loaded', profile, ...again }));
  }

  /** The second of two views follows once keys rest: a held key costs the first one only. */
  private followSoon(state: AppState): void {
    clearTimeout(this.following);
    if (!isBehind(state)) return;
    this.following = setTimeout(() => this.act({ type: 'follow' }), FOLLOW_MS);
  }

  /** While idle, prepares what a key may need, a slice at a time. */
  private prepareSoon(ms: number): void {
    clearTimeout(this.preparing);
    this.preparing = setTimeout(() => {
      if (this.phase?.kind !== 'explore' || this.ended || this.phase.state.unfinished) return;
      if (!prepare(this.phase.state)) this.prepareSoon(0);
    }, ms);
    this.preparing.unref();
  }

  /** Continues the unfinished work of a key, a slice at a time between keys. */
  private goOn(): void {
    if (this.goingOn) return;
    this.goingOn = true;
    setImmediate(() => {
      this.goingOn = false;
      if (this.phase?.kind !== 'explore' || this.ended) return;
      const step = update(this.phase.state, { type: 'work' });
      if (step[0].unfinished && performance.now() - this.shownMs < SHOW_MS) {
        this.phase = { kind: 'explore', state: step[0] };
        this.goOn();
      } else this.step(step);
    });
  }

  /** One frame for all keys that arrived in one read. */
  private draw(): void {
    if (this.drawn || this.ended) return;
    this.drawn = true;
    setImmediate(() => {
      this.drawn = false;
      if (!this.ended) this.drawNow();
    });
  }

  private drawNow(): void {
    this.shownMs = performance.now();
    const { phase } = this;
    const { width, height } = this.terminal;
    if (phase?.kind === 'explore') {
      this.frames.draw(<Screen state={phase.state} theme={this.theme} />, phase.state.panel === undefined);
      this.askBackground();
    } else if (phase?.kind === 'choose') {
      this.frames.draw(
        <Chooser state={{ ...phase.choice, nowMs: Date.now() }} width={width} height={height} ascii={this.options.ascii} />,
      );
    } else if (phase?.kind === 'load') {
      this.frames.draw(
        <Loading state={{ ...phase, nowMs: Date.now() }} width={width} height={height} ascii={this.options.ascii} />,
      );
    }
  }

  private end(then: () => void): void {
    if (this.ended) return;
    this.ended = true;
    this.kept.keep();
    clearTimeout(this.following);
    this.live.stop();
    this.frames.close();
    this.terminal.close();
    cancelLoading();
    stopDisassembly();
    then();
  }
}
