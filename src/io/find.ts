// Resolves paths to files: the profiles in a folder, and the other files of a run.
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { attempt } from '../base/attempt.ts';
import { sortedByKey } from '../base/lists.ts';
import { FormatError } from '../base/problem.ts';
import { quoteWord } from '../base/safe-text.ts';
import { formatBytes } from '../base/units.ts';
import { loaders } from '../formats/index.ts';
import { type About, LAST_PART, type Loader, type RunFacts } from '../formats/loader.ts';
import { recognizeUnsupportedFolder } from '../formats/unsupported.ts';
import { readEnd, readStart } from './disk/regular.ts';
import { folderLoader, openFolder } from './folder.ts';
import { detectLoader, loaderNamed } from './load.ts';
import { isFolder, isGzip, namesIn, statOf } from './stat.ts';

export interface ProfileFile {
  readonly path: string;
  readonly format: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Facts about a kept build; absent for any other file. */
  readonly about?: About;
  /** Command and total of a run; absent if the format has none at the start and end of its files. */
  readonly run?: RunFacts;
}

/** Totals are in the last lines. */
const END_BYTES = 4096;
const NO_BYTES = new Uint8Array();

const MAX_UNUSUAL_NAMES = 200;

/** The profiles in a folder, newest first: files with a usual name whose first bytes a loader recognizes. Throws if it is unreadable. */
export function profilesIn(folder: string): ProfileFile[] {
  const names = readdirSync(folder).filter((name) => loaders.some((l) => l.fileNames.test(name)));
  return recognizeProfiles(folder, withoutTwins(names), detectLoader);
}

/** The profiles in a folder that a loader recognizes with certainty, whatever their names are. Throws if it is unreadable. */
const unusuallyNamedProfiles = (folder: string): ProfileFile[] =>
  recognizeProfiles(folder, readdirSync(folder).slice(0, MAX_UNUSUAL_NAMES), (head, path) =>
    loaders.find((loader) => loader.detect(head, path) === 'yes'),
  );

function recognizeProfiles(folder: string, names: readonly string[], loaderOf: typeof detectLoader): ProfileFile[] {
  const out: ProfileFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    try {
      const stat = statSync(path);
      if (!stat.isFile() || stat.size === 0) continue;
      const head = readHead(path);
      const loader = loaderOf(head, path);
      const about = loader?.readBuildInfo?.(head);
      const run = loader?.readRunFacts?.(head, isGzip(readStart(path, 2)) ? NO_BYTES : readEnd(path, END_BYTES));
      const facts = { ...(about ? { about } : {}), ...(run ? { run } : {}) };
      if (loader) out.push({ path, format: loader.name, bytes: stat.size, modifiedMs: stat.mtimeMs, ...facts });
    } catch {
      // A file that cannot be read or decompressed is not offered; opening it by name reports the reason.
    }
  }
  // A copy of a kept build is as old as its name says: build-2026-11-01T09-00-00-0000.json.gz.
  const startMs = ({ path, about, modifiedMs }: ProfileFile) => {
    const [, day, ...time] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)/.exec(about ? basename(path) : '') ?? [];
    return (day && Date.parse(`${day}T${time.join(':')}Z`)) || modifiedMs;
  };
  return out.sort((a, b) => startMs(b) - startMs(a) || b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
}

/** The kept builds of a tree, newest first. */
export function keptBuilds(folder: string): ProfileFile[] {
  return loaders.flatMap(({ name, keptBuildsFolder }) => {
    const at = keptBuildsFolder && join(folder, keptBuildsFolder);
    return at && isFolder(at) ? profilesIn(at).filter((f) => f.format === name) : [];
  });
}

/** Maximum number of subfolders that are examined, that a list has, and that a hint names. */
const [MOST_LOOKED, MOST_LISTED, MOST_NAMED] = [200, 100, 8];

/**
 * The nearest subfolders that contain a profile, `most` of them: a build folder is often some levels down. None of them is in another one.
 * `more`: whether not all folders were examined.
 */
function subfoldersWithProfiles(folder: string, most: number) {
  // An unreadable folder counts as empty.
  const hasProfile = (path: string) =>
    attempt(() => keptBuilds(path).length > 0 || folderLoader(path) !== undefined || profilesIn(path).length > 0, false);
  const found: string[] = [];
  const waiting = [folder];
  let looked = 0;
  for (const at of waiting) {
    const inside = attempt(() => readdirSync(at, { withFileTypes: true }), []);
    for (const { name } of inside.filter((e) => e.isDirectory() && !e.name.startsWith('.'))) {
      if (looked++ === MOST_LOOKED || found.length === most) return { found, more: true };
      (hasProfile(join(at, name)) ? found : waiting).push(join(at, name));
    }
  }
  return { found, more: false };
}

function readHead(path: string): Uint8Array {
  const got = readStart(path, 16384);
  if (!isGzip(got)) return got.subarray(0, 4096);
  // The data may continue beyond the bytes read: finishFlush 2 (Z_SYNC_FLUSH) accepts a truncated stream.
  return gunzipSync(got, { finishFlush: 2, maxOutputLength: 1 << 25 }).subarray(0, 4096);
}

/** All files of a file's run, including itself, sorted by part and thread. */
export function filesOfRun(path: string): string[] {
  if (path === '-') return [path];
  const name = basename(path);
  const names = namesIn(dirname(path));
  const own = loaders.find((l) => l.run?.stem(name) !== undefined)?.run;
  // A plain name may be the stem of a run of any format, and a numbered file may belong to the run of a plain name.
  const namings = own ? [own] : loaders.flatMap((l) => l.run ?? []);
  for (const stem of own ? [own.stem(name) ?? name] : possibleStems(path)) {
    const rows = names.flatMap((n) => {
      if (!n.startsWith(stem)) return [];
      // A file with the plain name is the last part, or the empty file that --separate-threads leaves.
      if (n === stem || n === `${stem}.gz`) return [{ n, part: n === stem ? LAST_PART : 0, thread: 0 }];
      const partAndThread = namings.map((run) => run.partAndThread(n.slice(stem.length))).find((p) => p !== undefined);
      return partAndThread ? [{ n, ...partAndThread }] : [];
    });
    const twin = compressedTwin(name);
    const kept = new Set(withoutTwins(rows.map(({ n }) => n).filter((n) => n !== twin)));
    const filled = rows.filter(({ n }) => n === name || (kept.has(n) && isNonEmptyFile(join(dirname(path), n))));
    if (filled.length < 2 || !filled.some((r) => r.n === name)) continue;
    filled.sort((a, b) => a.part - b.part || a.thread - b.thread || (a.n < b.n ? -1 : 1));
    return filled.map((r) => (r.n === name ? path : join(dirname(path), r.n)));
  }
  return [path];
}

/** The name of the same profile compressed, or unpacked if it is a compressed one. */
export const compressedTwin = (name: string): string => (name.endsWith('.gz') ? name.slice(0, -3) : `${name}.gz`);

/** The names without compressed copies of others. */
const withoutTwins = (names: readonly string[]): string[] => {
  const all = new Set(names);
  return names.filter((name) => !name.endsWith('.gz') || !all.has(compressedTwin(name)));
};

/** The possible stems of a run's file names. A part number counts only if the plain file exists. */
function possibleStems(path: string): string[] {
  const plain = basename(path).replace(/\.gz$/, '');
  const whole = plain.replace(/-\d{2,}$/, ''); // bounded: a file name
  const part = whole.replace(/\.\d+$/, ''); // bounded: a file name
  const isBeside = [part, `${part}.gz`].some((n) => statOf(join(dirname(path), n))?.isFile());
  return [plain, whole, ...(isBeside ? [part] : [])];
}

/** The result of resolving paths of the command line: files to open, or the profiles of a folder to choose from. */
export type ResolvedPaths = { readonly paths: string[] } | ProfileChoice;

export interface ProfileChoice {
  /** The folder of the profiles; undefined for recently opened files. */
  readonly folder: string | undefined;
  readonly found: readonly ProfileFile[];
  /** True for builds of one tree: without a screen, the newest build that built something is opened. */
  readonly newest?: boolean;
  /** True if these are folders, and there may be more. */
  readonly more?: boolean;
}

/** How to record a profile: one command per purpose. */
function recordingCommands(): string[] {
  const ways = loaders.flatMap(({ purpose, make }) => (purpose === undefined ? [] : [`  ${purpose}:`, `    ${make}`]));
  return ['make one with', ...ways, `  proftui --formats lists all ${loaders.length} formats`];
}

/**
 * The files named, or the profiles in the folder named (default: this folder) or in its only subfolder that has some, as a choice if
 * there are several. An empty file stands for the other files of its run. Throws FormatError if a folder has no profile.
 */
export function resolvePaths(named: readonly string[]): ResolvedPaths {
  const paths = named.length > 0 ? named : ['.'];
  if (paths.length > 1 || paths[0] === '-' || !isFolder(paths[0])) {
    if (paths.length === 1 && fileSize(paths[0]) === 0) {
      const run = filesOfRun(paths[0]).filter((p) => fileSize(p) !== 0);
      if (run.length > 0) return { paths: run };
    }
    return { paths: [...paths] };
  }
  const kept = keptBuilds(paths[0]);
  if (kept.length === 1) return { paths: [kept[0].path] };
  if (kept.length > 1) return { folder: paths[0], found: kept, newest: true };
  if (folderLoader(paths[0])) return { paths: [...paths] };
  const usual = profilesIn(paths[0]);
  const found = usual.length > 0 ? usual : unusuallyNamedProfiles(paths[0]);
  if (found.length === 0) {
    const unsupported = recognizeUnsupportedFolder(readdirSync(paths[0]));
    if (unsupported)
      throw new FormatError({ path: paths[0], expected: 'a profile', found: unsupported.what, hint: unsupported.hint });
    const { found: subfolders, more: perhaps } = subfoldersWithProfiles(paths[0], MOST_NAMED);
    if (subfolders.length === 1) return resolvePaths(subfolders);
    // A path that cannot be quoted for a shell is shown unquoted.
    const below = subfolders.map((path) => `  proftui ${quoteWord(path) ?? path}`);
    const more = perhaps ? ['  and perhaps more'] : [];
    const hint = below.length > 0 ? ['folders in it have profiles:', ...below, ...more] : recordingCommands();
    throw new FormatError({ path: paths[0], expected: 'a profile in this folder', found: 'none', hint: hint.join('\n') });
  }
  const run = filesOfRun(found[0].path);
  if (loaderNamed(found[0].format)?.run?.opensAsRun && found.every((f) => run.includes(f.path))) return { paths: run };
  return found.length === 1 ? { paths: [found[0].path] } : { folder: paths[0], found };
}

/** Like resolvePaths(). Offers the folders with profiles in a folder without some; if there are none and no path is named, recent files. */
export function resolvePathsOrRecent(named: readonly string[], recent: readonly ProfileFile[] = []): ResolvedPaths {
  try {
    return resolvePaths(named);
  } catch (error) {
    const folder = named[0] ?? '.';
    const { found, more } = subfoldersWithProfiles(folder, named.length > 1 ? 0 : MOST_LISTED);
    if (found.length > 0) return { folder, found: sortedByKey(found.map(folderAsProfile), (f) => f.modifiedMs, true), more };
    if (named.length > 0 || recent.length === 0) throw error;
    return { folder: undefined, found: recent };
  }
}

/** A listed path: a folder may have several profiles. */
export const resolveChosen = (path: string): ResolvedPaths => attempt(() => resolvePathsOrRecent([path]), { paths: [path] });

const folderAsProfile = (path: string): ProfileFile => ({
  ...{ path, format: folderLoader(path)?.name ?? (keptBuilds(path)[0] ?? profilesIn(path)[0]).format },
  ...{ bytes: 0, modifiedMs: statOf(path)?.mtimeMs ?? 0 },
});

/** A file as listed in the chooser; undefined if it is missing or not a profile. */
export function profileFileAt(path: string): ProfileFile | undefined {
  const [stat, loader] = [statOf(path), detectFormat(path)?.loader];
  return stat && loader && { path, format: loader.name, bytes: stat.isFile() ? stat.size : 0, modifiedMs: stat.mtimeMs };
}

/** The newest build (not an install or a clean), else the newest file. `found` is sorted newest first. */
export const newestBuild = (found: readonly ProfileFile[]): ProfileFile =>
  found.find((f) => (f.about?.what ?? 'build') === 'build') ?? found[0];

/** The format of a file or folder, by its first bytes or the names in it; undefined if unclear. */
export function detectFormat(path: string): { readonly loader: Loader; readonly about?: About } | undefined {
  // A problem is reported when the file is loaded.
  return attempt(() => {
    const folder = folderLoader(path);
    if (folder) return { loader: folder };
    const head = readHead(path);
    const loader = detectLoader(head, path);
    const about = loader?.readBuildInfo?.(head);
    return loader && { loader, ...(about ? { about } : {}) };
  });
}

/** Like resolvePaths(), without a chooser: opens the newest profile if no path was given, else reports the choices. */
export function resolveWithoutScreen(named: readonly string[]): string[] {
  const resolved = resolvePaths(named);
  if ('paths' in resolved) return resolved.paths;
  const { folder, found } = resolved;
  if (named.length === 0 || resolved.newest) return [newestBuild(found).path];
  throw severalProfilesError(folder ?? '.', 'one profile', found.length, found);
}

/** The error for a folder with several profiles, `count` after grouping by run. Its hint lists the files to choose from. */
export function severalProfilesError(path: string, expected: string, count: number, found: readonly ProfileFile[]): FormatError {
  const list = found.slice(0, 20).map(({ path: at, format, bytes, run }) => {
    const facts = [at, `${format}, ${formatBytes(bytes)}`, run?.total, run?.command];
    return `  ${facts.filter(Boolean).join('  ')}`;
  });
  return new FormatError({ path, expected, found: `${count} in this folder`, hint: `name one of\n${list.join('\n')}` });
}

/** Separates programs from profiles: pprof is called with both, as in `proftui ./app app.prof`. */
export function splitPrograms(paths: readonly string[]): { programs: string[]; others: string[] } {
  const programs = paths.length < 2 ? [] : paths.filter((p) => p !== '-' && isElfFile(p));
  return { programs, others: paths.filter((p) => !programs.includes(p)) };
}

// An unreadable path is not an ELF file; loading it reports the problem.
export const isElfFile = (path: string): boolean =>
  attempt(() => Buffer.from(readHead(path).subarray(0, 4)).toString('latin1') === '\x7fELF', false);

/** The size of a regular file; undefined for anything else. */
function fileSize(path: string): number | undefined {
  const stat = statOf(path);
  return stat?.isFile() ? stat.size : undefined;
}

export const isNonEmptyFile = (path: string): boolean => (fileSize(path) ?? 0) > 0;

/** The other files of the run, if only one path was given. */
export const otherFilesOfRun = (paths: readonly string[]): string[] =>
  paths.length === 1 ? filesOfRun(paths[0]).filter((p) => p !== paths[0]) : [];

/**
 * The folder or files to read now, while they are being written. For a build tree whose build has ended and was kept: that kept build. For a folder that
 * no loader reads as a whole: its newest profile. Throws FormatError if there is none.
 */
export function pathsToFollow(path: string): string[] {
  if (!isFolder(path)) return filesOfRun(path);
  const loader = folderLoader(path);
  if (!loader) {
    const resolved = resolvePaths([path]);
    return 'paths' in resolved ? resolved.paths : resolved.found.slice(0, 1).map((found) => found.path);
  }
  if (loader.isLive && !loader.isLive(openFolder(path))) {
    const [newest] = keptBuilds(path);
    if (newest) return [newest.path];
  }
  return [path];
}

/**
 * A text that changes when the input changes: sizes and times of the files, and of the folders that a loader watches.
 * `read`: the files read last, which may grow while their folder does not change.
 */
export function inputStamp(path: string, read: readonly string[] = []): string {
  const watched = isFolder(path)
    ? [...['', ...loaders.flatMap((l) => l.watchedFolders ?? [])].map((name) => join(path, name)), ...read]
    : filesOfRun(path);
  return watched
    .map((at) =>
      attempt(() => {
        const { size, mtimeMs, ino } = statSync(at);
        return `${at} ${ino} ${size} ${mtimeMs} ${isFolder(at) ? readdirSync(at).length : ''}`;
      }, at),
    )
    .join('\n');
}
