// The user's notes and marks on routines. Routines are identified by name, file and object, so notes also apply to the next run.
import type { KeptNote, NamedRoutine, Profile } from '../../model/profile.ts';
import { fileName, nameInData, objectName } from '../names/names.ts';

export function namedRoutine(profile: Profile, r: number): NamedRoutine {
  const { file, object } = profile.routines;
  return { routine: nameInData(profile, r), file: fileName(profile, file[r]), object: objectName(profile, object[r]) };
}

export const keyOfRoutine = ({ routine, file, object }: NamedRoutine): string => `${routine}\n${file ?? ''}\n${object ?? ''}`;

/** The note of a routine; undefined if there is none. */
export function noteOf(notes: ReadonlyMap<string, KeptNote>, profile: Profile, r: number): string | undefined {
  if (notes.size === 0 || r < 0) return undefined;
  return notes.get(keyOfRoutine(namedRoutine(profile, r)))?.note || undefined;
}

/** The marked routines of a profile, by the letters of their marks. */
export function marksIn(notes: ReadonlyMap<string, KeptNote>, profile: Profile): Map<string, number> {
  const out = new Map<string, number>();
  if (![...notes.values()].some((n) => n.mark)) return out;
  for (let r = 0; r < profile.routines.name.length; r++) {
    const mark = notes.get(keyOfRoutine(namedRoutine(profile, r)))?.mark;
    if (mark) out.set(mark, r);
  }
  return out;
}

/** Changes one note or mark in the notes. Empty entries are removed. */
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

/** A map of notes by keyOfRoutine(). */
export const notesOf = (list: readonly KeptNote[]): Map<string, KeptNote> => new Map(list.map((n) => [keyOfRoutine(n), n]));
