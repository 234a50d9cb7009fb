// Finds and reads source files. A profile names them as the compiler saw them, perhaps on another machine or in another folder; and it
// may come from anybody, so what lies outside the folders that have to do with it is shown only after a yes of the user.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { memo } from '../../base/memo.ts';
import { isBelow } from '../../base/paths.ts';
import { isWithheld, type SourceText, type Withheld } from '../../base/source-text.ts';
import type { Profile } from '../../model/profile.ts';
import { stringAt } from '../../model/strings.ts';
import { RefusedError, readRegular, refusal } from '../disk/regular.ts';
import { isElfFile } from '../find.ts';
import { isFile, realPath, statOf } from '../stat.ts';
import { findObject, type SymbolPlaces } from '../symbols/find-object.ts';

export interface SourcePlaces {
  readonly dirs: readonly string[];
  /** `FROM=TO`: a path that begins with FROM is looked for at TO. */
  readonly maps: readonly (readonly [from: string, to: string])[];
  readonly profiles: readonly string[];
  /** The programs that the profile is of; sources beside them are shown. */
  readonly programs?: readonly string[];
}

export const LARGEST_SOURCE = 64 << 20;
/** Names that anyone can read, and that compilers write. */
const SYSTEM = ['/usr/include', '/usr/local/include', '/usr/lib/gcc', '/usr/src'];

/** The source text; or that it lies elsewhere; or why there is none. `hint`: how to say where it is. */
export function readSource(
  file: string,
  places: SourcePlaces,
  hint = '--source-dir DIR or --path-map FROM=TO',
): SourceText | Withheld | string {
  return firstSource(file, sourcesHere(file, places), hint, (path) => {
    const { bytes, stat } = readRegular(path, LARGEST_SOURCE);
    return { path, lines: linesOf(bytes), newer: isNewer(stat.mtimeMs, places.profiles) };
  });
}

/** The first text that `read` makes of a source; else why it threw, or that a source lies elsewhere, or that there is none. */
export function firstSource(
  file: string,
  sources: Iterable<string | Withheld>,
  hint: string,
  read: (path: string) => SourceText | undefined,
): SourceText | Withheld | string {
  if (/^(\?\?\?|UnknownFile\?\?\?|\(unknown\))?$/.test(file)) return 'the profile does not say which file';
  let wrong: string | undefined;
  let withheld: Withheld | undefined;
  for (const source of sources) {
    if (typeof source !== 'string') {
      withheld ??= source;
      continue;
    }
    try {
      const text = read(source);
      if (text) return text;
    } catch (error) {
      wrong ??= `${source} is not shown: ${refusal(error)}`;
    }
  }
  return wrong ?? withheld ?? `no source here (${hint})`;
}

/** The paths where the file is, most likely first; what may not be shown is only looked for. */
export function* sourcesHere(file: string, places: SourcePlaces): Generator<string | Withheld> {
  const shown = shownBy(places);
  for (const path of candidates(file, places)) {
    if (!existsSync(path)) continue;
    if (shown.has(path)) yield path;
    else if (isFile(path)) yield { path, folder: projectFolder(path) };
  }
}

/** The paths where the file may have been before it was deleted: its folder is there, and may be shown. */
export function* sourcesGone(file: string, places: SourcePlaces): Generator<string> {
  const shown = shownBy(places);
  for (const path of candidates(file, places)) if (!existsSync(path) && shown.has(dirname(path))) yield path;
}

/** The lines of a text. Throws RefusedError if it is none. */
export function linesOf(bytes: Buffer): string[] {
  if (bytes.subarray(0, 4096).includes(0)) throw new RefusedError('not text');
  const lines = bytes.toString('utf8').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The message about a source that exists but is not shown, where nobody can be asked. */
export function shownSource(text: SourceText | Withheld | string): SourceText | string {
  return isWithheld(text) ? `outside the profile's folders; --source-dir ${text.folder} shows it` : text;
}

const PROGRAMS = 8;
const MOST_OBJECTS = 1000;

/** The paths that may be of the profile's program: its command, an object of that name, and what --binary names. */
export function programsOf(
  { command, objects, strings }: Pick<Profile, 'command' | 'objects' | 'strings'>,
  { binaries }: Pick<SymbolPlaces, 'binaries'>,
): string[] {
  const program = command?.split(' ', 1)[0] ?? '';
  const same = (path: string) => program !== '' && basename(path) === basename(program);
  const main = Array.from(objects.name.subarray(0, MOST_OBJECTS), (name) => stringAt(strings, name)).filter(same);
  return [...(command === null ? [] : [command, program]), ...main.slice(0, PROGRAMS), ...binaries.map(([, path]) => path)];
}

/** The folders whose sources are shown; the project of the current one, too, since builds often lie beside the sources. Links count for where they lead. */
class Shown {
  private readonly roots: readonly string[];

  constructor({ dirs, maps, profiles, programs = [] }: SourcePlaces) {
    this.roots = [
      ...dirs,
      ...maps.map(([, to]) => to),
      ...profiles.filter((p) => p !== '-').map((p) => dirname(resolve(p))),
      // A name in a profile is no program: there must be one.
      ...programs.filter(isElfFile).map((p) => dirname(resolve(p))),
      ...currentFolder().flatMap((cwd) => [cwd, projectAbove(cwd)]),
      ...SYSTEM,
    ].flatMap((folder) => realPath(folder) ?? []);
  }

  has(path: string): boolean {
    const real = realPath(path);
    return real !== undefined && this.roots.some((root) => isBelow(root, real));
  }
}

/** A list of places, in which many files are looked for. */
const shownBy = memo((places: SourcePlaces) => new Shown(places));

/** None if it was deleted. */
const currentFolder = (): string[] => attempt(() => [process.cwd()], []);

/** The folder that a yes to a file is about. */
const projectFolder = (path: string): string => projectAbove(dirname(realPath(path) ?? path));

/** The project of a folder, where one can be told by its version control, else the folder. A home folder under it is no project. */
function projectAbove(folder: string): string {
  const home = homedir();
  for (let at = folder; at !== dirname(at) && at !== home; at = dirname(at))
    if (['.git', '.hg', '.svn'].some((name) => existsSync(join(at, name)))) return at;
  return folder;
}

/** Where an object file is now: searched for like symbols, then like sources; its recorded path if not found. */
export function objectFile(
  object: string,
  isMain: boolean,
  places: SourcePlaces,
  symbols: Omit<SymbolPlaces, 'profiles'>,
): string {
  const found = findObject(object, isMain, { ...symbols, profiles: places.profiles });
  return found ?? candidates(object, places).find((path) => existsSync(path)) ?? object;
}

/** Where the file may be, most likely first: mapped, as recorded, or under each folder by ever shorter suffixes of its path. */
export function candidates(file: string, places: SourcePlaces): string[] {
  const out: string[] = [];
  for (const [from, to] of places.maps) {
    if (isBelow(from, file)) out.push(join(to, file.slice(from.length)));
  }
  if (isAbsolute(file)) out.push(normalize(file));
  const roots = [...places.dirs, ...places.profiles.map((p) => dirname(p)), ...currentFolder()];
  const parts = normalize(file)
    .split('/')
    .filter((p) => p !== '' && p !== '.' && p !== '..');
  for (const root of roots) {
    for (let k = 0; k < parts.length; k++) {
      // In folders the user did not name, a bare file name could match an unrelated util.c.
      if (k > 0 && k === parts.length - 1 && !places.dirs.includes(root)) break;
      out.push(join(root, ...parts.slice(k)));
    }
  }
  return [...new Set(out)];
}

export function isNewer(mtimeMs: number, profiles: readonly string[]): boolean {
  return profiles.some((profile) => mtimeMs > (statOf(profile)?.mtimeMs ?? Number.POSITIVE_INFINITY) + 1000);
}
