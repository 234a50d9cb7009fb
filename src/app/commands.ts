// Commands that work on the rows of any view: search, edit, copy.
import { routineFile, routineName } from '../analysis/names/names.ts';
import { compileSearch, cutText, PatternError, type Search } from '../base/match.ts';
import { visible } from '../base/safe-text.ts';
import {
  type AppState,
  activeView,
  contextOf,
  cursorRoutine,
  openView,
  type Seeking,
  type Step,
  say,
  withView,
} from './state.ts';

/** Moves to the next matching row, wrapping around. A view that does not show all it has looks for the place itself. */
export function search(state: AppState, by: 1 | -1): AppState {
  return seek({ ...state, marking: false, seeking: { by, from: openView(state).cursor(contextOf(state)), seen: 0 } });
}

/** Goes on with a search, as long as a key may take. */
export function seek(state: AppState): AppState {
  const { seeking } = state;
  if (!seeking) return state;
  const stopped: AppState = { ...state, seeking: undefined };
  try {
    const wanted = compileSearch(state.search);
    const found = openView(state).find(state.search, wanted, seeking.by, contextOf(state), state.patienceMs);
    if (!found) return seekInRows(stopped, seeking, wanted);
    if (found.more) return say(state, STILL);
    const next = withView(stopped, found.view);
    return say({ ...next, marking: !found.wrong }, found.say ?? '', found.wrong ? 'error' : 'info');
  } catch (error) {
    if (error instanceof PatternError) return say(stopped, error.message, 'error');
    throw error;
  }
}

export const STILL = 'searching …, a key stops it';
/** Rows to look at between checks of the clock, and characters of their texts. */
const ROWS = 500;
const CHARACTERS = 50_000;

function seekInRows(state: AppState, { by, from, seen }: Seeking, wanted: Search): AppState {
  const view = openView(state);
  const context = contextOf(state);
  const rows = view.rows(context);
  const until = performance.now() + state.patienceMs;
  let left = CHARACTERS;
  for (let k = seen + 1; k <= rows; k++) {
    const row = (((from + by * k) % rows) + rows) % rows;
    const text = view.rowText(row, context);
    if (wanted.test(text)) {
      const wrapped = by > 0 ? row <= from : row >= from;
      const next = { ...withView(state, view.moveTo(row, context)), marking: true };
      return say(next, !wrapped ? '' : k === rows ? 'the only match' : 'search wrapped around');
    }
    left -= text.length + CHARACTERS / ROWS;
    if (left > 0) continue;
    if (performance.now() >= until) return say({ ...state, seeking: { by, from, seen: k } }, STILL);
    left = CHARACTERS;
  }
  return say(state, `No match for "${state.search}" in ${activeView(state).title}${cutText(wanted)}`, 'error');
}

export function goToNumber(state: AppState, number: number): AppState {
  const there = openView(state).goTo(number, contextOf(state));
  if (there) return withView(state, there);
  return say(state, `${activeView(state).title} has no row or line ${number}`, 'error');
}

export function edit(state: AppState): Step {
  const view = openView(state);
  const context = contextOf(state);
  let place = view.place(context);
  if (!place) {
    const routine = view.routineAt(context);
    const file = routine < 0 ? null : routineFile(state.analysis.profile, routine);
    if (file === null) return [say(state, 'the profile does not record a file for this'), []];
    const own = state.analysis.profile.routines.file[routine];
    const lines = state.analysis.costing.lines({ routine });
    const first = lines.line.findIndex((l, i) => l > 0 && lines.file[i] === own);
    place = { file, line: first >= 0 ? lines.line[first] : 1 };
  }
  return [state, [{ type: 'edit', file: place.file, line: Math.max(1, place.line) }]];
}

export function copy(state: AppState): Step {
  const routine = cursorRoutine(state);
  const text = routine >= 0 ? routineName(state.analysis.profile, routine) : openView(state).detail(contextOf(state));
  // Copied text will be pasted, perhaps into a shell.
  return text === '' ? [say(state, 'there is nothing to copy here'), []] : [state, [{ type: 'copy', text: visible(text) }]];
}
