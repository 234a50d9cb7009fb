// Keeps the builds that CMake records: a query file requests data, and its callback keeps each set before CMake deletes it.
import { closeSync, existsSync, fsyncSync, lstatSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { BuildSummary, seriesToJson } from '../../formats/cmake/about.ts';
import {
  BUILD_FILE,
  CACHE_FILE,
  COMPILES_FILE,
  COURSE_FILE,
  KEPT_FOLDER,
  keptHeadLine,
  keptTextLine,
  keptValueLine,
  MAKE_FILE,
  RULES_FILE,
} from '../../formats/cmake/kept.ts';
import { compilesToJson } from '../../formats/cmake/kept-compiles.ts';
import { poolLines } from '../../formats/cmake/ninja-file.ts';
import type { About } from '../../formats/loader.ts';
import { isObject, type JsonObject, listOf, parseJson, textOf } from '../../formats/shared/json.ts';
import { stringAt } from '../../model/strings.ts';
import { readInside, readRegular } from '../disk/regular.ts';
import {
  createFile,
  draftOf,
  isDraft,
  makeFoldersInside,
  randomName,
  removeQuietly,
  replaceFile,
  STALE_MS,
  writeAll,
} from '../disk/writing.ts';
import { openFolder } from '../folder.ts';
import { loadProfile } from '../load.ts';
import { readBuildOrigin } from './build-surroundings.ts';
import { readCacheHits } from './cache-logs.ts';

const KEPT = /^build-.*\.json\.gz$/;
const QUERY_FOLDER = '.cmake/instrumentation/v1/query';
const QUERY = 'proftui.json';
/** Beyond these limits the oldest builds are deleted, but never the one just kept. */
const MOST_BUILDS = 100;
const MOST_BYTES = 512 << 20;
/** The largest file of CMake or a compiler that is kept. */
const LARGEST = 64 << 20;

// `cmake --build` fires postCMakeBuild; ninja or make run directly fires postBuild. Data from a configure step is kept with the
// next build.
const HOOKS = ['postBuild', 'postCMakeBuild', 'postCMakeInstall', 'postCTest'];

/**
 * Asks CMake to record a build tree and to call `command` when there is data. The tree may not be there yet: CMake takes a folder
 * with a query in it. `copiesTraces`: also for the traces of compilers. Returns the path of the query file. Throws RefusedError where a link leads out of the tree.
 */
export function enableBuilds(build: string, command: readonly string[], copiesTraces = false): string {
  const query = {
    version: 1,
    callbacks: [
      command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, '\\$&')}"`)).join(' '),
    ],
    hooks: HOOKS,
    options: ['staticSystemInformation', 'dynamicSystemInformation', ...(copiesTraces ? ['compileTrace'] : [])],
  };
  const path = join(makeFoldersInside(build, QUERY_FOLDER), QUERY);
  // CMake may be reading the folder, so the file must appear at once. It is no secret: others may build the tree.
  replaceFile(path, JSON.stringify(query, null, 2) + '\n', 0o644);
  return path;
}

/** Removes the query; kept builds stay. False if there was no query. */
export function disableBuilds(build: string): boolean {
  const path = join(build, QUERY_FOLDER, QUERY);
  const was = existsSync(path);
  rmSync(path, { force: true });
  return was;
}

/** Reads a file of the instrumentation data, or of the build tree (`..`), without following links. Throws if there is none. */
function readBelow(data: string, name: string): Buffer {
  const tree = resolve(data, '../../../..');
  return readInside(tree, relative(tree, resolve(data, name)), LARGEST);
}

interface IndexFile {
  readonly text: string;
  readonly snippets: readonly unknown[];
  readonly hook: string;
}

/** Throws if the file is none of CMake's. */
function readIndex(path: string): IndexFile {
  const text = readRegular(path, LARGEST, 'none').bytes.toString('utf8');
  const value = parseJson(text);
  if (!isObject(value)) throw new Error(`${path} is no index of CMake`);
  return { text, snippets: listOf(value['snippets']), hook: textOf(value['hook']) ?? '' };
}

/** The names that an index lists; only those in the data folder itself. */
function namesIn(snippets: readonly unknown[]): Set<string> {
  const plain = snippets.map((given) => (typeof given === 'string' ? given.replace(/^(\.\/)+/, '') : ''));
  return new Set(plain.filter((name) => name !== '' && !/[/\\]/.test(name)));
}

const utf8 = new TextDecoder();

/** The lines of a kept build after its summary. Snippets are also added to the summary. */
async function* keptLines(index: string, { text, snippets }: IndexFile, summary: BuildSummary): AsyncGenerator<Uint8Array> {
  const data = dirname(dirname(index));
  yield Buffer.from(keptTextLine(`index/${basename(index)}`, text));
  const names = namesIn(snippets);
  const folder = openFolder(realpathSync(data));
  // Listed files that are missing, or outside this tree, are reported when the kept build is loaded.
  const entries = folder.list('').filter((e) => e.regular && names.has(e.name));
  const more = new Set<string>();
  let at = 0;
  for await (const files of folder.readAll?.('', entries) ?? []) {
    for (const bytes of files) {
      const { name } = entries[at++];
      if (!bytes || bytes.length > LARGEST) continue;
      const snippet = utf8.decode(bytes);
      const value = parseJson(snippet);
      summary.add(value);
      if (isObject(value)) for (const file of filesOf(value)) more.add(file);
      yield value === undefined ? Buffer.from(keptTextLine(name, snippet)) : keptValueLine(name, bytes);
    }
  }
  const compiles = summary.traced ? await compilesOf(index) : undefined;
  if (compiles) yield keptValueLine(COMPILES_FILE, compiles);
  for (const name of [...more, BUILD_FILE, MAKE_FILE]) {
    try {
      yield Buffer.from(keptTextLine(name, readBelow(data, name).toString('utf8')));
    } catch {
      // Missing if the build has no targets or has another generator.
    }
  }
  try {
    const pools = poolLines(readBelow(data, RULES_FILE));
    if (pools !== '') yield Buffer.from(keptTextLine(RULES_FILE, pools));
  } catch {
    // Missing if the build has another generator.
  }
}

/** The files with facts about targets that a snippet names. */
function filesOf(snippet: JsonObject): string[] {
  const content = textOf(snippet['cmakeContent']);
  return content !== undefined && /^content\/[^/\\]+\.json$/.test(content) ? [content] : [];
}

/** The compilers' work, if they left traces. Traces are too large to keep, and the next build overwrites them. */
async function compilesOf(index: string): Promise<Uint8Array | undefined> {
  const profile = await loadProfile([index]);
  if (profile.kind !== 'steps' || !profile.steps.compiles) return undefined;
  const { steps, strings } = profile;
  const outputOf = (step: number) => (step < 0 ? '' : stringAt(strings, steps.outputPath[steps.outputStart[step]] ?? -1));
  return Buffer.from(JSON.stringify(compilesToJson(profile.steps.compiles, (id) => stringAt(strings, id), outputOf)));
}

/** Joins lines into pieces large enough to be compressed on another thread. */
async function* joinLines(lines: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const line of lines) {
    held.push(line);
    bytes += line.length;
    if (bytes < PIECE) continue;
    yield Buffer.concat(held);
    [held, bytes] = [[], 0];
  }
  yield Buffer.concat(held);
}

const PIECE = 1 << 20;

const gzipLines = (lines: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Buffer> =>
  buffer(Readable.from(joinLines(lines), { highWaterMark: 2 }).pipe(createGzip({ level: LEVEL, chunkSize: PIECE })));

/** The fastest level: a third of the time of the default, for a quarter more bytes. */
const LEVEL = 1;

/** Keeps what an index file lists in one file of the build tree, atomically. Returns its path; undefined if nothing is listed. */
export async function collectBuild(indexFile: string): Promise<string | undefined> {
  const index = resolve(indexFile);
  const indexFileData = readIndex(index);
  if (indexFileData.snippets.length === 0) return undefined;
  const tree = resolve(dirname(index), '../../../../..');
  const folder = makeFoldersInside(tree, KEPT_FOLDER);
  const stamp = basename(index).replace(/^index-|\.json$/g, '');
  // Builds that end at the same moment must not share a name.
  const unique = `${stamp}-${process.pid}-${randomName()}`;
  const path = join(folder, `build-${unique}.json.gz`);
  const draft = draftOf(path);
  try {
    const summary = new BuildSummary();
    const body = await gzipLines(keptLines(index, indexFileData, summary));
    // The summary comes first, packed by itself, so that a list of builds need not unpack them.
    const cache = readCacheHits(tree, KEPT_FOLDER);
    const buildInfo: About = {
      ...summary.buildInfo(indexFileData.hook),
      ...readBuildOrigin(tree),
      ...(cache ? { cache: cache.use } : {}),
    };
    const head = await gzipLines([
      Buffer.from(keptHeadLine(buildInfo)),
      keptValueLine(COURSE_FILE, Buffer.from(JSON.stringify(seriesToJson(summary.durations)))),
    ]);
    const words = cache
      ? await gzipLines([keptValueLine(CACHE_FILE, Buffer.from(JSON.stringify([...cache.bySource])))])
      : Buffer.alloc(0);
    // Readable for others, like CMake's own files.
    const fd = createFile(draft, 0o644);
    try {
      writeAll(fd, head);
      writeAll(fd, words);
      writeAll(fd, body);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
  removeOldBuilds(folder, basename(path));
  return path;
}

function removeOldBuilds(folder: string, newest: string): void {
  const now = Date.now();
  const files = readdirSync(folder).flatMap((name) => {
    try {
      const stat = lstatSync(join(folder, name));
      if (isDraft(name)) {
        if (now - stat.mtimeMs > STALE_MS) rmSync(join(folder, name), { force: true });
        return [];
      }
      return KEPT.test(name) ? [{ name, bytes: stat.size, ms: stat.mtimeMs }] : [];
    } catch {
      // Another collect has already deleted it.
      return [];
    }
  });
  files.sort((a, b) => (a.name === newest ? -1 : b.name === newest ? 1 : b.ms - a.ms || (a.name < b.name ? 1 : -1)));
  let bytes = 0;
  files.forEach((f, k) => {
    bytes += f.bytes;
    if (k > 0 && (k >= MOST_BUILDS || bytes > MOST_BYTES)) rmSync(join(folder, f.name), { force: true });
  });
}
