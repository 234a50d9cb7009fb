// Keeps the builds that CMake records: a query file requests data, and its callback keeps each set before CMake deletes it.
import { randomBytes } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { aboutSteps } from '../formats/cmake/about.ts';
import { BUILD_FILE, KEPT_FOLDER, keptHead, keptLine } from '../formats/cmake/kept.ts';

const KEPT = /^build-.*\.json\.gz$/;
const QUERY = '.cmake/instrumentation/v1/query/proftui.json';
/** Beyond these limits the oldest builds are deleted, but never the one just kept. */
const MOST_BUILDS = 100;
const MOST_BYTES = 512 << 20;
/** The age at which leftovers of a killed collect are deleted. */
const STALE_MS = 24 * 3600 * 1000;
const LARGEST_BUILD_FILE = 64 << 20;

// `cmake --build` fires postCMakeBuild; ninja or make run directly fires postBuild. Data from a configure step is kept with the
// next build.
const HOOKS = ['postBuild', 'postCMakeBuild', 'postCMakeInstall', 'postCTest'];

/**
 * Asks CMake to record a build tree and to call `command` when there is data. The tree may not be there yet: CMake takes a folder
 * with a query in it. Returns the path of the query file.
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
  const path = join(build, QUERY);
  mkdirSync(dirname(path), { recursive: true });
  // CMake may be reading the folder, so the file must appear atomically.
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(query, null, 2) + '\n');
  renameSync(temporary, path);
  return path;
}

/** Removes the query; kept builds stay. False if there was no query. */
export function disableBuilds(build: string): boolean {
  const path = join(build, QUERY);
  const was = existsSync(path);
  rmSync(path, { force: true });
  return was;
}

/** A snippet's cmakeContent, if it names a file in the content folder. */
function contentOf(text: string): string | undefined {
  return /"cmakeContent"\s*:\s*"(content\/[^/"\\]+\.json)"/.exec(text)?.[1];
}

/** The snippets that an index lists, by name; read again each time, since a build may have many. */
function* snippetsOf(data: string, snippets: readonly unknown[]): Generator<[name: string, text: string]> {
  for (const given of snippets) {
    const name = typeof given === 'string' ? given.replace(/^(\.\/)+/, '') : '';
    if (name === '' || /[/\\]/.test(name)) continue;
    try {
      yield [name, readFileSync(join(data, name), 'utf8')];
    } catch {
      // Listed in the index but missing: loading the kept build reports it.
    }
  }
}

function* textsOf(data: string, snippets: readonly unknown[]): Generator<string> {
  for (const [, text] of snippetsOf(data, snippets)) yield text;
}

function* linesOf(index: string): Generator<string> {
  const data = dirname(dirname(index));
  const text = readFileSync(index, 'utf8');
  const { snippets, hook } = JSON.parse(text) as { snippets: unknown[]; hook?: unknown };
  yield keptHead(aboutSteps(String(hook ?? ''), textsOf(data, snippets)));
  yield keptLine(`index/${basename(index)}`, text);
  const contents = new Set<string>();
  for (const [name, snippet] of snippetsOf(data, snippets)) {
    const trace = /"traceFile"\s*:\s*"([^"\\]+)"/.exec(snippet)?.[1];
    if (trace !== undefined && !trace.startsWith('/') && !trace.split('/').includes('..')) contents.add(trace);
    const content = contentOf(snippet);
    if (content !== undefined) contents.add(content);
    yield keptLine(name, snippet);
  }
  const build = join(data, BUILD_FILE);
  const more = [...[...contents].map((name) => [name, join(data, name)] as const), [BUILD_FILE, build] as const];
  for (const [name, path] of more) {
    try {
      if (statSync(path).size <= LARGEST_BUILD_FILE) yield keptLine(name, readFileSync(path, 'utf8'));
    } catch {
      // Missing if the build has no targets or was not run by ninja.
    }
  }
}

/** Keeps what an index file lists in one file of the build tree, atomically. Returns its path; undefined if nothing is listed. */
export async function collectBuild(indexFile: string): Promise<string | undefined> {
  const index = resolve(indexFile);
  const { snippets } = JSON.parse(readFileSync(index, 'utf8')) as { snippets?: unknown };
  if (!Array.isArray(snippets) || snippets.length === 0) return undefined;
  const folder = resolve(dirname(index), '../../../../..', KEPT_FOLDER);
  mkdirSync(folder, { recursive: true });
  const stamp = basename(index).replace(/^index-|\.json$/g, '');
  // Builds that end at the same moment must not share a name.
  const unique = `${stamp}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const temporary = join(folder, `.${unique}.tmp`);
  const path = join(folder, `build-${unique}.json.gz`);
  try {
    await pipeline(
      Readable.from(linesOf(index)),
      createGzip(),
      createWriteStream(temporary, { flags: 'wx', flush: true } as object),
    );
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  dropOld(folder, basename(path));
  return path;
}

function dropOld(folder: string, newest: string): void {
  const now = Date.now();
  const files = readdirSync(folder).flatMap((name) => {
    try {
      const stat = statSync(join(folder, name));
      if (name.endsWith('.tmp')) {
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
