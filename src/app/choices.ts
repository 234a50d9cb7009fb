// Choices that apply to all views: percentages, names, columns, parts, favourites, and user-defined events.
import { analyse } from '../analysis/answers/analyse.ts';
import { deriveEvent } from '../analysis/answers/events.ts';
import { canDistinguishParts, columnKind, columnNames, type PartColumn, partsByCost } from '../analysis/answers/part-columns.ts';
import { NAME_MODES } from '../analysis/names/short.ts';
import { transformTexts } from '../analysis/profiles/transforms/applied.ts';
import { toggleItem } from '../base/lists.ts';
import { noSuchText } from '../base/match.ts';
import type { PercentMode } from '../columns/column.ts';
import { viewsOf } from '../views/index.ts';
import { nextValue } from '../views/parts/options.ts';
import { mapBaseLines } from './needs.ts';
import {
  type ActionHandlers,
  type AppState,
  activeView,
  contextOf,
  openView,
  placeOfColumns,
  type UpdateResult,
  withErrorMessage,
  withMessage,
} from './state.ts';

const PERCENT_MODE_TEXTS = {
  usual: 'percent of total; in Source, Instrs and Calls, of the routine',
  total: 'percent of total',
  left: 'percent of the focused total',
  parent: 'percent of parent (Calls, Tree)',
  none: 'no percentages',
};

const PERCENT_MODES: readonly PercentMode[] = ['usual', 'total', 'left', 'parent', 'none'];

export const NAME_MODE_TEXTS = {
  fit: 'names: shortened to fit',
  'no-templates': 'names without template arguments',
  'no-parameters': 'names without template arguments and parameters',
  whole: 'full names',
};

export function toggleColumn(state: AppState, name: string): AppState {
  const { extraColumns } = state;
  if (extraColumns.includes(name)) return { ...state, extraColumns: extraColumns.filter((e) => e !== name) };
  const known = columnNames(state.analysis);
  if (!known.includes(name)) return withMessage(state, `no column ${name}; there are ${known.join(', ')}`, 'error');
  const next = { ...state, extraColumns: [...extraColumns, name] };
  const sort = columnKind(state.analysis, name);
  if (activeView(state).columns?.includes(sort)) return next;
  const viewsWithColumn = viewsOf(state.analysis).filter((v) => v.columns?.includes(sort));
  return withMessage(next, `${name} has a column in ${viewsWithColumn.map((v) => v.title).join(', ')}`);
}

/** Shows only these columns in the active view, in this order, and keeps that for profiles of this kind; all columns without names. */
export function chooseColumns(state: AppState, text: string): UpdateResult {
  const known = openView(state).columnNames(contextOf(state));
  // Names of parts have blanks: `part 2, self`.
  const words = text.split(text.includes(',') ? ',' : ' ').map((name) => name.trim());
  const names = [...new Set(words.filter((name) => name !== ''))];
  const wrong = names.find((name) => !known.includes(name));
  const why =
    known.length === 0
      ? `${activeView(state).title} has no columns to choose`
      : wrong && `${wrong}: ${noSuchText('column', wrong, known)}`;
  if (why) return [withMessage(state, why, 'error'), []];
  const chosen = new Map(state.chosenColumns);
  if (names.length === 0 || names.join() === known.join()) chosen.delete(placeOfColumns(state));
  else chosen.set(placeOfColumns(state), names);
  const texts = Array.from(chosen, ([place, own]) => `${place}: ${own.join(', ')}`);
  const left = known.filter((name) => names.length > 0 && !names.includes(name));
  const said = left.length > 0 ? `without ${left.join(', ')}; c chooses again` : 'all columns';
  return [withMessage({ ...state, chosenColumns: chosen }, said), [{ type: 'keep-columns', texts }]];
}

function setPartsOff(state: AppState, off: Iterable<number>): AppState {
  const { analysis } = state;
  const next = mapBaseLines({ ...state, analysis: analyse(analysis.profile, analysis.events, new Set(off)) });
  return canDistinguishParts(analysis.profile) ? next : withMessage(next, 'The base has different parts and is not filtered');
}

const GO_TO_PREVIOUS_PART = -2;

export function defineEvent(state: AppState, text: string): AppState {
  const { analysis } = state;
  return withErrorMessage(state, () => {
    const event = deriveEvent(text, analysis.events);
    const next = analyse(analysis.profile, [...analysis.events, event], analysis.partsOff);
    return withMessage(mapBaseLines({ ...state, analysis: next, event: event.name }), `event ${event.name} defined`);
  });
}

/** The handlers of choices, by action type. */
export const CHOICE_HANDLERS = {
  event(state, { name }) {
    return { ...state, event: name, extraColumns: state.extraColumns.filter((e) => e !== name), panel: undefined };
  },
  'extra-event': (state, { name }) => toggleColumn(state, name),
  percent(state) {
    // Without transforms, the percentages of `left` and `total` are equal, so `left` is skipped.
    const modes = transformTexts(state.analysis.profile).length > 0 ? PERCENT_MODES : PERCENT_MODES.filter((p) => p !== 'left');
    const percent = nextValue(modes, state.percent);
    return withMessage({ ...state, percent }, PERCENT_MODE_TEXTS[percent]);
  },
  names(state) {
    const names = nextValue(NAME_MODES, state.names);
    return withMessage({ ...state, names }, NAME_MODE_TEXTS[names]);
  },
  'toggle-part': (state, { part }) => setPartsOff(state, toggleItem(state.analysis.partsOff, part)),
  /** Shows only this part; all parts if it is the only one shown. -1: the next part or thread by cost. -2: the previous one. */
  'only-part'(state, { part }) {
    const { profile, partsOff } = state.analysis;
    const isShown = ({ parts }: PartColumn) => profile.parts.every((_, i) => partsOff.has(i) !== parts.has(i));
    const all = part < 0 ? partsByCost(profile) : [{ name: `part ${part + 1}`, parts: new Set([part]) }];
    if (all.length === 0) return withMessage(state, 'there is only one part');
    const shown = all.findIndex(isShown);
    const next = part === GO_TO_PREVIOUS_PART ? all[shown < 0 ? all.length - 1 : shown - 1] : all[shown + 1];
    const off = [...profile.parts.keys()].filter((i) => next && !next.parts.has(i));
    return withMessage(setPartsOff(state, off), next ? `only ${next.name}` : 'all parts');
  },
  'all-parts': (state) => setPartsOff(state, []),
  favourite(state, { name }) {
    const favourites = toggleItem(state.favourites, name);
    const text = `${name} is ${favourites.has(name) ? 'a favourite' : 'no longer a favourite'}`;
    return [withMessage({ ...state, favourites }, text), [{ type: 'keep-favourite', name, on: favourites.has(name) }]];
  },
} satisfies Partial<ActionHandlers>;
