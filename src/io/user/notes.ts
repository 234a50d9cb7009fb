// Notes and marks on a profile's routines, in FILE.notes.json beside the profile. Anyone may have written it: it is only text.
import { attempt } from '../../base/attempt.ts';
import { FormatError } from '../../base/problem.ts';
import { isObject, type JsonObject, listOf, objectOf, readJson, textOf } from '../../formats/shared/json.ts';
import { whileLocked } from '../disk/locked.ts';
import { readRegular, refusalText } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';

const MAX_NOTES_BYTES = 4 << 20;

/** A row of the notes file. `mark` is a letter or a digit. */
export interface NoteRow {
  readonly routine: string;
  readonly file: string | null;
  readonly object: string | null;
  readonly note: string;
  readonly mark?: string;
}

const NOTE_FIELDS = ['routine', 'file', 'object', 'note', 'mark'] as const satisfies (keyof NoteRow)[];

/** The path of a profile's notes file; undefined for input from a pipe. */
export function notesPath(paths: readonly string[]): string | undefined {
  const [first] = paths;
  return first === undefined || first === '-' ? undefined : `${first.replace(/\/+$/, '')}.notes.json`; // bounded: a path
}

/** Reads the file's JSON object; undefined if there is no file. Throws FormatError for a link or invalid notes. */
function readObject(path: string): JsonObject | undefined {
  let bytes: Uint8Array;
  try {
    ({ bytes } = readRegular(path, MAX_NOTES_BYTES, 'none'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw new FormatError({ path, expected: 'a file of notes', found: refusalText(error) });
  }
  const read = readJson(bytes);
  if (isObject(read.value) && Array.isArray(read.value['notes'])) return read.value;
  throw new FormatError({ path, line: 1, expected: 'an object with notes', found: read.wrong ?? 'another value' });
}

function parseNoteRow(row: unknown): NoteRow | undefined {
  const known = objectOf(row);
  const [routine, file = null, object = null, note = '', mark = ''] = NOTE_FIELDS.map((field) => textOf(known[field]));
  if (routine === undefined) return undefined;
  return { routine, file, object, note, ...(/^[a-z0-9]$/i.test(mark) ? { mark } : {}) };
}

/** The notes of a profile; empty if there is no file. Throws FormatError. */
export function readNotes(paths: readonly string[]): NoteRow[] {
  const path = notesPath(paths);
  return listOf(path === undefined ? undefined : readObject(path)?.['notes']).flatMap((row) => parseNoteRow(row) ?? []);
}

/** The notes of a profile; [] if they cannot be read. Then the profile still opens, and saving a note reports the error. */
export const readProfileNotes = (paths: readonly string[]): NoteRow[] => attempt(() => readNotes(paths), []);

const isSameRoutine = (a: NoteRow, b: NoteRow) => a.routine === b.routine && a.file === b.file && a.object === b.object;

/**
 * Changes rows in the notes file and keeps everything else in it, because others may have changed it. A row without note
 * and mark is removed. Throws FormatError for an unreadable file, which is not replaced; RefusedError; and system errors as
 * they are.
 */
export function changeNotes(paths: readonly string[], changes: readonly NoteRow[]): void {
  const path = notesPath(paths);
  if (path === undefined) throw new Error('a profile from a pipe has no file to keep notes next to');
  whileLocked(path, () => changeNotesFile(path, changes));
}

function changeNotesFile(path: string, changes: readonly NoteRow[]): void {
  const value = readObject(path) ?? {};
  const rows = [...listOf(value['notes'])];
  for (const { mark, ...change } of changes) {
    const at = rows.findIndex((row) => {
      const known = parseNoteRow(row);
      return known !== undefined && isSameRoutine(known, change);
    });
    const { mark: _, ...more } = objectOf(rows[at]);
    const next =
      change.note === '' && mark === undefined ? [] : [{ ...more, ...change, ...(mark === undefined ? {} : { mark }) }];
    rows.splice(at < 0 ? rows.length : at, 1, ...next);
  }
  replaceFile(path, `${JSON.stringify({ ...value, notes: rows }, null, 1)}\n`, 0o644);
}
