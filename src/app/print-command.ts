// The command line with `--print` that reproduces the view, for copying.
import { type Analysis, defaultEvent } from '../analysis/answers/analysis.ts';
import { userFormulas } from '../analysis/answers/events.ts';
import { columnKind } from '../analysis/answers/part-columns.ts';
import { olderParts } from '../analysis/answers/parts.ts';
import { routineName } from '../analysis/names/names.ts';
import { flagWords, routineWord } from '../analysis/profiles/choices.ts';
import { transformFlags } from '../analysis/profiles/transforms/transform.ts';
import { DEFAULT_LIMITS, type Limits, limitNames } from '../base/limits.ts';
import { quoteWord } from '../base/safe-text.ts';
import type { PrintedView } from '../views/view.ts';
import { type AppState, activeView, appliesFilter, contextOf, openView, shapingOf } from './state.ts';

export interface LoadFlags {
  readonly format: string | undefined;
  readonly limits: Limits;
  readonly compiler: readonly string[];
  readonly weight?: string | undefined;
  readonly log?: string | undefined;
  readonly symbols: {
    readonly binaries: readonly (readonly [object: string | null, path: string])[];
    readonly dirs: readonly string[];
    readonly anyway?: boolean;
  };
  readonly sourceDirs: readonly string[];
  readonly pathMaps: readonly (readonly [from: string, to: string])[];
}

/** The `--print` settings of the view, or the reason why no flags reproduce it. */
export function printedViewOf(state: AppState): PrintedView {
  const printed = openView(state).printed(contextOf(state));
  const { title, report } = activeView(state);
  if (report.ofFocus && state.focus < 0) return { ...printed, notInReport: `${title} without a routine in focus` };
  return printed;
}

/** The command line that prints what the screen shows. */
export function printCommand(state: AppState, loaded: LoadFlags): { readonly command: string } | { readonly refused: string } {
  const printed = printedViewOf(state);
  const { paths } = state.analysis.profile;
  if (printed.notInReport !== undefined) return { refused: `No flag reproduces this: ${printed.notInReport}` };
  if (state.versus && state.versus.loaded === state.previous)
    return { refused: 'the earlier contents of the reloaded file no longer exist' };
  if (paths.some((path) => path === '-' || path.startsWith('/dev/fd/') || path.startsWith('/proc/')))
    return { refused: 'the profile came through a pipe, which cannot be read again' };
  const words = ['proftui', ...paths.map((path) => (path.startsWith('-') ? `./${path}` : path))];
  const addFlag: AddFlag = (flag, value) => words.push(...(value === undefined ? [`--${flag}`] : flagWords(flag, value)));
  const { report } = activeView(state);
  addFlag('print', printed.grouping ? 'groups' : (printed.report ?? report.name));
  const routine = report.ofFocus ? state.focus : printed.routine;
  if (routine !== undefined) {
    const { profile } = state.analysis;
    const word = routineWord(profile, routine);
    if (word === undefined)
      return { refused: `several routines are named ${routineName(profile, routine)}; --routine cannot distinguish them` };
    addFlag('routine', word);
  }
  for (const text of userFormulas(state.analysis)) addFlag('derive', text);
  if (state.event !== defaultEvent(state.analysis).name) addFlag('event', state.event);
  const { sort, inverted, disassemble } = printed;
  const columns = state.extraColumns.filter((name) => activeView(state).columns?.includes(columnKind(state.analysis, name)));
  if (columns.length > 0) addFlag('columns', columns.join(','));
  if (sort) addFlag('sort', `${sort.column}:${sort.descending ? 'desc' : 'asc'}`);
  for (const [flag, value] of Object.entries(printed.flags ?? {})) addFlag(flag, value);
  if (printed.grouping) addFlag('by', printed.grouping);
  if (inverted) addFlag('inverted');
  if (disassemble) addFlag('disassemble');
  if (disassemble && state.syntax !== 'att') addFlag('syntax', state.syntax);
  if (state.versus?.options.normalize) addFlag('normalize');
  if (state.versus?.options.samples) addFlag('samples');
  if (state.filter !== '' && appliesFilter(state)) addFlag('filter', state.filter);
  addProfileFlags(state, addFlag);
  addLoadFlags(loaded, addFlag);
  if (loaded.symbols.anyway) addFlag('symbols-anyway');
  const quoted = words.map(quoteWord);
  const bad = words.find((_, i) => quoted[i] === undefined);
  if (bad !== undefined) return { refused: `a name has control characters, which are not copied into a command: ${bad}` };
  return { command: quoted.join(' ') };
}

/** Adds a flag with its value, or one that has none. */
type AddFlag = (flag: string, value?: string) => void;

function addProfileFlags(state: AppState, addFlag: AddFlag): void {
  const { analysis, granularity, measure, versus } = state;
  const off = [...analysis.partsOff].sort((a, b) => a - b).join();
  if (off !== [...olderParts(analysis.profile)].join()) addFlag('parts', off === '' ? 'all' : partListText(analysis));
  for (const [flag, value] of transformFlags(shapingOf(state).transforms)) addFlag(flag, value);
  if (granularity.name !== 'routine') addFlag('by', granularity.name);
  if (granularity.unknowns !== 'object') addFlag('unknown', granularity.unknowns);
  if (!analysis.before) return;
  for (const path of analysis.before.profile.paths) addFlag('base', path);
  if (measure !== 'delta') addFlag('measure', measure);
  if (versus?.options.noRenames) addFlag('no-renames');
  for (const { text } of versus?.options.renames ?? []) addFlag('rename', text);
  for (const [flag, value] of versus?.flags ?? []) addFlag(flag, value);
}

/** The shown parts in the syntax of --parts: `1,3-5`. */
function partListText({ profile, partsOff }: Analysis): string {
  const runs: [from: number, to: number][] = [];
  for (let p = 0; p < profile.parts.length; p++) {
    if (partsOff.has(p)) continue;
    const last = runs.at(-1);
    if (last?.[1] === p) last[1] = p + 1;
    else runs.push([p + 1, p + 1]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}

function addLoadFlags({ format, limits, compiler, weight, log, symbols, sourceDirs, pathMaps }: LoadFlags, addFlag: AddFlag) {
  if (format !== undefined) addFlag('format', format);
  for (const name of limitNames) if (limits[name] !== DEFAULT_LIMITS[name]) addFlag('max', `${name}=${limits[name]}`);
  for (const name of compiler) addFlag('compiler', name);
  if (weight !== undefined) addFlag('weight', weight);
  if (log !== undefined) addFlag('log', log);
  for (const [object, path] of symbols.binaries) addFlag('binary', object === null ? path : `${object}=${path}`);
  for (const dir of symbols.dirs) addFlag('symbol-path', dir);
  for (const dir of sourceDirs) addFlag('source-dir', dir);
  for (const [from, to] of pathMaps) addFlag('path-map', `${from}=${to}`);
}
