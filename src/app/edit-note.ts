// The user's notes on routines: edited at the cursor, saved next to the profile.
import { namedRoutine, withNote } from '../analysis/answers/notes.ts';
import { type AppState, cursorRoutine, type UpdateResult, withMessage } from './state.ts';

/** Sets the note of the routine under the cursor; `-` removes it. */
export function editNote(state: AppState, text: string): UpdateResult {
  const routine = cursorRoutine(state);
  if (routine < 0) return [withMessage(state, 'the cursor is not on a routine', 'error'), []];
  const notes = withNote(state.notes, namedRoutine(state.analysis.profile, routine), { note: text === '-' ? '' : text });
  const message = text === '-' ? 'Note removed' : 'noted; :note - removes it';
  return saveChangedNotes(state, withMessage({ ...state, notes }, message));
}

/** Requests to save changed notes; a removed note is saved as an empty text. */
export function saveChangedNotes(before: AppState, now: AppState): UpdateResult {
  const removed = [...before.notes].filter(([key]) => !now.notes.has(key)).map(([, { mark: _, ...of }]) => ({ ...of, note: '' }));
  const changed = [...now.notes].filter(([key, note]) => before.notes.get(key) !== note).map(([, note]) => note);
  return [now, removed.length + changed.length > 0 ? [{ type: 'keep-notes', changes: [...removed, ...changed] }] : []];
}
