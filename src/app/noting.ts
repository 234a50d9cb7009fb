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

/** Notes to keep if they have changed. */
export function keptNotes(before: AppState, now: AppState): Step {
  return [now, now.notes === before.notes ? [] : [{ type: 'keep-notes', notes: [...now.notes.values()] }]];
}

/** The note of the routine under the cursor, for the line above the footer; '' if there is none. */
export function noteText(state: AppState): string {
  return noteOf(state.notes, state.analysis.profile, cursorRoutine(state)) ?? '';
}
