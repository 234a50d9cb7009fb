// Notes that lie beside a profile, when it is opened.
import { type NoteRow, readNotes } from '../io/notes.ts';

/** None where they cannot be read: a profile opens all the same. Then writing notes says why, and leaves the file as it is. */
export function notesBeside(paths: readonly string[]): NoteRow[] {
  try {
    return readNotes(paths);
  } catch {
    return [];
  }
}
