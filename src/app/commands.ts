// Commands that work on the rows of any view: search, edit, copy.
import { routineFile, routineName } from '../analysis/names.ts';
import { compileSearch, PatternError } from '../base/match.ts';
import { type AppState, activeView, contextOf, cursorRoutine, openView, type Step, say, withView } from './state.ts';

/** Moves to the next matching row, wrapping around. A view that does not show all it has looks for the place itself. */
export function search(state: AppState, by: 1 | -1): AppState {
  try {
    const { test } = compileSearch(state.search);
    const view = openView(state);
    const context = contextOf(state);
    const found = view.find(state.search, test, by, context);
    if (found) {
      const next = withView(state, found.view);
      return say({ ...next, marking: !found.wrong }, found.say ?? '', found.wrong ? 'error' : 'info');
    }
    return searchRows(state, test, by);
  } catch (error) {
    if (error instanceof PatternError) return say(state, error.message, 'error');
    throw error;
  }
}

function searchRows(state: AppState, matches: (text: string) => boolean, by: number): AppState {
  const view = openView(state);
  const context = contextOf(state);
  const rows = view.rows(context);
  const start = view.cursor();
  for (let k = 1; k <= rows; k++) {
    const row = (((start + by * k) % rows) + rows) % rows;
    if (!matches(view.rowText(row, context))) continue;
    const wrapped = by > 0 ? row <= start : row >= start;
    const next = { ...withView(state, view.moveTo(row, context)), marking: true };
    return wrapped ? say(next, k === rows ? 'the only match' : 'search wrapped around') : next;
  }
  return say({ ...state, marking: false }, `no row of ${activeView(state).title} matches ${state.search}`, 'error');
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
  return text === '' ? [say(state, 'there is nothing to copy here'), []] : [state, [{ type: 'copy', text }]];
}
