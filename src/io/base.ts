// The value of --base: runs to compare with, each of one file or several.
import { basename, dirname, join, resolve } from 'node:path';
import { isBelow } from '../base/paths.ts';
import { FormatError } from '../base/problem.ts';
import type { Head } from '../model/head.ts';
import { sharesConfig } from '../model/steps/history.ts';
import { kindOf } from './disk/regular.ts';
import { type Found, filesOfRun, hasContents, nameOne, profilesIn, resolvePaths, whatIs } from './find.ts';
import { isPattern, matchingPaths } from './sources/path-pattern.ts';
import { isFolder, realPath, statOf } from './stat.ts';

/**
 * The runs that the values of --base name, each with its files: what is loaded as one profile. A value is a file, a folder or a pattern.
 * The opened profile is its own base only where its file is named. Throws FormatError if a pattern matches nothing, or a folder does not
 * say which of its profiles is meant.
 */
export function resolveRuns(bases: readonly string[], opened: readonly string[]): string[][] {
  const open = openFiles(opened);
  const runs = byRun(bases.flatMap((base) => (isPattern(base) ? matched(base, open) : named(base, open))));
  if (runs.length > 1) for (const path of runs.flat()) checkLasting(path);
  return runs;
}

/** The representative of several runs is read again. Throws FormatError for what can be read only once. */
function checkLasting(path: string): void {
  const stat = path === '-' ? undefined : statOf(path);
  // Loading it says that there is none.
  if (path !== '-' && (!stat || stat.isFile() || stat.isDirectory())) return;
  throw new FormatError({
    path,
    expected: 'a file: one of several runs is read twice',
    found: stat ? kindOf(stat) : 'standard input',
  });
}

/** The values compared with the base. */
interface Open {
  readonly paths: readonly string[];
  readonly what: ReturnType<typeof whatIs>;
  has(path: string): boolean;
  /** Not open itself; of builds, one that built something and did not fail, of the same configuration where that is known. */
  comparable(found: Pick<Found, 'path' | 'about'>): boolean;
}

function openFiles(paths: readonly string[]): Open {
  const places = new Set(paths.map(placeOf));
  const what = paths.length > 0 ? whatIs(paths[0]) : undefined;
  const configs = paths.length === 1 ? (what?.about?.configs ?? []) : [];
  const has = (path: string) => places.has(placeOf(path));
  const comparable = ({ path, about }: Pick<Found, 'path' | 'about'>) =>
    !has(path) && (about?.what ?? 'build') === 'build' && about?.failed !== true && sharesConfig(configs, about?.configs);
  return { paths, what, has, comparable };
}

/** The same for all names of a file: by way of links, and compressed beside itself. */
function placeOf(path: string): string {
  // Standard input, a pipe, or nothing leads nowhere: loading it says so.
  return (realPath(path) ?? resolve(path)).replace(/\.gz$/, '');
}

function named(path: string, open: Open): string[] {
  if (!isFolder(path)) return filesAt(path);
  const files = inFolder(path, open);
  if (files.length > 0) return files;
  const inside = open.paths.some((p) => isBelow(resolve(path), resolve(p)));
  throw nothingElse(path, inside);
}

/** The kept builds that can be compared, as in a folder of them. */
function matched(pattern: string, open: Open): string[] {
  const paths = matchingPaths(pattern);
  const files = paths
    .filter((path) => !open.has(path))
    .flatMap((path) => (!isFolder(path) ? filesAt(path) : holdsProfile(path) ? inFolder(path, open) : []))
    .filter((path) => open.comparable({ path, ...whatIs(path) }));
  if (files.length > 0) return files;
  throw nothingElse(pattern, paths.some(open.has));
}

/** A pattern may match other folders, too. */
const holdsProfile = (folder: string): boolean => whatIs(folder) !== undefined || profilesIn(folder).length > 0;

function nothingElse(path: string, isOpen: boolean): FormatError {
  return new FormatError({
    path,
    expected: 'another profile to compare with',
    found: isOpen ? 'only the one that is open' : 'none that is comparable',
    hint: 'name the file to compare with',
  });
}

/** The file, or the others of its run if it is the empty one that stands for them. */
function filesAt(path: string): string[] {
  const resolved = resolvePaths([path]);
  return 'paths' in resolved ? resolved.paths : [];
}

/** The run of a folder that is meant; empty if there is none but what is open. Throws FormatError if several may be meant. */
function inFolder(folder: string, open: Open): string[] {
  const own = open.what?.loader.ownsFolder ? undefined : ofSameFormat(folder, open);
  if (own) return own;
  const resolved = resolvePaths([folder]);
  if ('paths' in resolved) return resolved.paths[0] !== folder && resolved.paths.some(open.has) ? [] : resolved.paths;
  const found = resolved.found.filter(open.comparable);
  return resolved.newest ? found.slice(0, 1).map((f) => f.path) : onlyRun(folder, found);
}

/** The files of the same names as those that are open, else the only run of their format; undefined if there is none. */
function ofSameFormat(folder: string, open: Open): string[] | undefined {
  const twins = open.paths.flatMap((path) => {
    const name = basename(path).replace(/\.gz$/, '');
    return [name, `${name}.gz`].map((n) => join(folder, n)).find((p) => hasContents(p) && !open.has(p)) ?? [];
  });
  if (twins.length > 0 && twins.length === open.paths.length) return twins;
  const found = profilesIn(folder).filter((f) => f.format === open.what?.loader.name && open.comparable(f));
  return found.length > 0 ? onlyRun(folder, found) : undefined;
}

function onlyRun(folder: string, found: readonly Found[]): string[] {
  const runs = byRun(found.map((f) => f.path));
  if (runs.length <= 1) return runs[0] ?? [];
  throw new FormatError({
    path: folder,
    expected: 'one profile to compare with',
    found: `${runs.length} in this folder`,
    hint: nameOne(found),
  });
}

/** Files of one run together, in its order: the names say so. The runs are in the order of their first files; no file stands twice. */
function byRun(paths: readonly string[]): string[][] {
  const wanted = new Map<string, string>();
  for (const path of paths) if (!wanted.has(placeOf(path))) wanted.set(placeOf(path), path);
  const runs: string[][] = [];
  for (const path of wanted.values()) {
    const run = filesOfRun(path).map(placeOf);
    const files = run.flatMap((p) => wanted.get(p) ?? []);
    for (const p of run) wanted.delete(p);
    runs.push([...new Set(files)]);
  }
  return runs;
}

const MOST_OFFERED = 100;

/** How many characters two names begin with alike, up to a number: `callgrind.out.12` and `callgrind.out.7` are the same. */
function alike(a: string, b: string): number {
  const stem = (name: string) => name.replace(/\d{1,20}/g, '#');
  const [x, y] = [stem(a), stem(b)];
  let k = 0;
  while (k < x.length && x[k] === y[k]) k++;
  return k === x.length && k === y.length ? Number.POSITIVE_INFINITY : k;
}

/**
 * Profiles of the same format in the folder of the opened one: those named like it but for numbers, then the others by how far their names
 * are alike, the newest first; a kept build's folder has the builds before it.
 */
export function basesBeside({ paths, format }: Pick<Head, 'paths' | 'format'>): Found[] {
  const [first] = paths;
  if (first === undefined || first === '-') return [];
  const opened = new Set(paths.map((path) => resolve(path)));
  return profilesIn(dirname(first))
    .filter((found) => found.format === format && !opened.has(resolve(found.path)))
    .map((found) => ({ found, like: alike(basename(found.path), basename(first)) }))
    .sort((a, b) => (a.like === b.like ? 0 : b.like - a.like))
    .map(({ found }) => found)
    .slice(0, MOST_OFFERED);
}
