// The view as `--print` arguments: for the command that is copied.
import { type Analysis, openingEvent } from '../analysis/answers/analysis.ts';
import { userFormulas } from '../analysis/answers/events.ts';
import { columnSort } from '../analysis/answers/part-columns.ts';
import { olderParts } from '../analysis/answers/parts.ts';
import { routineName } from '../analysis/names/names.ts';
import { routineWord } from '../analysis/profiles/choices.ts';
import { type Transform, transformFlags } from '../analysis/profiles/transforms/transform.ts';
import { type Limits, limitNames, USUAL_LIMITS } from '../base/limits.ts';
import { quoteWord } from '../base/quote.ts';
import type { Printed } from '../views/view.ts';
import { type AppState, activeView, contextOf, openView, shapingOf } from './state.ts';

/** The flags that the profile was loaded with. */
export interface LoadedWith {
  readonly format: string | undefined;
  readonly limits: Limits;
  readonly compiler: readonly string[];
  readonly symbols: {
    readonly binaries: readonly (readonly [object: string | null, path: string])[];
    readonly dirs: readonly string[];
  };
  readonly sourceDirs: readonly string[];
  readonly pathMaps: readonly (readonly [from: string, to: string])[];
}

export type PrintCommand = { readonly command: string } | { readonly refused: string };

/** The view's description, and the reason that it cannot be printed as it is. */
export function printedOf(state: AppState): Printed {
  const printed = openView(state).printed(contextOf(state));
  const { title, report } = activeView(state);
  if (report.ofFocus && state.focus < 0) return { ...printed, unsaid: `${title} without a routine in focus` };
  return printed;
}

/** The command line that prints what is seen. */
export function printCommand(state: AppState, loaded: LoadedWith): PrintCommand {
  const printed = printedOf(state);
  const { paths } = state.analysis.profile;
  if (printed.unsaid !== undefined) return { refused: `No flag reproduces this: ${printed.unsaid}` };
  if (state.versus && state.versus.loaded === state.previous)
    return { refused: 'the earlier contents of the reloaded file no longer exist' };
  if (paths.some((path) => path === '-' || path.startsWith('/dev/fd/') || path.startsWith('/proc/')))
    return { refused: 'the profile came through a pipe, which cannot be read again' };
  const words = ['proftui', ...paths.map((path) => (path.startsWith('-') ? `./${path}` : path))];
  const say = (flag: string, value: string) => {
    // A value that looks like a flag must be joined to its own.
    if (value.startsWith('-')) words.push(`--${flag}=${value}`);
    else words.push(`--${flag}`, value);
  };
  const { report, unfiltered } = activeView(state);
  say('print', printed.report ?? report.name);
  const routine = report.ofFocus ? state.focus : printed.routine;
  if (routine !== undefined) {
    const { profile } = state.analysis;
    const word = routineWord(profile, routine);
    if (word === undefined)
      return { refused: `several routines are named ${routineName(profile, routine)}; --routine cannot distinguish them` };
    say('routine', word);
  }
  sayEvents(state, say);
  const { sort, inverted, disassemble } = printed;
  const columns = state.extraColumns.filter((name) => activeView(state).columns?.includes(columnSort(state.analysis, name)));
  if (columns.length > 0) say('columns', columns.join(','));
  if (sort) say('sort', `${sort.column}:${sort.descending ? 'desc' : 'asc'}`);
  if (inverted) words.push('--inverted');
  if (disassemble) words.push('--disassemble');
  if (state.versus?.options.normalize) words.push('--normalize');
  if (state.versus?.options.samples) words.push('--samples');
  if (state.filter !== '' && !unfiltered) say('filter', state.filter);
  sayProfile(state, shapingOf(state).transforms, words, say);
  sayLoaded(loaded, say);
  const quoted = words.map(quoteWord);
  const bad = words.find((_, i) => quoted[i] === undefined);
  if (bad !== undefined) return { refused: `a name has control characters, which are not copied into a command: ${bad}` };
  return { command: quoted.join(' ') };
}

type Say = (flag: string, value: string) => void;

/** The chosen event, if it is not the one that is printed anyway, and those that the user defined. */
function sayEvents({ analysis, event }: AppState, say: Say): void {
  for (const text of userFormulas(analysis)) say('derive', text);
  if (event !== openingEvent(analysis).name) say('event', event);
}

/** Changes to the profile: parts, granularity, and the run that it is compared with. */
function sayProfile(
  { analysis, granularity, measure, versus }: AppState,
  transforms: readonly Transform[],
  words: string[],
  say: Say,
): void {
  const off = [...analysis.partsOff].sort((a, b) => a - b).join();
  if (off !== [...olderParts(analysis.profile)].join()) say('parts', off === '' ? 'all' : partList(analysis));
  for (const [flag, value] of transformFlags(transforms)) {
    if (value === undefined) words.push(`--${flag}`);
    else say(flag, value);
  }
  if (granularity.grain !== 'routine') say('by', granularity.grain);
  if (granularity.unknowns !== 'object') say('unknown', granularity.unknowns);
  if (!analysis.before) return;
  for (const path of analysis.before.profile.paths) say('base', path);
  if (measure !== 'delta') say('measure', measure);
  for (const { text } of versus?.options.renames ?? []) say('rename', text);
  for (const [flag, value] of versus?.flags ?? []) say(flag, value);
}

/** `1,3-5` */
function partList({ profile, partsOff }: Analysis): string {
  const runs: [from: number, to: number][] = [];
  for (let p = 0; p < profile.parts.length; p++) {
    if (partsOff.has(p)) continue;
    const last = runs.at(-1);
    if (last?.[1] === p) last[1] = p + 1;
    else runs.push([p + 1, p + 1]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}

function sayLoaded({ format, limits, compiler, symbols, sourceDirs, pathMaps }: LoadedWith, say: Say): void {
  if (format !== undefined) say('format', format);
  for (const name of limitNames) if (limits[name] !== USUAL_LIMITS[name]) say('max', `${name}=${limits[name]}`);
  for (const name of compiler) say('compiler', name);
  for (const [object, path] of symbols.binaries) say('binary', object === null ? path : `${object}=${path}`);
  for (const dir of symbols.dirs) say('symbol-path', dir);
  for (const dir of sourceDirs) say('source-dir', dir);
  for (const [from, to] of pathMaps) say('path-map', `${from}=${to}`);
}
