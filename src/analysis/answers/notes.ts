// The user's notes on routines, and marks. Kept by name, file and object, so that it holds for the next run, too.
import type { Profile } from '../../model/profile.ts';
import { fileName, objectName, routineName } from '../names/names.ts';

/** A routine identified by name, independent of its number. */
export interface NamedRoutine {
  readonly routine: string;
  readonly file: string | null;
  readonly object: string | null;
}

export interface KeptNote extends NamedRoutine {
  /** '' for one that is only marked. */
  readonly note: string;
  readonly mark?: string;
}

export function namedRoutine(profile: Profile, r: number): NamedRoutine {
  const { file, object } = profile.routines;
  return { routine: routineName(profile, r), file: fileName(profile, file[r]), object: objectName(profile, object[r]) };
}

/** By a text that only this routine has. */
export const keyOfRoutine = ({ routine, file, object }: NamedRoutine): string => `${routine}\n${file ?? ''}\n${object ?? ''}`;

/** The note of a routine; undefined if there is none. */
export function noteOf(notes: ReadonlyMap<string, KeptNote>, profile: Profile, r: number): string | undefined {
  if (notes.size === 0 || r < 0) return undefined;
  return notes.get(keyOfRoutine(namedRoutine(profile, r)))?.note || undefined;
}

/** The routines of a profile that are marked, by their letters. */
export function marksIn(notes: ReadonlyMap<string, KeptNote>, profile: Profile): Map<string, number> {
  const out = new Map<string, number>();
  if (![...notes.values()].some((n) => n.mark)) return out;
  for (let r = 0; r < profile.routines.name.length; r++) {
    const mark = notes.get(keyOfRoutine(namedRoutine(profile, r)))?.mark;
    if (mark) out.set(mark, r);
  }
  return out;
}

/** The notes with one note or mark changed. Empty entries are removed. */
export function withNote(
  notes: ReadonlyMap<string, KeptNote>,
  of: NamedRoutine,
  change: { readonly note?: string; readonly mark?: string },
): Map<string, KeptNote> {
  const out = new Map(notes);
  if (change.mark !== undefined)
    for (const [key, { mark, ...rest }] of out) {
      if (mark !== change.mark) continue;
      if (rest.note === '') out.delete(key);
      else out.set(key, rest);
    }
  const key = keyOfRoutine(of);
  const next: KeptNote = { ...of, note: '', ...out.get(key), ...change };
  if (next.note === '' && !next.mark) out.delete(key);
  else out.set(key, next);
  return out;
}

/** Notes by keyOfRoutine(). */
export const notesOf = (list: readonly KeptNote[]): Map<string, KeptNote> => new Map(list.map((n) => [keyOfRoutine(n), n]));
