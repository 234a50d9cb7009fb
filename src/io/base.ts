// Resolves the value of --base: the runs to compare with, each of which has one or more files.
// Patterns are expanded as by a shell (`*`, `?` and `[...]` in any part), since shells expand none in the values of options.

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { sortedByKey } from '../base/lists.ts';
import { isPathBelow } from '../base/paths.ts';
import { compilePattern } from '../base/pattern.ts';
import { FormatError } from '../base/problem.ts';
import { formatCount } from '../base/units.ts';
import type { Head } from '../model/head.ts';
import { sharesConfig } from '../model/steps/history.ts';
import { fileTypeOf } from './disk/regular.ts';
import {
  compressedTwin,
  detectFormat,
  filesOfRun,
  isNonEmptyFile,
  type ProfileFile,
  profileFileAt,
  profilesIn,
  resolvePaths,
  severalProfilesError,
} from './find.ts';
import { isFolder, namesIn, realPath, statOf } from './stat.ts';

/**
 * The runs that the values of --base name, as lists of files; each run is loaded as one profile. A value is a file, a
 * folder or a pattern. The opened profile is its own base only if its file is named. Throws FormatError if a pattern
 * matches nothing or a folder is ambiguous.
 */
export function resolveRuns(bases: readonly string[], opened: readonly string[]): string[][] {
  const open = describeOpenProfile(opened);
  const runs = groupByRun(bases.flatMap((base) => (isPattern(base) ? filesOfPattern(base, open) : filesOfPath(base, open))));
  if (runs.length > 1) for (const path of runs.flat()) checkReadableTwice(path);
  return runs;
}

/** Throws FormatError for an input that can be read only once, since the representative of several runs is read twice. */
function checkReadableTwice(path: string): void {
  const stat = path === '-' ? undefined : statOf(path);
  // A missing file passes this check; loading reports the error.
  if (path !== '-' && (!stat || stat.isFile() || stat.isDirectory())) return;
  const found = stat ? fileTypeOf(stat) : 'standard input';
  throw new FormatError({ path, expected: 'a file: one of several runs is read twice', found });
}

/** The opened profile, with which the base is compared. */
function describeOpenProfile(paths: readonly string[]) {
  const places = new Set(paths.map(canonicalPath));
  const detected = paths.length > 0 ? detectFormat(paths[0]) : undefined;
  const configs = paths.length === 1 ? (detected?.about?.configs ?? []) : [];
  const isOpen = (path: string) => places.has(canonicalPath(path));
  /** True if a profile may be a base: not open itself, and for a build, successful and with the same configuration (if known). */
  const isComparable = ({ path, about }: Pick<ProfileFile, 'path' | 'about'>) =>
    !isOpen(path) && (about?.what ?? 'build') === 'build' && about?.failed !== true && sharesConfig(configs, about?.configs);
  return { paths, detected, isOpen, isComparable };
}

type OpenProfile = ReturnType<typeof describeOpenProfile>;

/** One path for all names of a file: with links resolved and without .gz, since a compressed copy counts as the same file. */
function canonicalPath(path: string): string {
  // Standard input, pipes and missing files have no real path; loading reports the problem.
  return (realPath(path) ?? resolve(path)).replace(/\.gz$/, '');
}

function filesOfPath(path: string, open: OpenProfile): string[] {
  if (!isFolder(path)) return nonEmptyFilesAt(path);
  const files = runInFolder(path, open);
  if (files.length > 0) return files;
  const inside = open.paths.some((p) => isPathBelow(resolve(path), resolve(p)));
  throw nothingToCompareError(path, inside);
}

/** The files that a pattern matches, except open and incomparable ones. */
function filesOfPattern(pattern: string, open: OpenProfile): string[] {
  const paths = matchingPaths(pattern);
  const files = paths
    .filter((path) => !open.isOpen(path))
    .flatMap((path) => (!isFolder(path) ? nonEmptyFilesAt(path) : containsProfile(path) ? runInFolder(path, open) : []))
    .filter((path) => open.isComparable({ path, ...detectFormat(path) }));
  if (files.length > 0) return files;
  throw nothingToCompareError(pattern, paths.some(open.isOpen));
}

/** True if a folder is or contains a profile: a pattern may also match other folders. */
const containsProfile = (folder: string): boolean => detectFormat(folder) !== undefined || profilesIn(folder).length > 0;

function nothingToCompareError(path: string, isOpen: boolean): FormatError {
  const found = isOpen ? 'only the one that is open' : 'none that is comparable';
  return new FormatError({ path, expected: 'another profile to compare with', found, hint: 'name the file to compare with' });
}

/** The file itself; for an empty file of a run with several files, the other files of the run. */
function nonEmptyFilesAt(path: string): string[] {
  const resolved = resolvePaths([path]);
  return 'paths' in resolved ? resolved.paths : [];
}

/** The comparable run in a folder; empty if the folder has only the open run. Throws FormatError if there are several. */
function runInFolder(folder: string, open: OpenProfile): string[] {
  const own = open.detected?.loader.ownsFolder ? undefined : runOfSameFormat(folder, open);
  if (own) return own;
  const resolved = resolvePaths([folder]);
  if ('paths' in resolved) return resolved.paths[0] !== folder && resolved.paths.some(open.isOpen) ? [] : resolved.paths;
  const found = resolved.found.filter(open.isComparable);
  return resolved.newest ? found.slice(0, 1).map((f) => f.path) : requireOnlyRun(folder, found);
}

/** The files with the same names as the open files, else the only run of their format; undefined if there is none. */
function runOfSameFormat(folder: string, open: OpenProfile): string[] | undefined {
  const sameNamed = open.paths.flatMap((path) => {
    const name = basename(path).replace(/\.gz$/, '');
    return [name, `${name}.gz`].map((n) => join(folder, n)).find((p) => isNonEmptyFile(p) && !open.isOpen(p)) ?? [];
  });
  if (sameNamed.length > 0 && sameNamed.length === open.paths.length) return sameNamed;
  const found = profilesIn(folder).filter((f) => f.format === open.detected?.loader.name && open.isComparable(f));
  return found.length > 0 ? requireOnlyRun(folder, found) : undefined;
}

function requireOnlyRun(folder: string, found: readonly ProfileFile[]): string[] {
  const runs = groupByRun(found.map((f) => f.path));
  if (runs.length <= 1) return runs[0] ?? [];
  throw severalProfilesError(folder, 'one profile to compare with', runs.length, found);
}

/** Groups files by run, judged by their names. Runs are in the order of their first files; each file appears once. */
function groupByRun(paths: readonly string[]): string[][] {
  const wanted = new Map<string, string>();
  for (const path of paths) if (!wanted.has(canonicalPath(path))) wanted.set(canonicalPath(path), path);
  const runs: string[][] = [];
  for (const path of wanted.values()) {
    const run = filesOfRun(path).map(canonicalPath);
    const files = run.flatMap((p) => wanted.get(p) ?? []);
    for (const p of run) wanted.delete(p);
    runs.push([...new Set(files)]);
  }
  return runs;
}

const MAX_CANDIDATES = 100;

/** The length of the common prefix of two names, where all numbers count as equal: `out.12` and `out.7` match fully. */
function commonPrefixLength(a: string, b: string): number {
  const stem = (name: string) => name.replace(/\d{1,20}/g, '#');
  const [x, y] = [stem(a), stem(b)];
  let k = 0;
  while (k < x.length && x[k] === y[k]) k++;
  return k === x.length && k === y.length ? Number.POSITIVE_INFINITY : k;
}

/**
 * Profiles of the same format in the folder of the opened one. Names that differ only in numbers come first, then by common
 * prefix, each newest first. In a folder of kept builds, these are the earlier builds.
 */
export function findBaseCandidates({ paths, format }: Pick<Head, 'paths' | 'format'>): ProfileFile[] {
  const [first] = paths;
  if (first === undefined || first === '-') return [];
  const opened = new Set(paths.flatMap((path) => [resolve(path), resolve(compressedTwin(path))]));
  // Some tools rename the profile of the run before to `.old`.
  const older = profileFileAt(`${first}.old`);
  const found = [...(older ? [older] : []), ...profilesIn(dirname(first))].filter(
    (file) => file.format === format && !opened.has(resolve(file.path)),
  );
  return sortedByKey(found, ({ path }) => commonPrefixLength(basename(path), basename(first)), true).slice(0, MAX_CANDIDATES);
}

/** Maximum number of matches. More are probably a mistake, and loading them would take hours. */
const MAX_HITS = 1000;

/** True if a path is a pattern. A path that exists under exactly this name is not a pattern. */
export const isPattern = (path: string): boolean => /[*?[]/.test(path) && !existsSync(path);

/**
 * The files and folders that a pattern matches, sorted by folder and name. Names that begin with a dot must be asked for with one;
 * `\` makes the next character stand for itself; `**` is no more than `*`. Throws FormatError if nothing matches, or too much.
 */
export function matchingPaths(pattern: string): string[] {
  const parts = pattern.split('/').filter((part) => part !== '');
  let found = [pattern.startsWith('/') ? '/' : ''];
  parts.forEach((part, k) => {
    const folders = k < parts.length - 1 || pattern.endsWith('/');
    found = found
      .flatMap((folder) => matchingNamesIn(folder, part).map((name) => joinPath(folder, name)))
      .filter((path) => (folders ? isFolder(path) : existsSync(path)));
    if (found.length > MAX_HITS)
      throw new FormatError({ path: pattern, expected: `at most ${formatCount(MAX_HITS)} files that it matches`, found: 'more' });
  });
  if (found.length > 0) return found;
  throw new FormatError({ path: pattern, expected: 'a file or folder that this pattern matches', found: 'none' });
}

function matchingNamesIn(folder: string, part: string): string[] {
  // A part without wildcards is the name of one file.
  if (!/[*?[]/.test(part.replace(/\\./gs, ''))) return [part.replace(/\\(.)/gs, '$1')];
  // As in a shell, a folder that cannot be listed has no matches.
  const names = namesIn(folder || '.').filter((name) => !name.startsWith('.') || /^\\?\./.test(part));
  return names.filter(compilePattern(`^${expressionOf(part)}$`, 's').test).sort();
}

const joinPath = (folder: string, name: string) => (folder === '' || folder.endsWith('/') ? folder + name : `${folder}/${name}`);

/** The regular expression of a part of a pattern. A `]` in first position belongs to its set; a set that is not closed is text. */
function expressionOf(part: string): string {
  return part.replace(
    /\\(.)|\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]|\*+|./gsu, // bounded: a path
    (one, escaped?: string, not?: string, members?: string) => {
      if (members) return `[${not ? '^' : ''}${members.replace(/\\?(.)(?:-\\?(.))?/gsu, rangeOf)}]`;
      return escaped ? codePoint(escaped) : one.startsWith('*') ? '.*' : one === '?' ? '.' : codePoint(one);
    },
  );
}

/** A member of a set, or a range, which is empty if it ends before it begins. */
const rangeOf = (_: string, from: string, to: string = from): string =>
  (from.codePointAt(0) ?? 0) <= (to.codePointAt(0) ?? 0) ? `${codePoint(from)}-${codePoint(to)}` : '';

const codePoint = (c: string): string => (/\w/.test(c) ? c : `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
