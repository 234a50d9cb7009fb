// Commands that work on the rows of any view: search, edit, copy.
import { routineFile, routineName } from '../analysis/names.ts';
import { compileFilter, PatternError } from '../base/match.ts';
import { type AppState, activeView, contextOf, cursorRoutine, openView, type Step, say, withView } from './state.ts';

/** Moves to the next matching row, wrapping around. */
export function search(state: AppState, by: number): AppState {
  const view = openView(state);
  const context = contextOf(state);
  const rows = view.rows(context);
  let matches: (text: string) => boolean;
  try {
    const pattern = state.search;
    // A plain search is literal, and ignores case unless the pattern has capitals, like vim's smartcase.
    const plain =
      pattern === pattern.toLowerCase() ? (t: string) => t.toLowerCase().includes(pattern) : (t: string) => t.includes(pattern);
    matches = /^\/.+\//.test(pattern) ? compileFilter(pattern).test : plain;
  } catch (error) {
    if (error instanceof PatternError) return say(state, error.message, 'error');
    throw error;
  }
  const start = view.cursor();
  for (let k = 1; k <= rows; k++) {
    const row = (((start + by * k) % rows) + rows) % rows;
    if (!matches(view.rowText(row, context))) continue;
    const wrapped = by > 0 ? row <= start : row >= start;
    const next = withView(state, view.moveTo(row, context));
    return wrapped ? say(next, k === rows ? 'the only match' : 'search wrapped around') : next;
  }
  return say(state, `no row of ${activeView(state).title} matches ${state.search}`, 'error');
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
