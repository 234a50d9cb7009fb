// Builds that CMake records, kept: a query file asks CMake for data, and its callback keeps each set before CMake deletes it.
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
import { FormatError } from '../base/problem.ts';
import { BUILD_FILE, KEPT_FOLDER, KEPT_HEAD, keptLine } from '../formats/cmake/kept.ts';

const KEPT = /^build-.*\.json\.gz$/;
const QUERY = '.cmake/instrumentation/v1/query/proftui.json';
/** Older builds go first; the one that was just kept never. */
const MOST_BUILDS = 100;
const MOST_BYTES = 512 << 20;
/** What a collect that was killed left behind. */
const STALE_MS = 24 * 3600 * 1000;
const LARGEST_BUILD_FILE = 64 << 20;

// A build with `cmake --build` fires postCMakeBuild, one with ninja or make postBuild. What is configured before goes with the build
// after it.
const HOOKS = ['postBuild', 'postCMakeBuild', 'postCMakeInstall', 'postCTest'];

/** Asks CMake for data of a build tree; `command` is called when there is some. Returns the file written. */
export function enableBuilds(build: string, command: readonly string[]): string {
  if (!existsSync(build) || !statSync(build).isDirectory())
    throw new FormatError({
      path: build,
      expected: 'the folder that CMake builds in',
      found: existsSync(build) ? 'a file' : 'nothing',
      hint: 'cmake -B BUILD makes one',
    });
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
  // CMake may be reading the folder: the file is there whole or not at all.
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(query, null, 2) + '\n');
  renameSync(temporary, path);
  return path;
}

/** Takes the query back; builds that were kept stay. False where there was none. */
export function disableBuilds(build: string): boolean {
  const path = join(build, QUERY);
  const was = existsSync(path);
  rmSync(path, { force: true });
  return was;
}

/** The text of a snippet's cmakeContent, where it names a file of the content folder. */
function contentOf(text: string): string | undefined {
  return /"cmakeContent"\s*:\s*"(content\/[^/"\\]+\.json)"/.exec(text)?.[1];
}

function* linesOf(index: string): Generator<string> {
  const data = dirname(dirname(index));
  const text = readFileSync(index, 'utf8');
  const { snippets } = JSON.parse(text) as { snippets: unknown[] };
  yield KEPT_HEAD + '\n' + keptLine(`index/${basename(index)}`, text);
  const contents = new Set<string>();
  for (const given of snippets) {
    const name = typeof given === 'string' ? given.replace(/^(\.\/)+/, '') : '';
    if (name === '' || /[/\\]/.test(name)) continue;
    let snippet: string;
    try {
      snippet = readFileSync(join(data, name), 'utf8');
    } catch {
      // The index lists it, it is not there: reading the kept build says so.
      continue;
    }
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
      // A build without targets, or one that ninja did not run.
    }
  }
}

/** Keeps what an index file lists in one file of the build tree: whole, or not at all. Returns its path; undefined where it lists nothing. */
export async function collectBuild(indexFile: string): Promise<string | undefined> {
  const index = resolve(indexFile);
  const { snippets } = JSON.parse(readFileSync(index, 'utf8')) as { snippets?: unknown };
  if (!Array.isArray(snippets) || snippets.length === 0) return undefined;
  const folder = resolve(dirname(index), '../../../../..', KEPT_FOLDER);
  mkdirSync(folder, { recursive: true });
  const stamp = basename(index).replace(/^index-|\.json$/g, '');
  // Two builds that end in one moment have two names.
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
      // Another collect has dropped it.
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
