// Notes that lie beside a profile, when it is opened.
import { attempt } from '../base/attempt.ts';
import { type NoteRow, readNotes } from '../io/user/notes.ts';

/** None where they cannot be read: a profile opens all the same. Then writing notes says why, and leaves the file as it is. */
export const notesBeside = (paths: readonly string[]): NoteRow[] => attempt(() => readNotes(paths), []);
