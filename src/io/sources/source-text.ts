// Finds and reads source files. A profile names sources by the compiler's paths, perhaps those of another machine.
// A profile may come from anyone, so sources outside its own folders are shown only after the user's consent.
// Sources of the base of a comparison are the present files on disk, or old versions from git.

import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { memo } from '../../base/lists.ts';
import { isPathBelow, mappedPath, withSlashes } from '../../base/paths.ts';
import { type FoundSource, isWithheld, type SourceText, type WithheldSource } from '../../base/source-text.ts';
import type { Profile } from '../../model/profile.ts';
import { stringAt } from '../../model/strings.ts';
import { homeFolder } from '../disk/private-folder.ts';
import { RefusedError, readRegular, refusalText } from '../disk/regular.ts';
import { isElfFile } from '../find.ts';
import { isFile, realPath, statOf } from '../stat.ts';
import { findObject, type SymbolOptions, type SymbolPaths } from '../symbols/find-object.ts';
import { NotInRevisionError, readAtRevision } from './git.ts';

export interface SourcePaths extends Pick<SymbolPaths, 'dirs' | 'maps' | 'profiles'> {
  /** Programs that the profile was recorded from. Sources beside them are shown without consent. */
  readonly programs?: readonly string[];
}

const MAX_SOURCE_BYTES = 64 << 20;
/** System folders that compilers record and that anyone can read. */
const SYSTEM_FOLDERS = ['/usr/include', '/usr/local/include', '/usr/lib/gcc', '/usr/src'];

/** The source text, or the folder that needs consent, or the reason why there is no text. `hint`: flags that locate it. */
export function readSource(file: string, paths: SourcePaths, hint = '--source-dir DIR or --path-map FROM=TO'): FoundSource {
  return readFirstSource(file, existingSources(file, paths), hint, (path) => {
    const { bytes, stat } = readRegular(path, MAX_SOURCE_BYTES);
    return { path, lines: textLines(bytes), newer: isNewerThanProfile(stat.mtimeMs, paths.profiles) };
  });
}

/** The first text that `read` returns for a source, or else why it threw, needs consent or found no source. */
function readFirstSource(
  file: string,
  sources: Iterable<string | WithheldSource>,
  hint: string,
  read: (path: string) => SourceText | undefined,
): FoundSource {
  if (/^(\?\?\?|UnknownFile\?\?\?|\(unknown\))?$/.test(file)) return 'the profile does not say which file';
  let wrong: string | undefined;
  let withheld: WithheldSource | undefined;
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
function* existingSources(file: string, paths: SourcePaths): Generator<string | WithheldSource> {
  for (const path of sourceCandidates(file, paths)) {
    if (!existsSync(path)) continue;
    if (isAllowed(path, paths)) yield path;
    else if (isFile(path)) yield { folder: projectOfFolder(dirname(realPath(path) ?? path)) };
  }
}

/** The paths where a deleted file may have been: their folders exist and are allowed. */
function* deletedSources(file: string, paths: SourcePaths): Generator<string> {
  for (const path of sourceCandidates(file, paths)) if (!existsSync(path) && isAllowed(dirname(path), paths)) yield path;
}

/** The lines of a text file. Throws RefusedError if the bytes are not text. */
function textLines(bytes: Buffer): string[] {
  if (bytes.subarray(0, 4096).includes(0)) throw new RefusedError('not text');
  const lines = bytes.toString('utf8').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Converts a withheld source to a message that names the flag, for output without a prompt. */
export const sourceOrReason = (text: FoundSource): SourceText | string =>
  isWithheld(text) ? `outside the profile's folders; --source-dir ${text.folder} shows it` : text;

const MAX_PROGRAMS = 8;
const MAX_OBJECTS = 1000;

/** The folders and path mappings that lead to a profile's sources. */
export const sourcePathsOf = (
  flags: { readonly sourceDirs: readonly string[]; readonly pathMaps: SourcePaths['maps']; readonly symbols: SymbolOptions },
  profile: Profile,
): SourcePaths => ({
  ...{ dirs: flags.sourceDirs, maps: flags.pathMaps },
  ...{ profiles: profile.paths, programs: possiblePrograms(profile, flags.symbols) },
});

/** Paths that may be the profiled program: its recorded command, objects of that name, and the paths of --binary. */
function possiblePrograms(
  { command, objects, strings }: Pick<Profile, 'command' | 'objects' | 'strings'>,
  { binaries }: Pick<SymbolOptions, 'binaries'>,
): string[] {
  const program = command?.split(' ', 1)[0] ?? '';
  const same = (path: string) => program !== '' && basename(path) === basename(program);
  const main = Array.from(objects.name.subarray(0, MAX_OBJECTS), (name) => stringAt(strings, name)).filter(same);
  return [...(command === null ? [] : [command, program]), ...main.slice(0, MAX_PROGRAMS), ...binaries.map(([, path]) => path)];
}

/** Folders whose sources are shown, with the current folder's project: builds often lie beside it. Cached for many look-ups. */
const allowedFoldersOf = memo(({ dirs, maps, profiles, programs = [] }: SourcePaths): string[] =>
  [
    ...dirs,
    ...maps.map(([, to]) => to),
    ...profiles.filter((p) => p !== '-').map((p) => dirname(resolve(p))),
    // A program named in a profile counts only if an ELF file exists at that path.
    ...programs.filter(isElfFile).map((p) => dirname(resolve(p))),
    ...currentFolders().flatMap((cwd) => [cwd, projectOfFolder(cwd)]),
    ...SYSTEM_FOLDERS,
  ].flatMap((folder) => realPath(folder) ?? []),
);

function isAllowed(path: string, paths: SourcePaths): boolean {
  const real = realPath(path);
  return real !== undefined && allowedFoldersOf(paths).some((root) => isPathBelow(root, real));
}

/** The current folder as a list; empty if that folder was deleted. */
const currentFolders = (): string[] => attempt(() => [process.cwd()], []);

/** The nearest folder under version control, else the folder itself. A home folder under version control is no project. */
function projectOfFolder(folder: string): string {
  const home = homeFolder();
  for (let at = folder; at !== dirname(at) && at !== home; at = dirname(at))
    if (['.git', '.hg', '.svn'].some((name) => existsSync(join(at, name)))) return at;
  return folder;
}

/** The path of an object file on this machine, found like symbols, then like sources; its recorded path if not found. */
export function findObjectFile(object: string, isMain: boolean, paths: SourcePaths, symbols: SymbolOptions): string {
  const found = findObject(object, isMain, { ...symbols, profiles: paths.profiles });
  return found ?? sourceCandidates(object, paths).find((path) => existsSync(path)) ?? object;
}

/** Possible paths of a file, likeliest first: mapped, as recorded, or shorter and shorter suffixes in each folder. */
export function sourceCandidates(file: string, paths: SourcePaths): string[] {
  const out = paths.maps.flatMap((map) => mappedPath(file, map) ?? []).map((mapped) => normalize(mapped));
  if (isAbsolute(file)) out.push(normalize(file));
  const roots = [...paths.dirs, ...paths.profiles.map((p) => dirname(p)), ...currentFolders()];
  const parts = normalize(withSlashes(file))
    .split('/')
    .filter((p) => p !== '' && p !== '.' && p !== '..' && !/^[A-Z]:$/.test(p));
  for (const root of roots) {
    for (let k = 0; k < parts.length; k++) {
      // In folders the user did not name, a bare file name could match an unrelated util.c.
      if (k > 0 && k === parts.length - 1 && !paths.dirs.includes(root)) break;
      out.push(join(root, ...parts.slice(k)));
    }
  }
  return [...new Set(out)];
}

export const isNewerThanProfile = (mtimeMs: number, profiles: readonly string[]): boolean =>
  profiles.some((profile) => mtimeMs > (statOf(profile)?.mtimeMs ?? Number.POSITIVE_INFINITY) + 1000);

export interface BaseSourcePaths extends SourcePaths {
  /** The git revision of the base's sources. If set, other paths locate the present sources; else they locate the base's. */
  readonly rev?: string | undefined;
}

/**
 * The base's text of a file. With a revision, it comes from git: for a file that may be shown now, or one deleted from a
 * folder that may be shown. The path is then `REV:PATH`, and the text is never newer. A file renamed since is not found.
 */
export function readBaseSource(file: string, places: BaseSourcePaths): FoundSource {
  const { rev } = places;
  const hint = '--base-source-dir DIR or --path-map FROM=TO';
  if (rev === undefined) return readSource(file, places, hint);
  const read = (path: string): SourceText => {
    const { bytes, name } = readAtRevision(path, rev, MAX_SOURCE_BYTES);
    return { path: `${rev}:${name}`, lines: textLines(bytes), newer: false };
  };
  const existing = [...existingSources(file, places)];
  if (existing.length > 0) return readFirstSource(file, existing, hint, read);
  // A path that the revision lacks was only a candidate, so the next path is tried.
  const tryToRead = (path: string) => attempt<SourceText | undefined>(() => read(path), undefined, NotInRevisionError);
  return readFirstSource(file, deletedSources(file, places), hint, tryToRead);
}
