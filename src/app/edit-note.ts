// Notes on routines: written under the cursor, shown in the line above the footer, kept beside the profile.
import { namedRoutine, noteOf, withNote } from '../analysis/answers/notes.ts';
import { type AppState, cursorRoutine, type Step, say } from './state.ts';

/** Notes something of the routine under the cursor; `-` takes the note away. */
export function note(state: AppState, text: string): Step {
  const routine = cursorRoutine(state);
  if (routine < 0) return [say(state, 'the cursor is not on a routine', 'error'), []];
  const { profile } = state.analysis;
  const notes = withNote(state.notes, namedRoutine(profile, routine), { note: text === '-' ? '' : text });
  const said = text === '-' ? 'Note removed' : 'noted; :note - removes it';
  return keptNotes(state, say({ ...state, notes }, said));
}

/** The notes that have changed, to be kept; one that is gone says nothing any more. */
export function keptNotes(before: AppState, now: AppState): Step {
  const gone = [...before.notes].filter(([key]) => !now.notes.has(key)).map(([, { mark: _, ...of }]) => ({ ...of, note: '' }));
  const changed = [...now.notes].filter(([key, note]) => before.notes.get(key) !== note).map(([, note]) => note);
  return [now, gone.length + changed.length > 0 ? [{ type: 'keep-notes', changes: [...gone, ...changed] }] : []];
}

/** The note of the routine under the cursor, for the line above the footer; '' if there is none. */
export function noteText(state: AppState): string {
  return noteOf(state.notes, state.analysis.profile, cursorRoutine(state)) ?? '';
}
