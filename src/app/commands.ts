// Commands that work on the rows of any view: search, filter, edit, copy.
import { routineFile, routineName } from '../analysis/names/names.ts';
import { BY_LETTERS_NOTE, type CompiledSearch, compileFilter, compileSearch, MATCH_RANKS, searchCutNote } from '../base/match.ts';
import { visible } from '../base/safe-text.ts';
import { firstListView, HOME_VIEW } from '../views/index.ts';
import { enterLocation } from './places.ts';
import {
  type ActionHandlers,
  type AppState,
  activeView,
  contextOf,
  cursorRoutine,
  openView,
  type PendingSearch,
  type UpdateResult,
  withErrorMessage,
  withMessage,
  withView,
} from './state.ts';

/** Starts a search for the next matching row, wrapping around. A view with hidden rows uses its own search. */
export function startSearch(state: AppState, by: 1 | -1, isTyped = false): AppState {
  const from = openView(state).cursor(contextOf(state));
  return continueSearch({ ...state, marking: false, seeking: { by, from, seen: 0, isTyped } });
}

/** Starts a search for a text: in a list of names for its best match, in a text for the next one. */
export const searchText = (state: AppState, text: string): AppState => startSearch({ ...state, search: text }, 1, true);

/** Continues a search for the time budget of one key. */
export function continueSearch(state: AppState): AppState {
  const { seeking } = state;
  if (!seeking) return state;
  const stopped: AppState = { ...state, seeking: undefined };
  return withErrorMessage(stopped, () => {
    const wanted = compileSearch(state.search);
    const found = openView(state).find(state.search, wanted, seeking.by, contextOf(state), state.timeBudgetMs);
    if (!found) return searchRows(stopped, seeking, wanted);
    if (found.more) return withMessage(state, SEARCHING_TEXT);
    const next = withView(stopped, found.view);
    return withMessage({ ...next, marking: !found.wrong }, found.say ?? '', found.wrong ? 'error' : 'info');
  });
}

/** The longest that a key waits for a search, in milliseconds. After that the search stops. */
const TYPED_AHEAD_MS = 500;

/** Finishes a search for a key that was typed behind it. */
export function finishSearch(state: AppState): AppState {
  const until = performance.now() + TYPED_AHEAD_MS;
  let next = state;
  while (next.seeking && performance.now() < until) next = continueSearch(next);
  return { ...next, seeking: undefined };
}

const SEARCHING_TEXT = 'searching …, Esc stops it';
/** The search reads the clock after this many rows, or this many characters of row texts. */
const ROWS_PER_CLOCK_CHECK = 500;
const CHARS_PER_CLOCK_CHECK = 50_000;

function searchRows(state: AppState, { by, from, seen, isTyped, best: before }: PendingSearch, wanted: CompiledSearch): AppState {
  const view = openView(state);
  const context = contextOf(state);
  const rows = view.rowCount(context);
  const until = performance.now() + state.timeBudgetMs;
  let left = CHARS_PER_CLOCK_CHECK;
  let best = before;
  // In a text, as Source, the next row is wanted, and letters in order mean nothing.
  const isText = activeView(state).unfiltered === true;
  const ranks = isTyped && !isText;
  // A row that has the text ends the search for the next one; one that has only its letters does not.
  const enough = ranks ? MATCH_RANKS.WHOLE : MATCH_RANKS.INSIDE;
  for (let k = seen + 1; k <= rows && (best?.rank ?? Infinity) > enough; k++) {
    const row = (((from + by * k) % rows) + rows) % rows;
    const text = view.rowText(row, context);
    const rank = wanted.rank(text, !isText && best === undefined);
    if (rank !== undefined && rank < (best?.rank ?? Infinity)) best = { row, rank };
    left -= text.length + CHARS_PER_CLOCK_CHECK / ROWS_PER_CLOCK_CHECK;
    if (left > 0) continue;
    if (performance.now() >= until)
      return withMessage({ ...state, seeking: { by, from, seen: k, isTyped, best } }, SEARCHING_TEXT);
    left = CHARS_PER_CLOCK_CHECK;
  }
  if (best) {
    const wrapped = !ranks && (by > 0 ? best.row <= from : best.row >= from);
    const next = { ...withView(state, view.moveTo(best.row, context)), marking: true };
    if (best.rank === MATCH_RANKS.BY_LETTERS) return withMessage(next, BY_LETTERS_NOTE);
    return withMessage(next, !wrapped ? '' : best.row === from ? 'the only match' : 'search wrapped around');
  }
  // The Overview has only the first rows: the search goes on in the list that has all.
  const list = state.view === HOME_VIEW && !state.prompt ? firstListView(state.analysis) : undefined;
  if (list) return startSearch(enterLocation(state, { view: list.id, focus: -1 }), by, isTyped);
  return withMessage(state, `No match for "${state.search}" in ${activeView(state).title}${searchCutNote(wanted)}`, 'error');
}

export function setFilter(state: AppState, text: string): AppState {
  if (text === '') return { ...state, filter: '', matcher: undefined };
  // Views without columns, such as the Overview, lead to a list.
  const list = activeView(state).filtersColumns ? undefined : firstListView(state.analysis);
  const columns = () => (list?.open(contextOf(state)) ?? openView(state)).filterColumns(contextOf(state));
  return withErrorMessage(state, () => ({ ...state, filter: text, matcher: compileFilter(text, columns) }));
}

function openSourceInEditor(state: AppState): UpdateResult {
  const view = openView(state);
  const context = contextOf(state);
  let location = view.sourcePosition(context);
  if (!location) {
    const routine = view.routineAt(context);
    const file = routine < 0 ? null : routineFile(state.analysis.profile, routine);
    if (file === null) return [withMessage(state, 'the profile does not record a file for this'), []];
    const own = state.analysis.profile.routines.file[routine];
    const lines = state.analysis.costing.lines({ routine });
    const first = lines.line.findIndex((l, i) => l > 0 && lines.file[i] === own);
    location = { file, line: first >= 0 ? lines.line[first] : 1 };
  }
  return [state, [{ type: 'edit', file: location.file, line: Math.max(1, location.line) }]];
}

function copyName(state: AppState): UpdateResult {
  const routine = cursorRoutine(state);
  const text = routine >= 0 ? routineName(state.analysis.profile, routine) : openView(state).detail(contextOf(state));
  // Copied text may be pasted into a shell, so control characters are made visible.
  return text === ''
    ? [withMessage(state, 'there is nothing to copy here'), []]
    : [state, [{ type: 'copy', text: visible(text) }]];
}

export const ROW_HANDLERS = {
  search: (state, { by }) => startSearch(state, by),
  'go-to'(state, { number }) {
    const moved = openView(state).goToNumber(number, contextOf(state));
    if (moved) return withView(state, moved);
    return withMessage(state, `${activeView(state).title} has no row or line ${number}`, 'error');
  },
  edit: openSourceInEditor,
  copy: copyName,
} satisfies Partial<ActionHandlers>;
