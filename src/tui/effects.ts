// The side effects of a session: files, programs, the clipboard.
import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { resolve } from 'node:path';
import { requestCode } from '../analysis/answers/code-wanted.ts';
import { baseFileName } from '../analysis/profiles/compare/texts.ts';
import type { BaseRun } from '../analysis/profiles/compare/versus.ts';
import { collectAddresses } from '../analysis/profiles/inlined/addresses.ts';
import { printCommand } from '../app/print-command.ts';
import { type AppState, type Effect, type UpdateResult, withMessage } from '../app/state.ts';
import { applyAnswer } from '../app/update.ts';
import { FormatError, systemReason } from '../base/problem.ts';
import { formatCount, plural } from '../base/units.ts';
import { findBaseCandidates } from '../io/base.ts';
import { readCode } from '../io/code-text.ts';
import { expandHome } from '../io/disk/private-folder.ts';
import { openRegular, refusalText } from '../io/disk/regular.ts';
import { resolveWithoutScreen } from '../io/find.ts';
import { toLoadOptions } from '../io/load.ts';
import { type BaseSourcePaths, readBaseSource } from '../io/sources/base-source.ts';
import { canReadAgain } from '../io/sources/source.ts';
import { possiblePrograms, readSource, type SourcePaths, sourceOrReason } from '../io/sources/source-text.ts';
import { startLoading } from '../io/start-loading.ts';
import { isFolder } from '../io/stat.ts';
import { readInlines } from '../io/symbols/inlines.ts';
import { changeNotes, notesPath } from '../io/user/notes.ts';
import { PROJECT_FILE, saveFavourite, saveProjectTransforms } from '../io/user/project.ts';
import { findSetting, parseSetting, saveSetting } from '../io/user/settings.ts';
import type { Profile } from '../model/profile.ts';
import { baseOfferOf } from './found-cells.ts';
import { readProfileNotes } from './kept-session.ts';
import type { ScreenOptions } from './options.ts';
import { copyText, editorCommand } from './outside.ts';
import type { Terminal } from './terminal.ts';
import { exportProfile, writeView } from './write-view.ts';

export interface EffectContext {
  readonly terminal: Terminal;
  readonly version: string;
  readonly options: ScreenOptions;
  readonly state: () => AppState;
  readonly applyStep: (step: UpdateResult) => void;
  readonly quit: () => void;
  /** Applies a changed setting at once; false if it takes effect only at the next start. */
  readonly applySetting: (name: string, value: unknown) => boolean;
  readonly loadBase: (path: string) => Promise<BaseRun | undefined>;
  /** The source folders of the base. One object per base, because caches of folders use it as key. */
  readonly baseSourcePaths: (state: AppState) => BaseSourcePaths;
}

export function runEffect(effect: Effect, c: EffectContext): void {
  const showMessage = (text: string, kind: 'info' | 'error' = 'info') => c.applyStep([withMessage(c.state(), text, kind), []]);
  switch (effect.type) {
    case 'quit':
      return c.quit();
    case 'suspend':
      return c.terminal.suspend();
    case 'copy':
      return copyToClipboard(effect.text, c, showMessage);
    case 'source':
      return readSourceText(effect, c);
    case 'source-dir': {
      const dir = resolve(expandHome(effect.dir));
      if (!isFolder(dir)) return showMessage(`${dir} is not a folder`, 'error');
      setImmediate(() => c.applyStep(applyAnswer(c.state(), { type: 'source-dir', dir })));
      return;
    }
    case 'disassemble':
      return readInstructions(effect, c);
    case 'edit':
      return void setImmediate(() => openEditor(effect.file, effect.line, c, showMessage));
    case 'copy-command': {
      const made = printCommand(c.state(), c.options);
      if ('refused' in made) return showMessage(made.refused, 'error');
      return copyToClipboard(made.command, c, showMessage);
    }
    case 'write':
    case 'export':
      return writeToFile(effect, c, showMessage);
    case 'open-file':
      return openFile(effect.path, c, showMessage);
    case 'set':
      return changeSetting(effect.text, c, showMessage);
    case 'keep-panes':
      return saveToFile('config.json', () => saveSetting(findSetting('panes'), effect.panes), showMessage);
    case 'keep-favourite':
      return saveToFile(PROJECT_FILE, () => saveFavourite(effect.name, effect.on), showMessage);
    case 'keep-notes': {
      const { paths } = c.state().analysis.profile;
      return saveToFile(notesPath(paths) ?? '', () => changeNotes(paths, effect.changes), showMessage);
    }
    case 'keep-transforms':
      return saveToFile(PROJECT_FILE, () => saveProjectTransforms(effect.texts), showMessage);
    case 'reload':
      return reloadFiles(c, c.state().analysis.profile.paths, 'reloaded', true);
    case 'find-bases':
      return findBases(c);
    case 'load-base':
      return loadAndCompare(effect.path, c, showMessage);
    case 'read-inlines':
      return void readInlinedFunctions(effect, c);
    case 'open':
      return openNamedProfile(effect.path, c, showMessage);
    case 'merge': {
      const { siblings, analysis } = c.state();
      return reloadFiles(
        c,
        [...analysis.profile.paths, ...siblings],
        `merged ${siblings.length + analysis.profile.paths.length} files; Info (6) turns parts on and off`,
      );
    }
  }
}

function findBases(c: EffectContext): void {
  setImmediate(() => {
    const offers = findBaseCandidates(c.state().analysis.profile).map(baseOfferOf);
    c.applyStep(applyAnswer(c.state(), { type: 'bases-found', offers }));
  });
}

function loadAndCompare(path: string, c: EffectContext, showMessage: (text: string, kind?: 'error') => void): void {
  c.loadBase(path).then(
    (versus) => c.applyStep(versus ? applyAnswer(c.state(), { type: 'base-loaded', versus, path }) : [c.state(), []]),
    (error: unknown) => showMessage(errorText(error), 'error'),
  );
}

/** Writes the view, or an export of the profile, to a new file. */
function writeToFile(
  { type, path: wanted }: Extract<Effect, { type: 'write' | 'export' }>,
  c: EffectContext,
  showMessage: (text: string, kind?: 'error') => void,
): void {
  const writing =
    type === 'export'
      ? exportProfile(wanted, c.state(), c.version)
      : writeView(wanted, c.state(), c.version, {
          source: (file) => sourceOrReason(readSource(file, sourcePathsOf(c))),
          baseSource(file) {
            const name = baseFileName(c.state().analysis, file);
            return name === null ? undefined : sourceOrReason(readBaseSource(name, c.baseSourcePaths(c.state())));
          },
        });
  writing.then(
    (path) => showMessage(`${type === 'export' ? 'exported' : 'written'} to ${path}`),
    (error: unknown) => showMessage(`${wanted}: ${systemReason(error)}`, 'error'),
  );
}

/** Saves the user's notes or choices to a file; shows an error if that fails. */
function saveToFile(file: string, write: () => void, showMessage: (text: string, kind?: 'error') => void): void {
  try {
    write();
  } catch (error) {
    showMessage(error instanceof FormatError ? error.message : `${file}: ${refusalText(error)}`, 'error');
  }
}

/** Opens the profile at a path that the user typed. */
function openFile(wanted: string, c: EffectContext, showMessage: (text: string, kind?: 'error') => void): void {
  const path = expandHome(wanted);
  try {
    openOtherProfile(resolveWithoutScreen([path]), c, showMessage);
  } catch (error) {
    showMessage(errorText(error), 'error');
  }
}

/** Shows another profile; Backspace returns to this one. */
function openOtherProfile(paths: readonly string[], c: EffectContext, showMessage: (text: string, kind?: 'error') => void): void {
  loadWithoutProgress(paths, c.options).then(
    (profile) => c.applyStep(applyAnswer(c.state(), { type: 'opened', profile, notes: readProfileNotes(profile.paths) })),
    (error: unknown) => showMessage(errorText(error), 'error'),
  );
}

/** Saves a setting such as `theme light`, and applies it at once if possible. */
function changeSetting(text: string, c: EffectContext, showMessage: (text: string, kind?: 'error') => void): void {
  try {
    const [spec, value] = parseSetting(text);
    const path = saveSetting(spec, value);
    const now = c.applySetting(spec.name, value);
    showMessage(`${spec.name} is kept in ${path}${now ? '' : '; it counts the next time'}`);
  } catch (error) {
    showMessage(error instanceof FormatError ? error.message : refusalText(error), 'error');
  }
}

/** Opens a profile whose path is stored in the open profile. */
function openNamedProfile(path: string, c: EffectContext, showMessage: (text: string, kind?: 'error') => void): void {
  try {
    // The path comes from a profile, so pipes (which could block) and symlinks are refused.
    closeSync(openRegular(path, 'none').fd);
  } catch (error) {
    return showMessage(`${path}: ${refusalText(error)}`, 'error');
  }
  openOtherProfile([path], c, showMessage);
}

/** Reads a source text of this run or of the base, and passes it to applyAnswer(). */
function readSourceText({ file, base = false }: Extract<Effect, { type: 'source' }>, c: EffectContext): void {
  const text = base
    ? readBaseSource(file, c.baseSourcePaths(c.state()))
    : readSource(file, sourcePathsOf(c), ':source-dir DIR or --path-map FROM=TO');
  setImmediate(() => c.applyStep(applyAnswer(c.state(), { type: 'source-read', file, text, base })));
}

/** Disassembles a routine, and passes the text to applyAnswer(). */
function readInstructions({ routine, asked }: Extract<Effect, { type: 'disassemble' }>, c: EffectContext): void {
  const { analysis } = c.state();
  const wanted = requestCode(analysis, routine);
  const reading =
    typeof wanted === 'string'
      ? Promise.resolve(wanted)
      : readCode(wanted, sourcePathsOf(c), c.options.symbols, asked || c.options.disassemble);
  void reading.then((text) => {
    // After a reload, the routine number would refer to another routine.
    if (c.state().analysis.profile === analysis.profile)
      c.applyStep(applyAnswer(c.state(), { type: 'disassembled', routine, text, asked }));
  });
}

/** Reads the inlined functions of the open profile and its base, and passes them to applyAnswer(). */
async function readInlinedFunctions(
  { versus, path }: Extract<Effect, { type: 'read-inlines' }>,
  c: EffectContext,
): Promise<void> {
  const { loaded, versus: shown } = c.state();
  const reasons: string[] = [];
  const withInlines = async <P extends Profile>(profile: P): Promise<P> => {
    const objects = collectAddresses(profile);
    const { symbols } = c.options;
    const sourcePaths = { ...sourcePathsOf(c), profiles: profile.paths, programs: possiblePrograms(profile, symbols) };
    let lastShownMs = performance.now();
    const { inlines, why } = await readInlines(objects, sourcePaths, symbols, true, NEVER_ABORTED, (known, all) => {
      if (performance.now() < lastShownMs + PROGRESS_INTERVAL_MS) return;
      lastShownMs = performance.now();
      c.applyStep([withMessage(c.state(), `reading debug information: ${formatCount(known)} of ${plural(all, 'address')}`), []]);
    });
    if (inlines.size === 0 || objects.some(({ isMain, object }) => isMain && !inlines.has(object))) reasons.push(...why);
    return { ...profile, inlines };
  };
  const base = versus ?? shown;
  const next = base && { ...base, loaded: await withInlines(base.loaded) };
  if (versus && next) return c.applyStep(applyAnswer(c.state(), { type: 'base-loaded', versus: next, path: path ?? '' }));
  const found = await withInlines(loaded);
  // Another profile may have been opened meanwhile.
  if (c.state().loaded !== loaded) return;
  c.applyStep(
    applyAnswer(c.state(), { type: 'inlines-read', loaded: found, versus: next, why: reasons.join('; ') || undefined }),
  );
}

const PROGRESS_INTERVAL_MS = 500;
const NEVER_ABORTED = new AbortController().signal;

function copyToClipboard(text: string, c: EffectContext, showMessage: (text: string) => void): void {
  void copyText(text, (sequence) => c.terminal.send(sequence), process.env).then((done) => showMessage(`${done}: ${text}`));
}

function sourcePathsOf(c: EffectContext): SourcePaths {
  const { profile } = c.state().analysis;
  return {
    dirs: [...c.state().sourceDirs, ...c.options.sourceDirs],
    maps: c.options.pathMaps,
    profiles: profile.paths,
    programs: possiblePrograms(profile, c.options.symbols),
  };
}

/** Loads files without showing progress. */
export const loadWithoutProgress = (paths: readonly string[], options: ScreenOptions): Promise<Profile> =>
  startLoading(paths, toLoadOptions(options), () => {}).profile;

function reloadFiles(c: EffectContext, paths: readonly string[], why: string, again = false): void {
  const pipePath = paths.find((path) => !canReadAgain(path));
  if (pipePath !== undefined)
    return c.applyStep([withMessage(c.state(), 'a profile from a pipe can be read only once', 'error'), []]);
  loadWithoutProgress(paths, c.options).then(
    (loaded) => {
      const siblings = c.state().siblings.filter((s) => !loaded.paths.includes(s));
      const notes = readProfileNotes(loaded.paths);
      c.applyStep(
        applyAnswer(c.state(), { type: 'loaded', profile: loaded, derive: c.options.derive, siblings, why, again, notes }),
      );
    },
    (error: unknown) => c.applyStep([withMessage(c.state(), errorText(error), 'error'), []]),
  );
}

/** The message about a file that could not be read. */
export function errorText(error: unknown): string {
  if (error instanceof FormatError) return error.message;
  const what = error instanceof Error ? error.message : String(error);
  return `Internal error (run proftui --debug FILE for a report): ${what}`;
}

function openEditor(file: string, line: number, c: EffectContext, showMessage: (text: string, kind?: 'error') => void): void {
  const found = sourceOrReason(readSource(file, sourcePathsOf(c), ':source-dir DIR or --path-map FROM=TO'));
  if (typeof found === 'string') return showMessage(`${file}: ${found}`, 'error');
  const command = editorCommand(process.env['VISUAL'] || process.env['EDITOR'] || 'vi', found.path, line);
  if (!command) return showMessage('VISUAL or EDITOR names no program', 'error');
  const { program, found: wasFound, args } = command;
  if (!wasFound) return showMessage(`${program} was not found; set EDITOR`, 'error');
  let failure: string | undefined;
  const edit = () => {
    const { error, status, signal } = spawnSync(program, args, { stdio: 'inherit' });
    if (error && 'code' in error && error.code === 'ENOENT') failure = `${program} was not found; set EDITOR`;
    else if (error) failure = `${program}: ${systemReason(error)}`;
    else if (status !== 0) failure = `${program} ended with ${status ?? signal}`;
  };
  c.terminal.lend(edit, () => {
    if (failure) showMessage(failure, 'error');
    else c.applyStep([c.state(), []]);
  });
}
