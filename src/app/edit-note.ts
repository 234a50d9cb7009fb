// The user's notes on routines and their marks: edited at the cursor, saved next to the profile.
import { namedRoutine, withNote } from '../analysis/answers/notes.ts';
import { shortName } from '../analysis/names/short.ts';
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
function saveChangedNotes(before: AppState, now: AppState): UpdateResult {
  const removed = [...before.notes].filter(([key]) => !now.notes.has(key)).map(([, { mark: _, ...of }]) => ({ ...of, note: '' }));
  const changed = [...now.notes].filter(([key, note]) => before.notes.get(key) !== note).map(([, note]) => note);
  return [now, removed.length + changed.length > 0 ? [{ type: 'keep-notes', changes: [...removed, ...changed] }] : []];
}

/** Marks the routine under the cursor with a letter. */
export function markRoutine(state: AppState, letter: string): UpdateResult {
  const off: AppState = { ...state, waiting: undefined };
  const routine = cursorRoutine(state);
  if (routine < 0) return [withMessage(off, 'the cursor is not on a routine'), []];
  const name = shortName(state.analysis.profile, routine, Math.max(20, state.width - 32));
  const marks = new Map(state.marks).set(letter, routine);
  const notes = withNote(state.notes, namedRoutine(state.analysis.profile, routine), { mark: letter });
  return saveChangedNotes(state, withMessage({ ...off, marks, notes }, `${name} is marked ${letter}; ' ${letter} returns to it`));
}
