// Keeps the builds that CMake records: a query file requests data, and its callback keeps each set before CMake deletes it.
import { createWriteStream, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { aboutSteps } from '../formats/cmake/about.ts';
import { BUILD_FILE, KEPT_FOLDER, keptHead, keptLine } from '../formats/cmake/kept.ts';
import { isObject, listOf, parseJson, textOf } from '../formats/shared/json.ts';
import { readInside, readRegular } from './disk/regular.ts';
import { discard, draftOf, foldersInside, isDraft, openNew, replaceFile, unguessed } from './disk/writing.ts';

const KEPT = /^build-.*\.json\.gz$/;
const QUERY_FOLDER = '.cmake/instrumentation/v1/query';
const QUERY = 'proftui.json';
/** Beyond these limits the oldest builds are deleted, but never the one just kept. */
const MOST_BUILDS = 100;
const MOST_BYTES = 512 << 20;
/** The age at which leftovers of a killed collect are deleted. */
const STALE_MS = 24 * 3600 * 1000;
/** No file of CMake or a compiler that is kept has more bytes. */
const LARGEST = 64 << 20;

// `cmake --build` fires postCMakeBuild; ninja or make run directly fires postBuild. Data from a configure step is kept with the
// next build.
const HOOKS = ['postBuild', 'postCMakeBuild', 'postCMakeInstall', 'postCTest'];

/**
 * Asks CMake to record a build tree and to call `command` when there is data. The tree may not be there yet: CMake takes a folder
 * with a query in it. Returns the path of the query file. Throws RefusedError where a link leads out of the tree.
 */
export function enableBuilds(build: string, command: readonly string[]): string {
  const query = {
    version: 1,
    callbacks: [
      command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, '\\$&')}"`)).join(' '),
    ],
    hooks: HOOKS,
    options: ['staticSystemInformation', 'dynamicSystemInformation'],
  };
  const path = join(foldersInside(build, QUERY_FOLDER), QUERY);
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

/** A snippet's cmakeContent, if it names a file in the content folder. */
function contentOf(text: string): string | undefined {
  return /"cmakeContent"\s*:\s*"(content\/[^/"\\]+\.json)"/.exec(text)?.[1]; // bounded: each run is looked at once
}

/** The snippets that an index lists, by name; read again each time, since a build may have many. */
function* snippetsOf(data: string, snippets: readonly unknown[]): Generator<[name: string, text: string]> {
  for (const given of snippets) {
    const name = typeof given === 'string' ? given.replace(/^(\.\/)+/, '') : '';
    if (name === '' || /[/\\]/.test(name)) continue;
    try {
      yield [name, readInside(data, name, LARGEST).toString('utf8')];
    } catch {
      // Listed in the index but missing, or no file of this tree: loading the kept build reports it.
    }
  }
}

function* textsOf(data: string, snippets: readonly unknown[]): Generator<string> {
  for (const [, text] of snippetsOf(data, snippets)) yield text;
}

/** A file of the instrumentation's data, or, by `..`, of the build tree, whichever link anybody put there. Throws where there is none. */
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

function* linesOf(index: string): Generator<string> {
  const data = dirname(dirname(index));
  const { text, snippets, hook } = readIndex(index);
  yield keptHead(aboutSteps(hook, textsOf(data, snippets)));
  yield keptLine(`index/${basename(index)}`, text);
  const contents = new Set<string>();
  for (const [name, snippet] of snippetsOf(data, snippets)) {
    const trace = /"traceFile"\s*:\s*"([^"\\]+)"/.exec(snippet)?.[1]; // bounded: each run is looked at once
    if (trace !== undefined && !trace.startsWith('/') && !trace.split('/').includes('..')) contents.add(trace);
    const content = contentOf(snippet);
    if (content !== undefined) contents.add(content);
    yield keptLine(name, snippet);
  }
  for (const name of [...contents, BUILD_FILE]) {
    try {
      yield keptLine(name, readBelow(data, name).toString('utf8'));
    } catch {
      // Missing if the build has no targets or was not run by ninja.
    }
  }
}

/** Keeps what an index file lists in one file of the build tree, atomically. Returns its path; undefined if nothing is listed. */
export async function collectBuild(indexFile: string): Promise<string | undefined> {
  const index = resolve(indexFile);
  if (readIndex(index).snippets.length === 0) return undefined;
  const folder = foldersInside(resolve(dirname(index), '../../../../..'), KEPT_FOLDER);
  const stamp = basename(index).replace(/^index-|\.json$/g, '');
  // Builds that end at the same moment must not share a name.
  const unique = `${stamp}-${process.pid}-${unguessed()}`;
  const path = join(folder, `build-${unique}.json.gz`);
  const draft = draftOf(path);
  try {
    // As CMake's own files are: others may look at the tree.
    const to = { fd: openNew(draft, 0o644), flush: true };
    await pipeline(Readable.from(linesOf(index)), createGzip(), createWriteStream('', to));
    renameSync(draft, path);
  } catch (error) {
    discard(draft);
    throw error;
  }
  dropOld(folder, basename(path));
  return path;
}

function dropOld(folder: string, newest: string): void {
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
