// Notes and marks of a profile's routines, in a file beside the profile: FILE.notes.json. Anybody may have written it: it is text, no more.
import { FormatError } from '../base/problem.ts';
import { isObject, listOf, readJson, textOf } from '../formats/shared/json.ts';
import { readRegular } from './disk/regular.ts';
import { replaceFile } from './disk/writing.ts';

const LARGEST = 4 << 20;

/** As they stand in the file; `mark` is a letter. */
export interface NoteRow {
  readonly routine: string;
  readonly file: string | null;
  readonly object: string | null;
  readonly note: string;
  readonly mark?: string;
}

/** Where the notes of a profile are; undefined for what is read from a pipe. */
export function notesPath(paths: readonly string[]): string | undefined {
  const [first] = paths;
  return first === undefined || first === '-' ? undefined : `${first.replace(/\/+$/, '')}.notes.json`; // bounded: a path
}

/** None if there is no such file. Throws RefusedError for a link, what the system throws, and FormatError for anything but notes. */
export function readNotes(paths: readonly string[]): NoteRow[] {
  const path = notesPath(paths);
  if (path === undefined) return [];
  let bytes: Uint8Array;
  try {
    ({ bytes } = readRegular(path, LARGEST, 'none'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  }
  const read = readJson(bytes);
  const list = read.wrong === undefined && isObject(read.value) ? read.value['notes'] : undefined;
  if (!Array.isArray(list))
    throw new FormatError({ path, line: 1, expected: 'an object with notes', found: read.wrong ?? 'another value' });
  return listOf(list).flatMap((row): NoteRow[] => {
    const routine = isObject(row) ? textOf(row['routine']) : undefined;
    if (!isObject(row) || routine === undefined) return [];
    const mark = textOf(row['mark']);
    return [
      {
        routine,
        file: textOf(row['file']) ?? null,
        object: textOf(row['object']) ?? null,
        note: textOf(row['note']) ?? '',
        ...(mark && /^[a-z]$/i.test(mark) ? { mark } : {}),
      },
    ];
  });
}

/** Replaces the file. Throws RefusedError, and what the system throws. */
export function writeNotes(paths: readonly string[], notes: readonly NoteRow[]): void {
  const path = notesPath(paths);
  if (path === undefined) throw new Error('a profile from a pipe has no file to keep notes next to');
  replaceFile(path, `${JSON.stringify({ notes }, null, 1)}\n`, 0o644);
}
