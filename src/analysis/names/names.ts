// The names of rows as text. Names that the file lacks are shown as `???`, as in Valgrind.
import { memo } from '../../base/lists.ts';
import { baseName, readablePath } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import { mayBeMangled } from '../../model/canonical-name.ts';
import type { Profile } from '../../model/profile.ts';
import { stringAt } from '../../model/strings.ts';

export const UNKNOWN_NAME = '???';

/** The displayed name, with the number of routines that differ in their recorded names only: `f#2`. */
export const routineName = (profile: Profile, routine: number): string =>
  nameWithoutNumber(profile, routine) + routineNumber(profile, routine);

export const nameWithoutNumber = ({ strings, routines }: Profile, routine: number): string =>
  stringAt(strings, routines.name[routine]) || UNKNOWN_NAME;

export function routineNumber({ routines }: Profile, routine: number): string {
  const number = routines.number?.[routine] ?? 0;
  return number > 0 ? `#${number}` : '';
}

/** The name in JSON, CSV and TSV: demangled, but with the suffixes, folders and lines that the screen leaves out. '' if the file has none. */
export function nameInData(profile: Profile, routine: number): string {
  const recorded = recordedNameOf(profile, routine);
  return recorded === undefined || mayBeMangled(recorded) ? stringAt(profile.strings, profile.routines.name[routine]) : recorded;
}

export const exportedName = (profile: Profile, routine: number): string =>
  recordedNameOf(profile, routine) ?? routineName(profile, routine);

/** The name that the file has; undefined if it is the one that is shown. */
export function recordedNameOf({ strings, routines }: Profile, routine: number): string | undefined {
  const name = routines.recorded?.[routine] ?? -1;
  return name < 0 ? undefined : stringAt(strings, name);
}

/** null if the profile does not record the file. */
export const fileName = (profile: Profile, file: number): string | null =>
  file < 0 ? null : stringAt(profile.strings, profile.files.name[file]);

/** The file as displayed; `???` if unknown. */
export const displayFile = (profile: Profile, file: number): string =>
  readablePath(fileName(profile, file) ?? '') || UNKNOWN_NAME;

export const objectName = (profile: Profile, object: number): string | null =>
  object < 0 ? null : stringAt(profile.strings, profile.objects.name[object]);

/** The string id of a file or object name; -1 if the profile does not record it. */
export const nameIdOf = (table: { readonly name: Uint32Array }, row: number): number => (row < 0 ? -1 : table.name[row]);

export const routineFile = (profile: Profile, routine: number): string | null =>
  fileName(profile, profile.routines.file[routine]);

export const routineObject = (profile: Profile, routine: number): string | null =>
  objectName(profile, profile.routines.object[routine]);

/** The first line of a routine that shares its name with others; undefined for routines with a unique name. */
export const routineLine = (profile: Profile, routine: number): number | undefined =>
  profile.routines.line?.[routine] || undefined;

/** The file as displayed, with the line for routines that share a name; `???` if unknown. */
export function routineLocation(profile: Profile, routine: number): string {
  const file = displayFile(profile, profile.routines.file[routine] ?? -1);
  const line = routineLine(profile, routine);
  return line === undefined || file === UNKNOWN_NAME ? file : `${file}:${line}`;
}

/** Code without a name, told by its object: `git+0x1f100`, since the first digits of an address are mostly 0. Undefined for other code. */
export function addressInObject(profile: Profile, routine: number): string | undefined {
  const [, digits] = /^0x0*([\da-f]{1,16})$/.exec(routineName(profile, routine)) ?? [];
  const object = digits === undefined ? '' : baseName(routineObject(profile, routine) ?? '');
  return object === '' ? undefined : `${visible(object)}+0x${digits}`;
}

/** Whether a name stands for all code of an object without names. */
const isOneForNameless = (name: string): boolean => name.startsWith('0x...');

/** By routine: 1 if it stands for all code of an object without names. Most names are told apart by two of their bytes. */
export const namelessRoutines = memo((profile: Profile): Uint8Array => {
  const { bytes, start } = profile.strings;
  const mayBe = (id: number) => bytes[start[id]] === ZERO && bytes[start[id] + 2] === DOT;
  return Uint8Array.from(profile.routines.name, (id, r) => +(mayBe(id) && isOneForNameless(routineName(profile, r))));
});
const [ZERO, DOT] = [48, 46];

/** The routine with file and object on one line. Parts that the profile records for no routine are left out. */
export function routineDetail(profile: Profile, routine: number): string {
  const address = addressInObject(profile, routine);
  const location = profile.files.name.length > 0 ? routineLocation(profile, routine) : '';
  const name = address ?? routineName(profile, routine);
  const isNameless = address !== undefined || isOneForNameless(name);
  const file = location === '' || (isNameless && location === UNKNOWN_NAME) ? '' : `  ${location}`;
  // A library of the system is known by its name.
  const path = routineObject(profile, routine) || UNKNOWN_NAME;
  const shown = /^(?:\/usr)?\/lib/.test(path) ? baseName(path) : path;
  const object = profile.objects.name.length > 0 && !isOneForNameless(name) ? `  [${shown}]` : '';
  const recorded = recordedNameOf(profile, routine);
  const isOfCompiler = profile.kind === 'steps' && profile.steps.compiles !== undefined && profile.granularity === undefined;
  const merged = isOneForNameless(name)
    ? ': all its code without names, as one routine'
    : isOfCompiler
      ? ': all of this name; u lists them by header, function or pass'
      : '';
  return `${name}${merged}${file}${object}${recorded === undefined ? '' : `  recorded as ${recorded}`}`;
}

/** The accepted routines that a user's name means: exact matches of the shown or the recorded name, else matches without arguments, else names that contain it. */
export function findRoutines(profile: Profile, wanted: string, accepts: (routine: number) => boolean = () => true): number[] {
  const exact: number[] = [];
  const bare: number[] = [];
  const holds: number[] = [];
  for (let r = 0; r < profile.routines.name.length; r++) {
    const name = routineName(profile, r);
    const isRecorded = recordedNameOf(profile, r) === wanted;
    if (!(isRecorded || name.includes(wanted)) || !accepts(r)) continue;
    if (isRecorded || name === wanted) exact.push(r);
    else if (name.startsWith(wanted) && /^[(<'@[#]/.test(name.slice(wanted.length))) bare.push(r);
    else holds.push(r);
  }
  return exact.length > 0 ? exact : bare.length > 0 ? bare : holds;
}
