// Notes that lie beside a profile, when it is opened.
import { type NoteRow, readNotes } from '../io/notes.ts';

/** None where they cannot be read: a profile opens all the same, and writing notes says why. */
export function notesBeside(paths: readonly string[]): NoteRow[] {
  try {
    return readNotes(paths);
  } catch {
    return [];
  }
}
