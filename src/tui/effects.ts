// The side effects of a session: files, programs, the clipboard.
import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { codeWanted } from '../analysis/answers/code-wanted.ts';
import { baseFileName } from '../analysis/profiles/compare/texts.ts';
import type { Versus } from '../analysis/profiles/compare/versus.ts';
import { addressesOf } from '../analysis/profiles/inlined/addresses.ts';
import { printCommand } from '../app/print-command.ts';
import { type AppState, type Effect, type Step, say } from '../app/state.ts';
import { answer } from '../app/update.ts';
import { FormatError, systemReason } from '../base/problem.ts';
import { formatCount, plural } from '../base/units.ts';
import { basesBeside } from '../io/base.ts';
import { readCode } from '../io/code-text.ts';
import { openRegular, refusal } from '../io/disk/regular.ts';
import { resolveWithoutScreen } from '../io/find.ts';
import { loadOptions } from '../io/load.ts';
import { type BasePlaces, readBaseSource } from '../io/sources/base-source.ts';
import { canReadAgain } from '../io/sources/source.ts';
import { programsOf, readSource, type SourcePlaces, shownSource } from '../io/sources/source-text.ts';
import { startLoading } from '../io/start-loading.ts';
import { isFolder } from '../io/stat.ts';
import { readInlines } from '../io/symbols/inlines.ts';
import { changeNotes, notesPath } from '../io/user/notes.ts';
import { PROJECT_FILE, rememberFavourite, rememberTransforms } from '../io/user/project.ts';
import { keepSetting, parseSetting, settingNamed } from '../io/user/settings.ts';
import type { Profile } from '../model/profile.ts';
import { offerOf } from './found-cells.ts';
import { notesBeside } from './kept-session.ts';
import type { ScreenOptions } from './options.ts';
import { copyText, editorCommand } from './outside.ts';
import type { Terminal } from './terminal.ts';
import { exportProfile, writeView } from './write-view.ts';

export interface Context {
  readonly terminal: Terminal;
  readonly version: string;
  readonly options: ScreenOptions;
  readonly state: () => AppState;
  readonly step: (step: Step) => void;
  readonly quit: () => void;
  /** Follows a setting that was changed; false for one that counts the next time. */
  readonly apply: (name: string, value: unknown) => boolean;
  readonly loadBase: (path: string) => Promise<Versus | undefined>;
  /** Where the base's sources are: one object a base, since the folders that may be shown are remembered by it. */
  readonly basePlaces: (state: AppState) => BasePlaces;
}

export function runEffect(effect: Effect, c: Context): void {
  const tell = (text: string, kind: 'info' | 'error' = 'info') => c.step([say(c.state(), text, kind), []]);
  switch (effect.type) {
    case 'quit':
      return c.quit();
    case 'suspend':
      return c.terminal.suspend();
    case 'copy':
      return copy(effect.text, c, tell);
    case 'source':
      return sourceText(effect, c);
    case 'source-dir': {
      const dir = resolve(effect.dir.replace(/^~(?=\/|$)/, homedir()));
      if (!isFolder(dir)) return tell(`${dir} is not a folder`, 'error');
      setImmediate(() => c.step(answer(c.state(), { type: 'source-dir', dir })));
      return;
    }
    case 'disassemble':
      return readInstructions(effect, c);
    case 'edit':
      return void setImmediate(() => edit(effect.file, effect.line, c, tell));
    case 'copy-command': {
      const made = printCommand(c.state(), c.options);
      if ('refused' in made) return tell(made.refused, 'error');
      return copy(made.command, c, tell);
    }
    case 'write':
    case 'export':
      return write(effect, c, tell);
    case 'open-file':
      return openFile(effect.path, c, tell);
    case 'set':
      return setSetting(effect.text, c, tell);
    case 'keep-panes':
      return keep('config.json', () => keepSetting(settingNamed('panes'), effect.panes), tell);
    case 'keep-favourite':
      return keep(PROJECT_FILE, () => rememberFavourite(effect.name, effect.on), tell);
    case 'keep-notes': {
      const { paths } = c.state().analysis.profile;
      return keep(notesPath(paths) ?? '', () => changeNotes(paths, effect.changes), tell);
    }
    case 'keep-transforms':
      return keep(PROJECT_FILE, () => rememberTransforms(effect.texts), tell);
    case 'reload':
      return loadAgain(c, c.state().analysis.profile.paths, 'reloaded', true);
    case 'find-bases':
      setImmediate(() =>
        c.step(answer(c.state(), { type: 'bases-found', offers: basesBeside(c.state().analysis.profile).map(offerOf) })),
      );
      return;
    case 'load-base':
      return compareWith(effect.path, c, tell);
    case 'read-inlines':
      return void readFunctions(effect, c);
    case 'open':
      return openProfile(effect.path, c, tell);
    case 'merge': {
      const { siblings, analysis } = c.state();
      return loadAgain(
        c,
        [...analysis.profile.paths, ...siblings],
        `merged ${siblings.length + analysis.profile.paths.length} files; Info (6) turns parts on and off`,
      );
    }
  }
}

function compareWith(path: string, c: Context, tell: (text: string, kind?: 'error') => void): void {
  c.loadBase(path).then(
    (versus) => c.step(versus ? answer(c.state(), { type: 'base-loaded', versus, path }) : [c.state(), []]),
    (error: unknown) => tell(failureOf(error), 'error'),
  );
}

/** Writes the view, or the profile as another tool reads it, to a new file. */
function write(
  { type, path: wanted }: Extract<Effect, { type: 'write' | 'export' }>,
  c: Context,
  tell: (text: string, kind?: 'error') => void,
): void {
  const writing =
    type === 'export'
      ? exportProfile(wanted, c.state(), c.version)
      : writeView(wanted, c.state(), c.version, {
          source: (file) => shownSource(readSource(file, placesOf(c))),
          baseSource(file) {
            const name = baseFileName(c.state().analysis, file);
            return name === null ? undefined : shownSource(readBaseSource(name, c.basePlaces(c.state())));
          },
        });
  writing.then(
    (path) => tell(`${type === 'export' ? 'exported' : 'written'} to ${path}`),
    (error: unknown) => tell(`${wanted}: ${systemReason(error)}`, 'error'),
  );
}

/** Writes to a file that holds what the user has noted or chosen. */
function keep(file: string, write: () => void, tell: (text: string, kind?: 'error') => void): void {
  try {
    write();
  } catch (error) {
    tell(error instanceof FormatError ? error.message : `${file}: ${refusal(error)}`, 'error');
  }
}

/** Opens a profile that the user names. */
function openFile(wanted: string, c: Context, tell: (text: string, kind?: 'error') => void): void {
  const path = wanted.replace(/^~(?=\/|$)/, homedir());
  try {
    loadOther(resolveWithoutScreen([path]), c, tell);
  } catch (error) {
    tell(failureOf(error), 'error');
  }
}

/** Shows another profile; Backspace goes back to this one. */
function loadOther(paths: readonly string[], c: Context, tell: (text: string, kind?: 'error') => void): void {
  loadQuietly(paths, c.options).then(
    (profile) => c.step(answer(c.state(), { type: 'opened', profile, notes: notesBeside(profile.paths) })),
    (error: unknown) => tell(failureOf(error), 'error'),
  );
}

/** `theme light`: counts from now on, as far as it can, and the next time. */
function setSetting(text: string, c: Context, tell: (text: string, kind?: 'error') => void): void {
  try {
    const [spec, value] = parseSetting(text);
    const path = keepSetting(spec, value);
    const now = c.apply(spec.name, value);
    tell(`${spec.name} is kept in ${path}${now ? '' : '; it counts the next time'}`);
  } catch (error) {
    tell(error instanceof FormatError ? error.message : refusal(error), 'error');
  }
}

/** Opens a profile that this one names. */
function openProfile(path: string, c: Context, tell: (text: string, kind?: 'error') => void): void {
  try {
    // A profile names it: no pipe to wait for, and no link that leads elsewhere.
    closeSync(openRegular(path, 'none').fd);
  } catch (error) {
    return tell(`${path}: ${refusal(error)}`, 'error');
  }
  loadOther([path], c, tell);
}

/** A source of this run or of the base, as the answer. */
function sourceText({ file, base = false }: Extract<Effect, { type: 'source' }>, c: Context): void {
  const text = base
    ? readBaseSource(file, c.basePlaces(c.state()))
    : readSource(file, placesOf(c), ':source-dir DIR or --path-map FROM=TO');
  setImmediate(() => c.step(answer(c.state(), { type: 'source-read', file, text, base })));
}

/** Objdump's text of a routine, as the answer. */
function readInstructions({ routine, asked }: Extract<Effect, { type: 'disassemble' }>, c: Context): void {
  const { analysis } = c.state();
  const wanted = codeWanted(analysis, routine);
  const reading =
    typeof wanted === 'string'
      ? Promise.resolve(wanted)
      : readCode(wanted, placesOf(c), c.options.symbols, asked || c.options.disassemble);
  void reading.then((text) => {
    // Routine numbers mean something else after a reload.
    if (c.state().analysis.profile === analysis.profile)
      c.step(answer(c.state(), { type: 'disassembled', routine, text, asked }));
  });
}

/** The functions inlined in what is open and in the run that it is compared with, as the answer. */
async function readFunctions({ versus, path }: Extract<Effect, { type: 'read-inlines' }>, c: Context): Promise<void> {
  const { loaded, versus: shown } = c.state();
  const said: string[] = [];
  const withInlines = async <P extends Profile>(profile: P): Promise<P> => {
    const objects = addressesOf(profile);
    const { symbols } = c.options;
    const places = { ...placesOf(c), profiles: profile.paths, programs: programsOf(profile, symbols) };
    let shown = performance.now();
    const { inlines, why } = await readInlines(objects, places, symbols, true, NEVER, (known, all) => {
      if (performance.now() < shown + PROGRESS_MS) return;
      shown = performance.now();
      c.step([say(c.state(), `reading debug information: ${formatCount(known)} of ${plural(all, 'address')}`), []]);
    });
    if (inlines.size === 0 || objects.some(({ isMain, object }) => isMain && !inlines.has(object))) said.push(...why);
    return { ...profile, inlines };
  };
  const base = versus ?? shown;
  const next = base && { ...base, loaded: await withInlines(base.loaded) };
  if (versus && next) return c.step(answer(c.state(), { type: 'base-loaded', versus: next, path: path ?? '' }));
  const found = await withInlines(loaded);
  // Another profile may have been opened meanwhile.
  if (c.state().loaded !== loaded) return;
  c.step(answer(c.state(), { type: 'inlines-read', loaded: found, versus: next, why: said.join('; ') || undefined }));
}

const PROGRESS_MS = 500;
const NEVER = new AbortController().signal;

function copy(text: string, c: Context, tell: (text: string) => void): void {
  void copyText(text, (sequence) => c.terminal.send(sequence), process.env).then((done) => tell(`${done}: ${text}`));
}

function placesOf(c: Context): SourcePlaces {
  const { profile } = c.state().analysis;
  return {
    dirs: [...c.state().sourceDirs, ...c.options.sourceDirs],
    maps: c.options.pathMaps,
    profiles: profile.paths,
    programs: programsOf(profile, c.options.symbols),
  };
}

/** Loads files without saying how far it is. */
export const loadQuietly = (paths: readonly string[], options: ScreenOptions): Promise<Profile> =>
  startLoading(paths, loadOptions(options), () => {}).profile;

function loadAgain(c: Context, paths: readonly string[], why: string, again = false): void {
  const once = paths.find((path) => !canReadAgain(path));
  if (once !== undefined) return c.step([say(c.state(), 'a profile from a pipe can be read only once', 'error'), []]);
  loadQuietly(paths, c.options).then(
    (loaded) => {
      const siblings = c.state().siblings.filter((s) => !loaded.paths.includes(s));
      const notes = notesBeside(loaded.paths);
      c.step(answer(c.state(), { type: 'loaded', profile: loaded, derive: c.options.derive, siblings, why, again, notes }));
    },
    (error: unknown) => c.step([say(c.state(), failureOf(error), 'error'), []]),
  );
}

/** The message about a file that could not be read. */
export function failureOf(error: unknown): string {
  if (error instanceof FormatError) return error.message;
  const what = error instanceof Error ? error.message : String(error);
  return `Internal error (run proftui --debug FILE for a report): ${what}`;
}

function edit(file: string, line: number, c: Context, tell: (text: string, kind?: 'error') => void): void {
  const found = shownSource(readSource(file, placesOf(c), ':source-dir DIR or --path-map FROM=TO'));
  if (typeof found === 'string') return tell(`${file}: ${found}`, 'error');
  const command = editorCommand(process.env['VISUAL'] || process.env['EDITOR'] || 'vi', found.path, line);
  if (!command) return tell('VISUAL or EDITOR names no program', 'error');
  const { program, found: isThere, args } = command;
  if (!isThere) return tell(`${program} was not found; set EDITOR`, 'error');
  let failure: string | undefined;
  c.terminal.lend(() => {
    const { error, status, signal } = spawnSync(program, args, { stdio: 'inherit' });
    if (error && 'code' in error && error.code === 'ENOENT') failure = `${program} was not found; set EDITOR`;
    else if (error) failure = `${program}: ${systemReason(error)}`;
    else if (status !== 0) failure = `${program} ended with ${status ?? signal}`;
  });
  if (failure) tell(failure, 'error');
  else c.step([c.state(), []]);
}
