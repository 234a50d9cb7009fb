// Finds and reads source files. A profile names them as the compiler did, perhaps on another machine. A profile may come
// from anyone, so sources outside its own folders are shown only after the user's consent.

import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { memo } from '../../base/memo.ts';
import { isBelow } from '../../base/paths.ts';
import { isWithheld, type SourceText, type Withheld } from '../../base/source-text.ts';
import type { Profile } from '../../model/profile.ts';
import { stringAt } from '../../model/strings.ts';
import { homeFolder } from '../disk/private-folder.ts';
import { RefusedError, readRegular, refusalText } from '../disk/regular.ts';
import { isElfFile } from '../find.ts';
import { isFile, realPath, statOf } from '../stat.ts';
import { findObject, type SymbolPaths } from '../symbols/find-object.ts';

export interface SourcePaths {
  readonly dirs: readonly string[];
  /** `FROM=TO`: a path that begins with FROM is looked for at TO. */
  readonly maps: readonly (readonly [from: string, to: string])[];
  readonly profiles: readonly string[];
  /** The programs that the profile is of; sources beside them are shown. */
  readonly programs?: readonly string[];
}

export const LARGEST_SOURCE = 64 << 20;
/** Folders that compilers record and anyone can read. */
const SYSTEM = ['/usr/include', '/usr/local/include', '/usr/lib/gcc', '/usr/src'];

/** The source text, or the folder that needs consent, or the reason why there is none. `hint`: flags that locate it. */
export function readSource(
  file: string,
  paths: SourcePaths,
  hint = '--source-dir DIR or --path-map FROM=TO',
): SourceText | Withheld | string {
  return readFirstSource(file, existingSources(file, paths), hint, (path) => {
    const { bytes, stat } = readRegular(path, LARGEST_SOURCE);
    return { path, lines: textLines(bytes), newer: isNewerThanProfile(stat.mtimeMs, paths.profiles) };
  });
}

/** The first text that `read` makes of a source; else why it threw, or that a source lies elsewhere, or that there is none. */
export function readFirstSource(
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
      wrong ??= `${source} is not shown: ${refusalText(error)}`;
    }
  }
  return wrong ?? withheld ?? `no source here (${hint})`;
}

/** The existing paths of a file, most likely first. A path outside the allowed folders is not opened. */
export function* existingSources(file: string, paths: SourcePaths): Generator<string | Withheld> {
  const allowed = allowedFoldersOf(paths);
  for (const path of sourceCandidates(file, paths)) {
    if (!existsSync(path)) continue;
    if (allowed.has(path)) yield path;
    else if (isFile(path)) yield { path, folder: projectOfFile(path) };
  }
}

/** The paths where a deleted file may have been: their folders exist and are allowed. */
export function* deletedSources(file: string, paths: SourcePaths): Generator<string> {
  const allowed = allowedFoldersOf(paths);
  for (const path of sourceCandidates(file, paths)) if (!existsSync(path) && allowed.has(dirname(path))) yield path;
}

/** The lines of a text. Throws RefusedError if it is none. */
export function textLines(bytes: Buffer): string[] {
  if (bytes.subarray(0, 4096).includes(0)) throw new RefusedError('not text');
  const lines = bytes.toString('utf8').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A withheld source becomes a message that names the flag, for output without a prompt. */
export function sourceOrReason(text: SourceText | Withheld | string): SourceText | string {
  return isWithheld(text) ? `outside the profile's folders; --source-dir ${text.folder} shows it` : text;
}

const PROGRAMS = 8;
const MOST_OBJECTS = 1000;

/** The paths that may be of the profile's program: its command, an object of that name, and what --binary names. */
export function possiblePrograms(
  { command, objects, strings }: Pick<Profile, 'command' | 'objects' | 'strings'>,
  { binaries }: Pick<SymbolPaths, 'binaries'>,
): string[] {
  const program = command?.split(' ', 1)[0] ?? '';
  const same = (path: string) => program !== '' && basename(path) === basename(program);
  const main = Array.from(objects.name.subarray(0, MOST_OBJECTS), (name) => stringAt(strings, name)).filter(same);
  return [...(command === null ? [] : [command, program]), ...main.slice(0, PROGRAMS), ...binaries.map(([, path]) => path)];
}

/** The folders whose sources are shown. Includes the project of the current folder: builds often lie beside it. */
class AllowedFolders {
  private readonly roots: readonly string[];

  constructor({ dirs, maps, profiles, programs = [] }: SourcePaths) {
    this.roots = [
      ...dirs,
      ...maps.map(([, to]) => to),
      ...profiles.filter((p) => p !== '-').map((p) => dirname(resolve(p))),
      // A name in a profile counts only if a program exists there.
      ...programs.filter(isElfFile).map((p) => dirname(resolve(p))),
      ...currentFolder().flatMap((cwd) => [cwd, projectOfFolder(cwd)]),
      ...SYSTEM,
    ].flatMap((folder) => realPath(folder) ?? []);
  }

  has(path: string): boolean {
    const real = realPath(path);
    return real !== undefined && this.roots.some((root) => isBelow(root, real));
  }
}

/** Computed once per list of paths, because many files are looked up. */
const allowedFoldersOf = memo((places: SourcePaths) => new AllowedFolders(places));

/** Empty if the current folder was deleted. */
const currentFolder = (): string[] => attempt(() => [process.cwd()], []);

/** The folder that the user's consent to a file covers. */
const projectOfFile = (path: string): string => projectOfFolder(dirname(realPath(path) ?? path));

/** The nearest folder under version control, else the folder itself. A home folder under version control is no project. */
function projectOfFolder(folder: string): string {
  const home = homeFolder();
  for (let at = folder; at !== dirname(at) && at !== home; at = dirname(at))
    if (['.git', '.hg', '.svn'].some((name) => existsSync(join(at, name)))) return at;
  return folder;
}

/** Where an object file is now: searched for like symbols, then like sources; its recorded path if not found. */
export function findObjectFile(
  object: string,
  isMain: boolean,
  paths: SourcePaths,
  symbols: Omit<SymbolPaths, 'profiles'>,
): string {
  const found = findObject(object, isMain, { ...symbols, profiles: paths.profiles });
  return found ?? sourceCandidates(object, paths).find((path) => existsSync(path)) ?? object;
}

/** The possible paths of a file, most likely first: mapped, as recorded, or by ever shorter suffixes under each folder. */
export function sourceCandidates(file: string, paths: SourcePaths): string[] {
  const out: string[] = [];
  for (const [from, to] of paths.maps) {
    if (isBelow(from, file)) out.push(join(to, file.slice(from.length)));
  }
  if (isAbsolute(file)) out.push(normalize(file));
  const roots = [...paths.dirs, ...paths.profiles.map((p) => dirname(p)), ...currentFolder()];
  const parts = normalize(file)
    .split('/')
    .filter((p) => p !== '' && p !== '.' && p !== '..');
  for (const root of roots) {
    for (let k = 0; k < parts.length; k++) {
      // In folders the user did not name, a bare file name could match an unrelated util.c.
      if (k > 0 && k === parts.length - 1 && !paths.dirs.includes(root)) break;
      out.push(join(root, ...parts.slice(k)));
    }
  }
  return [...new Set(out)];
}

export function isNewerThanProfile(mtimeMs: number, profiles: readonly string[]): boolean {
  return profiles.some((profile) => mtimeMs > (statOf(profile)?.mtimeMs ?? Number.POSITIVE_INFINITY) + 1000);
}
