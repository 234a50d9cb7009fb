// The names of rows, as text. What the file leaves blank is shown as `???`, the way Valgrind writes "unknown".
import { isSystemFile, shownPath } from '../../base/paths.ts';
import type { Profile } from '../../model/profile.ts';
import { stringAt } from '../../model/strings.ts';

export const UNKNOWN = '???';

export function routineName(profile: Profile, routine: number): string {
  return stringAt(profile.strings, profile.routines.name[routine]) || UNKNOWN;
}

/** null where the profile does not say. */
export function fileName(profile: Profile, file: number): string | null {
  return file < 0 ? null : stringAt(profile.strings, profile.files.name[file]);
}

/** Whether a file is the user's by its path alone: known, and no header or source of a compiler or system. */
export function isOwnFile(profile: Profile, file: number): boolean {
  const name = fileName(profile, file) ?? '';
  return name !== '' && !name.startsWith('?') && !isSystemFile(name);
}

/** As people read it; what is unknown has a mark. */
export function shownFile(profile: Profile, file: number): string {
  return shownPath(fileName(profile, file) ?? '') || UNKNOWN;
}

export function objectName(profile: Profile, object: number): string | null {
  return object < 0 ? null : stringAt(profile.strings, profile.objects.name[object]);
}

/** The string of a file or object; -1 where the profile does not say. */
export function stringOf(table: { readonly name: Uint32Array }, row: number): number {
  return row < 0 ? -1 : table.name[row];
}

export function routineFile(profile: Profile, routine: number): string | null {
  return fileName(profile, profile.routines.file[routine]);
}

export function routineObject(profile: Profile, routine: number): string | null {
  return objectName(profile, profile.routines.object[routine]);
}

/** The line where a routine starts that has namesakes; undefined for the others, whose names suffice. */
export function routineLine(profile: Profile, routine: number): number | undefined {
  return profile.routines.line?.[routine] || undefined;
}

/** The file as people read it, and the line for a routine that has namesakes; what is unknown has a mark. */
export function routinePlace(profile: Profile, routine: number): string {
  const file = shownFile(profile, profile.routines.file[routine] ?? -1);
  const line = routineLine(profile, routine);
  return line === undefined || file === UNKNOWN ? file : `${file}:${line}`;
}

/** A routine with its place, on one line: what the profile has for no routine is missing for none. */
export function routineDetail(profile: Profile, routine: number): string {
  const file = profile.files.name.length > 0 ? `  ${routinePlace(profile, routine)}` : '';
  const object = profile.objects.name.length > 0 ? `  [${routineObject(profile, routine) || UNKNOWN}]` : '';
  return `${routineName(profile, routine)}${file}${object}`;
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * The routines that a user's name means: exact matches, else those equal without arguments, else those that contain it; among
 * those that `takes` takes.
 */
export function findRoutines(profile: Profile, wanted: string, takes: (routine: number) => boolean = () => true): number[] {
  const exact: number[] = [];
  const bare: number[] = [];
  const holds: number[] = [];
  for (let r = 0; r < profile.routines.name.length; r++) {
    const name = routineName(profile, r);
    if (!name.includes(wanted) || !takes(r)) continue;
    if (name === wanted) exact.push(r);
    else if (name.startsWith(wanted) && /^[(<'@[]/.test(name.slice(wanted.length))) bare.push(r);
    else holds.push(r);
  }
  return exact.length > 0 ? exact : bare.length > 0 ? bare : holds;
}
