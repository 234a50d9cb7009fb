// Resolves paths to files: the profiles in a folder, and the other files of a run next to the one named.

import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FormatError } from '../base/problem.ts';
import { formatBytes } from '../base/units.ts';
import { loaders } from '../formats/index.ts';
import { type About, LAST_PART } from '../formats/loader.ts';
import { readStart } from './disk/regular.ts';
import { folderLoader } from './folder.ts';
import { isGzip } from './gzip.ts';
import { detectLoader, loaderNamed } from './load.ts';

export interface Found {
  readonly path: string;
  readonly format: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** What a kept build was; absent if the file does not say. */
  readonly about?: About;
}

/** The profiles in a folder, newest first: files with a usual name whose first bytes a loader recognizes. */
export function profilesIn(folder: string): Found[] {
  const out: Found[] = [];
  for (const name of readdirSync(folder)) {
    if (!loaders.some((l) => l.fileNames.test(name))) continue;
    const path = join(folder, name);
    try {
      const stat = statSync(path);
      if (!stat.isFile() || stat.size === 0) continue;
      const head = readHead(path);
      const loader = detectLoader(head, path);
      const about = loader?.about?.(head);
      if (loader)
        out.push({ path, format: loader.name, bytes: stat.size, modifiedMs: stat.mtimeMs, ...(about ? { about } : {}) });
    } catch {
      // A file that cannot be read or unpacked is not offered; opening it by name reports why.
    }
  }
  return out.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
}

/** The kept builds of a tree, newest first. */
function keptBuilds(folder: string): Found[] {
  return loaders.flatMap(({ name, keeps }) => {
    const at = keeps && join(folder, keeps);
    return at && isFolder(at) ? profilesIn(at).filter((f) => f.format === name) : [];
  });
}

function readHead(path: string): Uint8Array {
  const got = readStart(path, 16384);
  if (!isGzip(got)) return got.subarray(0, 4096);
  // The data may continue past what was read: finishFlush 2 (Z_SYNC_FLUSH) accepts a truncated stream.
  return gunzipSync(got, { finishFlush: 2, maxOutputLength: 1 << 20 }).subarray(0, 4096);
}

/** All files of the run that a file belongs to, itself included, by part and thread; only the file itself if it is alone. */
export function filesOfRun(path: string): string[] {
  if (path === '-') return [path];
  const name = basename(path);
  let names: string[];
  try {
    names = readdirSync(dirname(path));
  } catch {
    return [path];
  }
  const own = loaders.find((l) => l.run?.stem(name) !== undefined)?.run;
  // A plain name may be the stem of a run of any format, and a name with a number be of the run of a plain one.
  const namings = own ? [own] : loaders.flatMap((l) => l.run ?? []);
  for (const stem of own ? [own.stem(name) ?? name] : stemsOf(name, names)) {
    const rows = names.flatMap((n) => {
      if (!n.startsWith(stem)) return [];
      // The plain name is the last part, or the empty file that --separate-threads leaves.
      if (n === stem || n === `${stem}.gz`) return [{ n, part: n === stem ? LAST_PART : 0, thread: 0 }];
      const place = namings.map((run) => run.place(n.slice(stem.length))).find((p) => p !== undefined);
      return place ? [{ n, ...place }] : [];
    });
    const filled = rows.filter(({ n }) => n === name || hasContents(join(dirname(path), n)));
    if (filled.length < 2 || !filled.some((r) => r.n === name)) continue;
    filled.sort((a, b) => a.part - b.part || a.thread - b.thread || (a.n < b.n ? -1 : 1));
    return filled.map((r) => (r.n === name ? path : join(dirname(path), r.n)));
  }
  return [path];
}

/** What the names of a run may start with, if one of its files has this name. A part's number counts only beside the plain file. */
function stemsOf(name: string, beside: readonly string[]): string[] {
  const plain = name.replace(/\.gz$/, '');
  const whole = plain.replace(/-\d{2,}$/, ''); // bounded: a file name
  const part = whole.replace(/\.\d+$/, ''); // bounded: a file name
  return [plain, whole, ...(beside.includes(part) || beside.includes(`${part}.gz`) ? [part] : [])];
}

/** What the paths on the command line resolve to: files to open, or a folder's profiles to choose from. */
export type Resolved =
  | { readonly paths: string[] }
  | {
      readonly folder: string;
      readonly found: readonly Found[];
      /** Builds of one tree: without a screen to choose on, the newest one that built something is used. */
      readonly newest?: boolean;
    };

/**
 * The files named, or the profiles in the folder named (default: this folder), as a choice if there are several. An empty
 * file stands for the other files of its run. Throws FormatError if a folder has no profile.
 */
export function resolvePaths(named: readonly string[]): Resolved {
  const paths = named.length > 0 ? named : ['.'];
  if (paths.length > 1 || paths[0] === '-' || !isFolder(paths[0])) {
    if (paths.length === 1 && isEmptyFile(paths[0])) {
      const run = filesOfRun(paths[0]).filter((p) => !isEmptyFile(p));
      if (run.length > 0) return { paths: run };
    }
    return { paths: [...paths] };
  }
  const kept = keptBuilds(paths[0]);
  if (kept.length === 1) return { paths: [kept[0].path] };
  if (kept.length > 1) return { folder: paths[0], found: kept, newest: true };
  if (folderLoader(paths[0])) return { paths: [...paths] };
  const found = profilesIn(paths[0]);
  if (found.length === 0) {
    const how = loaders.map((l) => `  ${l.make}`).join('\n');
    throw new FormatError({
      path: paths[0],
      expected: 'a profile in this folder',
      found: 'none',
      hint: `make one with\n${how}`,
    });
  }
  const run = filesOfRun(found[0].path);
  if (loaderNamed(found[0].format)?.run?.together && found.every((f) => run.includes(f.path))) return { paths: run };
  return found.length === 1 ? { paths: [found[0].path] } : { folder: paths[0], found };
}

/** The newest file that is a build, not an install or a clean, if there is one, else the newest. Newest first in `found`. */
export function newestBuild(found: readonly Found[]): Found {
  return found.find((f) => (f.about?.what ?? 'build') === 'build') ?? found[0];
}

/** What a build was, by its first bytes. */
function aboutFile(path: string): About | undefined {
  try {
    const head = readHead(path);
    return detectLoader(head, path)?.about?.(head);
  } catch {
    // Loading it reports what is wrong with it.
    return undefined;
  }
}

/**
 * The files to compare with: a file, or of a folder the newest build that is comparable with what is opened: of the same
 * configuration, where that is known, and not the opened file itself. Throws FormatError if there is none.
 */
export function resolveBase(path: string, opened: readonly string[]): string[] {
  const resolved = resolvePaths([path]);
  const places = new Set(opened.map((p) => resolve(p)));
  const own = opened.length === 1 ? aboutFile(opened[0])?.configs : undefined;
  const comparable = ({ path: at, about }: Pick<Found, 'path' | 'about'>) =>
    !places.has(resolve(at)) &&
    (about?.what ?? 'build') === 'build' &&
    (!own?.length || !about?.configs?.length || own.some((config) => about.configs?.includes(config)));
  if ('paths' in resolved) {
    // One kept build, which may be the one that is open.
    if (resolved.paths.length !== 1 || resolved.paths[0] === path || !places.has(resolve(resolved.paths[0])))
      return resolved.paths;
  } else {
    const found = resolved.found.find(comparable);
    if (found && (resolved.newest || resolved.found.filter(comparable).length === 1)) return [found.path];
  }
  throw new FormatError({
    path,
    expected: 'another build to compare with',
    found: 'paths' in resolved ? 'only the one that is open' : `${resolved.found.length} files, none or several comparable`,
    hint: 'name the file to compare with',
  });
}

/** The same without a screen to choose on: the newest profile if no path was given, else an error that lists the choices. */
export function resolveWithoutScreen(named: readonly string[]): string[] {
  const resolved = resolvePaths(named);
  if ('paths' in resolved) return resolved.paths;
  const { folder, found } = resolved;
  if (named.length === 0 || resolved.newest) return [newestBuild(found).path];
  const list = found.slice(0, 20).map((f) => `  ${f.path}  ${f.format}, ${formatBytes(f.bytes)}`);
  throw new FormatError({
    path: folder,
    expected: 'one profile',
    found: `${found.length} in this folder`,
    hint: `name one of\n${list.join('\n')}`,
  });
}

/** Separates programs from profiles, as in `proftui ./app app.prof`, which is how pprof is called. */
export function splitPrograms(paths: readonly string[]): { programs: string[]; others: string[] } {
  const programs = paths.length < 2 ? [] : paths.filter((p) => p !== '-' && isElfFile(p));
  return { programs, others: paths.filter((p) => !programs.includes(p)) };
}

export function isElfFile(path: string): boolean {
  try {
    return Buffer.from(readHead(path).subarray(0, 4)).toString('latin1') === '\x7fELF';
  } catch {
    // Loading it will report what is wrong with the path.
    return false;
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A regular file that is not empty: others are not opened because of their names. */
function hasContents(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size > 0;
}

function isEmptyFile(path: string): boolean {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size === 0;
  } catch {
    return false;
  }
}
