// The side effects of a session: files, programs, the clipboard.
import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { resolve } from 'node:path';
import { requestCode } from '../analysis/answers/code-wanted.ts';
import type { BaseRun } from '../analysis/profiles/compare/compare.ts';
import { baseFileName } from '../analysis/profiles/compare/texts.ts';
import { collectAddresses } from '../analysis/profiles/inlined/addresses.ts';
import { printCommand } from '../app/print-command.ts';
import { type AppState, type Effect, type UpdateResult, withMessage } from '../app/state.ts';
import { applyAnswer, type EffectAnswer } from '../app/update.ts';
import { FormatError, systemReason } from '../base/problem.ts';
import { formatCount, plural } from '../base/units.ts';
import { findBaseCandidates } from '../io/base.ts';
import { readCode } from '../io/code-text.ts';
import { expandHome } from '../io/disk/private-folder.ts';
import { openRegular, refusalText } from '../io/disk/regular.ts';
import { resolveWithoutScreen } from '../io/find.ts';
import { toLoadOptions } from '../io/load.ts';
import { canReadAgain } from '../io/sources/source.ts';
import { type BaseSourcePaths, readBaseSource, readSource, sourceOrReason, sourcePathsOf } from '../io/sources/source-text.ts';
import { startLoading } from '../io/start-loading.ts';
import { isFolder } from '../io/stat.ts';
import { readInlines } from '../io/symbols/inlines.ts';
import { changeNotes, notesPath, readProfileNotes } from '../io/user/notes.ts';
import { PROJECT_FILE, saveFavourite, saveFocus } from '../io/user/project.ts';
import { changeConfig, parseSetting } from '../io/user/settings.ts';
import type { Profile } from '../model/profile.ts';
import { baseOfferOf } from './found-cells.ts';
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

const showMessage = (c: EffectContext, text: string): void => c.applyStep([withMessage(c.state(), text), []]);
const showError = (c: EffectContext, text: string): void => c.applyStep([withMessage(c.state(), text, 'error'), []]);
const passAnswer = (c: EffectContext, answer: EffectAnswer): void => c.applyStep(applyAnswer(c.state(), answer));

type EffectOf<T extends Effect['type']> = Effect & { readonly type: T };
const EFFECT_HANDLERS: { readonly [T in Effect['type']]: (effect: EffectOf<T>, c: EffectContext) => void } = {
  quit: (_, c) => c.quit(),
  suspend: (_, c) => c.terminal.suspend(),
  copy: ({ text }, c) => copyToClipboard(text, c),
  /** Reads a source text of this run or of the base, and passes it to applyAnswer(). */
  source({ file, base = false }, c) {
    const text = base
      ? readBaseSource(file, c.baseSourcePaths(c.state()))
      : readSource(file, sourcePathsIn(c), ':source-dir DIR or --path-map FROM=TO');
    setImmediate(() => passAnswer(c, { type: 'source-read', file, text, base }));
  },
  'source-dir'({ dir: wanted }, c) {
    const dir = resolve(expandHome(wanted));
    if (!isFolder(dir)) return showError(c, `${dir} is not a folder`);
    setImmediate(() => passAnswer(c, { type: 'source-dir', dir }));
  },
  /** Disassembles a routine, and passes the text to applyAnswer(). */
  disassemble({ routine, asked }, c) {
    const { analysis, syntax } = c.state();
    const wanted = requestCode(analysis, routine);
    const reading =
      typeof wanted === 'string'
        ? Promise.resolve(wanted)
        : readCode(wanted, sourcePathsIn(c), c.options.symbols, asked || c.options.disassemble, syntax);
    void reading.then((text) => {
      // After a reload, the routine number would refer to another routine.
      if (c.state().analysis.profile === analysis.profile && c.state().syntax === syntax)
        passAnswer(c, { type: 'disassembled', routine, text, asked });
    });
  },
  edit: ({ file, line }, c) => void setImmediate(() => openEditor(file, line, c)),
  'copy-command'(_, c) {
    const made = printCommand(c.state(), c.options);
    if ('refused' in made) return showError(c, made.refused);
    copyToClipboard(made.command, c);
  },
  write: writeToFile,
  export: writeToFile,
  'open-file': ({ path }, c) => withFilesAt(path, c, openOtherProfile),
  /** Saves a setting such as `theme light`, and applies it at once if possible. */
  set({ text }, c) {
    try {
      const [spec, value] = parseSetting(text);
      const path = changeConfig(spec.name, value);
      const now = c.applySetting(spec.name, value);
      showMessage(c, `${spec.name} is kept in ${path}${now ? '' : '; it counts the next time'}`);
    } catch (error) {
      showError(c, refusalText(error));
    }
  },
  'keep-columns': ({ texts }, c) => saveToFile('config.json', () => changeConfig('shown', texts), c),
  'keep-panes': ({ panes }, c) => saveToFile('config.json', () => changeConfig('panes', panes), c),
  'keep-favourite': ({ name, on }, c) => saveToFile(PROJECT_FILE, () => saveFavourite(name, on), c),
  'keep-notes'({ changes }, c) {
    const { paths } = c.state().analysis.profile;
    saveToFile(notesPath(paths) ?? '', () => changeNotes(paths, changes), c);
  },
  'keep-transforms': ({ name, texts }, c) => saveToFile(PROJECT_FILE, () => saveFocus(name, texts), c),
  reload: (_, c) => reloadFiles(c, c.state().analysis.profile.paths, 'reloaded', true),
  'find-bases'(_, c) {
    setImmediate(() => {
      passAnswer(c, { type: 'bases-found', offers: findBaseCandidates(c.state().analysis.profile).map(baseOfferOf) });
    });
  },
  'load-base'({ path }, c) {
    c.loadBase(path).then(
      (versus) => c.applyStep(versus ? applyAnswer(c.state(), { type: 'base-loaded', versus, path }) : [c.state(), []]),
      (error: unknown) => showError(c, errorText(error)),
    );
  },
  'read-inlines': (effect, c) => void readInlinedFunctions(effect, c),
  /** Opens a profile whose path is stored in the open profile. */
  open({ path }, c) {
    try {
      // The path comes from a profile, so pipes (which could block) and symlinks are refused.
      closeSync(openRegular(path, 'none').fd);
    } catch (error) {
      return showError(c, `${path}: ${refusalText(error)}`);
    }
    openOtherProfile([path], c);
  },
  merge: (_, c) => mergeFiles(c.state().siblings, c),
  'add-file': ({ path }, c) => withFilesAt(path, c, mergeFiles),
};

/** Passes the files of the profile at a path that the user typed. */
function withFilesAt(path: string, c: EffectContext, use: (paths: readonly string[], c: EffectContext) => void): void {
  try {
    use(resolveWithoutScreen([expandHome(path)]), c);
  } catch (error) {
    showError(c, errorText(error));
  }
}

function mergeFiles(more: readonly string[], c: EffectContext): void {
  const paths = [...c.state().analysis.profile.paths, ...more];
  reloadFiles(c, paths, `merged ${paths.length} files; Info turns parts on and off`);
}

/** Calls the handler of an effect. Generic, so that the types of effect and handler match. */
const runHandler = <T extends Effect['type']>(type: T, effect: EffectOf<T>, c: EffectContext): void =>
  EFFECT_HANDLERS[type](effect, c);
export const runEffect = (effect: Effect, c: EffectContext): void => runHandler(effect.type, effect, c);

function writeToFile({ type, path: wanted }: EffectOf<'write' | 'export'>, c: EffectContext): void {
  const writing =
    type === 'export'
      ? exportProfile(wanted, c.state(), c.version)
      : writeView(wanted, c.state(), c.version, {
          source: (file) => sourceOrReason(readSource(file, sourcePathsIn(c))),
          baseSource(file) {
            const name = baseFileName(c.state().analysis, file);
            return name === null ? undefined : sourceOrReason(readBaseSource(name, c.baseSourcePaths(c.state())));
          },
        });
  writing.then(
    (path) => showMessage(c, `${type === 'export' ? 'exported' : 'written'} to ${path}`),
    (error: unknown) => showError(c, `${wanted}: ${systemReason(error)}`),
  );
}

/** Saves the user's notes or choices to a file; shows an error if that fails. */
function saveToFile(file: string, write: () => void, c: EffectContext): void {
  try {
    write();
  } catch (error) {
    showError(c, error instanceof FormatError ? error.message : `${file}: ${refusalText(error)}`);
  }
}

/** Shows another profile; Backspace returns to this one. */
function openOtherProfile(paths: readonly string[], c: EffectContext): void {
  loadThen(paths, c, (profile) => passAnswer(c, { type: 'opened', profile, notes: readProfileNotes(profile.paths) }));
}

/** Reads the inlined functions of the open profile and its base, and passes them to applyAnswer(). */
async function readInlinedFunctions({ versus, path }: EffectOf<'read-inlines'>, c: EffectContext): Promise<void> {
  const { loaded, versus: shown } = c.state();
  const reasons: string[] = [];
  const withInlines = async <P extends Profile>(profile: P): Promise<P> => {
    const objects = collectAddresses(profile);
    const { symbols } = c.options;
    let lastShownMs = performance.now();
    const { inlines, why } = await readInlines(objects, sourcePathsIn(c, profile), symbols, true, NEVER_ABORTED, (known, all) => {
      if (performance.now() < lastShownMs + PROGRESS_INTERVAL_MS) return;
      lastShownMs = performance.now();
      showMessage(c, `reading debug information: ${formatCount(known)} of ${plural(all, 'address')}`);
    });
    if (inlines.size === 0 || objects.some(({ isMain, object }) => isMain && !inlines.has(object))) reasons.push(...why);
    return { ...profile, inlines };
  };
  const base = versus ?? shown;
  const next = base && { ...base, loaded: await withInlines(base.loaded) };
  if (versus && next) return passAnswer(c, { type: 'base-loaded', versus: next, path: path ?? '' });
  const found = await withInlines(loaded);
  // Another profile may have been opened meanwhile.
  if (c.state().loaded !== loaded) return;
  passAnswer(c, { type: 'inlines-read', loaded: found, versus: next, why: reasons.join('; ') || undefined });
}

const PROGRESS_INTERVAL_MS = 500;
const NEVER_ABORTED = new AbortController().signal;

function copyToClipboard(text: string, c: EffectContext): void {
  void copyText(text, (sequence) => c.terminal.send(sequence), process.env).then((done) => showMessage(c, `${done}: ${text}`));
}

const sourcePathsIn = (c: EffectContext, profile: Profile = c.state().analysis.profile) =>
  sourcePathsOf({ ...c.options, sourceDirs: [...c.state().sourceDirs, ...c.options.sourceDirs] }, profile);

export const loadWithoutProgress = (paths: readonly string[], options: ScreenOptions): Promise<Profile> =>
  startLoading(paths, toLoadOptions(options));

function reloadFiles(c: EffectContext, paths: readonly string[], why: string, again = false): void {
  if (!paths.every(canReadAgain)) return showError(c, 'a profile from a pipe can be read only once');
  loadThen(paths, c, (profile) => {
    const siblings = c.state().siblings.filter((s) => !profile.paths.includes(s));
    const notes = readProfileNotes(profile.paths);
    passAnswer(c, { type: 'loaded', profile, derive: c.options.derive, siblings, why, again, notes });
  });
}

/** Loads files and passes the profile to `show`, or shows why they cannot be read. */
function loadThen(paths: readonly string[], c: EffectContext, show: (profile: Profile) => void): void {
  loadWithoutProgress(paths, c.options).then(show, (error: unknown) => showError(c, errorText(error)));
}

/** The message about a file that could not be read. */
export function errorText(error: unknown): string {
  if (error instanceof FormatError) return error.message;
  const what = error instanceof Error ? error.message : String(error);
  return `Internal error (run proftui --debug FILE for a report): ${what}`;
}

function openEditor(file: string, line: number, c: EffectContext): void {
  const found = sourceOrReason(readSource(file, sourcePathsIn(c), ':source-dir DIR or --path-map FROM=TO'));
  if (typeof found === 'string') return showError(c, `${file}: ${found}`);
  const command = editorCommand(process.env['VISUAL'] || process.env['EDITOR'] || 'vi', found.path, line);
  if (!command) return showError(c, 'VISUAL or EDITOR names no program');
  const { program, found: wasFound, args } = command;
  if (!wasFound) return showError(c, `${program} was not found; set EDITOR`);
  let failure: string | undefined;
  const edit = () => {
    const { error, status, signal } = spawnSync(program, args, { stdio: 'inherit' });
    if (error && 'code' in error && error.code === 'ENOENT') failure = `${program} was not found; set EDITOR`;
    else if (error) failure = `${program}: ${systemReason(error)}`;
    else if (status !== 0) failure = `${program} ended with ${status ?? signal}`;
  };
  c.terminal.lend(edit, () => {
    if (failure) showError(c, failure);
    else c.applyStep([c.state(), []]);
  });
}
