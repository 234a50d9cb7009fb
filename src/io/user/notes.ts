// Notes and marks on a profile's routines, in FILE.notes.json. Anyone may have written it: it is only text.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { FormatError } from '../../base/problem.ts';
import { isObject, type JsonObject, listOf, objectOf, readJson, textOf } from '../../formats/shared/json.ts';
import type { KeptNote } from '../../model/profile.ts';
import { whileLocked } from '../disk/locked.ts';
import { privateFolder } from '../disk/private-folder.ts';
import { readRegular, refusalText } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';

const MAX_NOTES_BYTES = 4 << 20;

/**
 * The path of a profile's notes file: beside the profile, or, in another user's folder without notes, in the user's state folder.
 * undefined for input from a pipe, or without such a folder.
 */
export function notesPath([first = '-']: readonly string[]): string | undefined {
  if (first === '-') return undefined;
  const beside = `${first.replace(/\/+$/, '')}.notes.json`; // bounded: a path
  const uid = process.getuid?.();
  if (uid === undefined || attempt(() => statSync(dirname(beside)).uid) === uid || existsSync(beside)) return beside;
  const folder = privateFolder('state', 'notes');
  return folder && join(folder, encodeURIComponent(resolve(beside)));
}

/** Reads the file's JSON object; undefined if there is no file. Throws FormatError for a link or invalid notes. */
function readObject(path: string | undefined): JsonObject | undefined {
  if (path === undefined) return undefined;
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

function parseNoteRow(row: unknown): KeptNote | undefined {
  const known = objectOf(row);
  const [routine, file = null, object = null, note = '', mark = ''] = ['routine', 'file', 'object', 'note', 'mark'].map((field) =>
    textOf(known[field]),
  );
  return routine === undefined ? routine : { routine, file, object, note, ...(/^[a-z0-9]$/i.test(mark) ? { mark } : {}) };
}

/** The notes of a profile; empty if there is no file. Throws FormatError. */
export const readNotes = (paths: readonly string[]): KeptNote[] =>
  listOf(readObject(notesPath(paths))?.['notes']).flatMap((row) => parseNoteRow(row) ?? []);

/** The notes of a profile; [] if they cannot be read. Then the profile still opens, and saving a note reports the error. */
export const readProfileNotes = (paths: readonly string[]): KeptNote[] => attempt(() => readNotes(paths), []);

const isSameRow = (a: KeptNote | undefined, b: KeptNote) =>
  a?.routine === b.routine && a.file === b.file && a.object === b.object;

/**
 * Changes rows in the notes file and keeps everything else in it: others may have changed it. Removes a row without note and mark.
 * Throws FormatError for an unreadable file, which is not replaced; RefusedError; and system errors as they are.
 */
export function changeNotes(paths: readonly string[], changes: readonly KeptNote[]): void {
  const path = notesPath(paths);
  if (path === undefined) throw new Error('there is no folder to keep notes in');
  whileLocked(path, () => {
    const value = readObject(path) ?? {};
    const rows = [...listOf(value['notes'])];
    for (const change of changes) {
      const at = rows.findIndex((row) => isSameRow(parseNoteRow(row), change));
      // JSON leaves out a mark that is undefined.
      const row = { ...objectOf(rows[at]), ...change, mark: change.mark };
      rows.splice(at < 0 ? rows.length : at, 1, ...(row.note === '' && row.mark === undefined ? [] : [row]));
    }
    replaceFile(path, `${JSON.stringify({ ...value, notes: rows }, null, 1)}\n`, 0o644);
  });
}
