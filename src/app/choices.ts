// Choices that hold for all views: percentages, names, columns, parts, favourites, events of the user's own.
import { analyse } from '../analysis/answers/analyse.ts';
import { deriveEvent } from '../analysis/answers/events.ts';
import { columnNames, columnSort, type PartColumn, partsByCost, sameParts } from '../analysis/answers/part-columns.ts';
import { NAME_MODES } from '../analysis/names/short.ts';
import { appliedTo } from '../analysis/profiles/transforms/applied.ts';
import { FormatError } from '../base/problem.ts';
import type { PercentMode } from '../columns/column.ts';
import { viewsOf } from '../views/index.ts';
import { relined } from './needs.ts';
import { type AppState, activeView, type Step, say } from './state.ts';

const PERCENT_TEXT = {
  total: 'percent of total',
  left: 'percent of the focused total',
  parent: 'percent of parent (Calls, Tree)',
  none: 'no percentages',
};

export function nextPercent(state: AppState): AppState {
  // Where everything counts, what is left is the total.
  const modes = appliedTo(state.analysis.profile).length > 0 ? PERCENTS : PERCENTS.filter((p) => p !== 'left');
  const percent = modes[(modes.indexOf(state.percent) + 1) % modes.length];
  return say({ ...state, percent }, PERCENT_TEXT[percent]);
}

const PERCENTS: readonly PercentMode[] = ['total', 'left', 'parent', 'none'];

const NAME_TEXT = {
  fit: 'names: shortened to fit',
  'no-templates': 'names without template arguments',
  'no-parameters': 'names without template arguments and parameters',
  whole: 'full names',
};

export function nextNames(state: AppState): AppState {
  const names = NAME_MODES[(NAME_MODES.indexOf(state.names) + 1) % NAME_MODES.length];
  return say({ ...state, names }, NAME_TEXT[names]);
}

export function toggleColumn(state: AppState, name: string): AppState {
  const { extraColumns } = state;
  if (extraColumns.includes(name)) return { ...state, extraColumns: extraColumns.filter((e) => e !== name) };
  const known = columnNames(state.analysis);
  if (!known.includes(name)) return say(state, `no column ${name}; there are ${known.join(', ')}`, 'error');
  const next = { ...state, extraColumns: [...extraColumns, name] };
  const sort = columnSort(state.analysis, name);
  if (activeView(state).columns?.includes(sort)) return next;
  const shown = viewsOf(state.analysis).filter((v) => v.columns?.includes(sort));
  return say(next, `${name} has a column in ${shown.map((v) => v.title).join(', ')}`);
}

export function togglePart(state: AppState, part: number): AppState {
  const off = new Set(state.analysis.partsOff);
  if (!off.delete(part)) off.add(part);
  return switchParts(state, off);
}

/** Switches these parts off and all others on. */
export function switchParts(state: AppState, off: Iterable<number>): AppState {
  const { analysis } = state;
  const next = relined({ ...state, analysis: analyse(analysis.profile, analysis.events, new Set(off)) });
  return sameParts(analysis.profile) ? next : say(next, 'The base has different parts and is not filtered');
}

const BEFORE = -2;

/** Shows one part alone; all, if only that is shown. -1: the next thread or part, the most expensive first, and all after the last; -2: the one before. */
export function showOnly(state: AppState, part: number): AppState {
  const { profile, partsOff } = state.analysis;
  const isShown = ({ parts }: PartColumn) => profile.parts.every((_, i) => partsOff.has(i) !== parts.has(i));
  const all = part < 0 ? partsByCost(profile) : [{ name: `part ${part + 1}`, parts: new Set([part]) }];
  if (all.length === 0) return say(state, 'there is only one part');
  const shown = all.findIndex(isShown);
  const next = part === BEFORE ? all[shown < 0 ? all.length - 1 : shown - 1] : all[shown + 1];
  const off = [...profile.parts.keys()].filter((i) => next && !next.parts.has(i));
  return say(switchParts(state, off), next ? `only ${next.name}` : 'all parts');
}

export function favourite(state: AppState, name: string): Step {
  const favourites = new Set(state.favourites);
  if (!favourites.delete(name)) favourites.add(name);
  const said = `${name} is ${favourites.has(name) ? 'a favourite' : 'no longer a favourite'}`;
  return [say({ ...state, favourites }, said), [{ type: 'keep-favourite', name, on: favourites.has(name) }]];
}

export function derive(state: AppState, text: string): AppState {
  const { analysis } = state;
  try {
    const event = deriveEvent(text, analysis.events);
    return say(
      relined({
        ...state,
        analysis: analyse(analysis.profile, [...analysis.events, event], analysis.partsOff),
        event: event.name,
      }),
      `event ${event.name} defined`,
    );
  } catch (error) {
    if (error instanceof FormatError) return say(state, error.message, 'error');
    throw error;
  }
}
