// Keeps builds recorded by CMake: a query file requests data, and a callback saves each set before CMake deletes it.
import { existsSync, lstatSync, realpathSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { attempt } from '../../base/attempt.ts';
import { BuildSummary, durationsToJson } from '../../formats/cmake/about.ts';
import {
  BUILD_FILE,
  CACHE_FILE,
  COMPILES_FILE,
  DURATIONS_FILE,
  KEPT_BUILD_NAME,
  KEPT_BUILDS_FOLDER,
  keptHeadLine,
  keptTextLine,
  keptValueLine,
  MAKE_FILE,
  RULES_FILE,
} from '../../formats/cmake/kept.ts';
import { compilesToJson } from '../../formats/cmake/kept-compiles.ts';
import { buildMakeFilesIn, ruleLinesIn } from '../../formats/cmake/makefile2.ts';
import { filesToKeep, poolLinesIn } from '../../formats/cmake/ninja-file.ts';
import type { About } from '../../formats/loader.ts';
import { isObject, listOf, numberOf, objectOf, parseJson, textOf } from '../../formats/shared/json.ts';
import type { CacheUse } from '../../model/steps/history.ts';
import { stringAt } from '../../model/strings.ts';
import { readInside, readRegular } from '../disk/regular.ts';
import { isStaleDraft, makeFoldersInside, randomName, removeQuietly, replaceFile, writeDraftAndRename } from '../disk/writing.ts';
import { openFolder } from '../folder.ts';
import { loadProfile } from '../load.ts';
import { namesIn, statOf } from '../stat.ts';

const QUERY_FOLDER = '.cmake/instrumentation/v1/query';
const QUERY_FILE = 'proftui.json';
/** Limits of the kept builds. Beyond them, the oldest builds are deleted, but never the newest one. */
const MAX_BUILDS = 100;
const MAX_TOTAL_BYTES = 512 << 20;
const MAX_FILE_BYTES = 64 << 20;

// `cmake --build` calls postCMakeBuild; ninja and make call postBuild if they are run directly.
// Data of a configure step is kept together with the next build.
const QUERY_HOOKS = ['postBuild', 'postCMakeBuild', 'postCMakeInstall', 'postCTest'];

/** Makes CMake record a build tree and call `command`; the tree need not exist. Returns the query's path. */
export function enableRecording(build: string, command: readonly string[], copiesTraces = false): string {
  const query = {
    version: 1,
    callbacks: [
      command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, '\\$&')}"`)).join(' '),
    ],
    hooks: QUERY_HOOKS,
    options: ['staticSystemInformation', 'dynamicSystemInformation', ...(copiesTraces ? ['compileTrace'] : [])],
  };
  const path = join(makeFoldersInside(build, QUERY_FOLDER), QUERY_FILE);
  // CMake may be reading the folder, so the file must appear complete. It is readable for others, who may build the tree.
  replaceFile(path, JSON.stringify(query, null, 2) + '\n', 0o644);
  return path;
}

/** Removes the query file, but no kept builds. Returns false if there was no query file. Throws system errors unchanged. */
export function disableRecording(build: string): boolean {
  const path = join(build, QUERY_FOLDER, QUERY_FILE);
  const was = existsSync(path);
  rmSync(path, { force: true });
  return was;
}

/** A file of the instrumentation data or of the build tree, read without following links; undefined if this generator writes none. */
function readTreeFile(data: string, name: string): Buffer | undefined {
  const tree = resolve(data, '../../../..');
  return attempt(() => readInside(tree, relative(tree, resolve(data, name)), MAX_FILE_BYTES));
}

/** Reads an index file. Throws if it is not one of CMake's. */
function readIndex(path: string) {
  const text = readRegular(path, MAX_FILE_BYTES, 'none').bytes.toString('utf8');
  const value = parseJson(text);
  if (!isObject(value)) throw new Error(`${path} is no index of CMake`);
  return { text, snippets: listOf(value['snippets']), hook: textOf(value['hook']) ?? '' };
}

type IndexFile = ReturnType<typeof readIndex>;

const utf8Decoder = new TextDecoder();

/** The lines of a kept build below its summary. Snippets are also added to the summary. Throws if the folder is gone. */
async function* keptLines(index: string, { text, snippets }: IndexFile, summary: BuildSummary): AsyncGenerator<Uint8Array> {
  const data = dirname(dirname(index));
  yield Buffer.from(keptTextLine(`index/${basename(index)}`, text));
  // Only files in the data folder itself are read.
  const plain = snippets.map((given) => (typeof given === 'string' ? given.replace(/^(\.\/)+/, '') : ''));
  const names = new Set(plain.filter((name) => name !== '' && !/[/\\]/.test(name)));
  const folder = openFolder(realpathSync(data));
  // Listed files that are missing or outside this tree are reported when the kept build is loaded.
  const entries = folder.list('').filter((e) => e.regular && names.has(e.name));
  const more = new Set<string>();
  const configs = new Set<string>();
  let at = 0;
  for await (const files of folder.readAll?.('', entries) ?? []) {
    for (const bytes of files) {
      const { name } = entries[at++];
      if (!bytes || bytes.length > MAX_FILE_BYTES) continue;
      const snippet = utf8Decoder.decode(bytes);
      const value = parseJson(snippet);
      summary.add(value);
      if (isObject(value)) {
        // The file with facts about the targets.
        const content = textOf(value['cmakeContent']) ?? '';
        if (/^content\/[^/\\]+\.json$/.test(content)) more.add(content);
        const config = textOf(value['config']);
        if (config) configs.add(config);
      }
      yield value === undefined ? Buffer.from(keptTextLine(name, snippet)) : keptValueLine(name, bytes);
    }
  }
  const compiles = summary.hasTraces ? await readCompileTables(index) : undefined;
  if (compiles) yield keptValueLine(COMPILES_FILE, compiles);
  const files = [...more, BUILD_FILE, MAKE_FILE];
  for (const name of files) {
    const bytes = readTreeFile(data, name);
    if (!bytes) continue;
    const text = bytes.toString('utf8');
    yield Buffer.from(keptTextLine(name, name.endsWith('/build.make') ? ruleLinesIn(text) : text));
    const named = name === MAKE_FILE ? buildMakeFilesIn(text) : name.endsWith('.ninja') ? filesToKeep(bytes, configs) : [];
    for (const file of named) files.push(`../../../../${file}`);
  }
  const rules = readTreeFile(data, RULES_FILE);
  const pools = rules ? poolLinesIn(rules) : '';
  if (pools !== '') yield Buffer.from(keptTextLine(RULES_FILE, pools));
}

/** The compile tables, if compilers left traces. Traces are too large to keep, and the next build overwrites them. */
async function readCompileTables(index: string): Promise<Uint8Array | undefined> {
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
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    [held, bytes] = [[], 0];
  }
  yield Buffer.concat(held);
}

const PIECE_BYTES = 1 << 20;

const gzipLines = (lines: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Buffer> =>
  buffer(
    Readable.from(joinLines(lines), { highWaterMark: 2 }).pipe(createGzip({ level: COMPRESSION_LEVEL, chunkSize: PIECE_BYTES })),
  );

/** The fastest compression level: a third of the default's time, for a quarter more bytes. */
const COMPRESSION_LEVEL = 1;

/** Saves the files of an index in one file of the build tree, atomically. Returns its path; undefined if nothing is listed. */
export async function collectBuild(indexFile: string): Promise<string | undefined> {
  const index = resolve(indexFile);
  const indexFileData = readIndex(index);
  if (indexFileData.snippets.length === 0) return undefined;
  const tree = resolve(dirname(index), '../../../../..');
  const folder = makeFoldersInside(tree, KEPT_BUILDS_FOLDER);
  const stamp = basename(index).replace(/^index-|\.json$/g, '');
  // Builds that end at the same moment need different file names.
  const unique = `${stamp}-${process.pid}-${randomName()}`;
  const path = join(folder, `build-${unique}.json.gz`);
  const summary = new BuildSummary();
  const body = await gzipLines(keptLines(index, indexFileData, summary));
  const newest = summary.newest();
  // The summary comes first and is compressed separately, so that listing builds does not decompress whole files.
  const cache = readCacheHits(tree, KEPT_BUILDS_FOLDER);
  const buildInfo: About = {
    ...withFailedConfigure(tree, newest.buildInfo(indexFileData.hook)),
    ...readBuildOrigin(tree),
    ...(cache ? { cache: cache.use } : {}),
  };
  const head = await gzipLines([
    Buffer.from(keptHeadLine(buildInfo)),
    keptValueLine(DURATIONS_FILE, Buffer.from(JSON.stringify(durationsToJson(newest.durations)))),
  ]);
  const words = cache
    ? await gzipLines([keptValueLine(CACHE_FILE, Buffer.from(JSON.stringify([...cache.bySource])))])
    : Buffer.alloc(0);
  // The file is readable for others, like CMake's own files.
  writeDraftAndRename(path, 0o644, [head, words, body]);
  removeOldBuilds(folder, basename(path));
  return path;
}

/** A build that failed without a step has failed to configure if CMake wrote the file that configuring begins with meanwhile. */
function withFailedConfigure(tree: string, info: About): About {
  const configuredMs = statOf(join(tree, 'CMakeFiles/cmake.check_cache'))?.mtimeMs ?? 0;
  const isConfigure = info.what === 'nothing' && info.failed && info.startMs !== undefined && configuredMs >= info.startMs;
  return isConfigure ? { ...info, what: 'configure' } : info;
}

function removeOldBuilds(folder: string, newest: string): void {
  const files = namesIn(folder).flatMap((name) => {
    try {
      const stat = lstatSync(join(folder, name));
      if (isStaleDraft(name, stat)) rmSync(join(folder, name), { force: true });
      return KEPT_BUILD_NAME.test(name) ? [{ name, bytes: stat.size, ms: stat.mtimeMs }] : [];
    } catch {
      // Another `collect` has already deleted the folder.
      return [];
    }
  });
  files.sort((a, b) => (a.name === newest ? -1 : b.name === newest ? 1 : b.ms - a.ms || (a.name < b.name ? 1 : -1)));
  let bytes = 0;
  files.forEach((f, k) => {
    bytes += f.bytes;
    if (k > 0 && (k >= MAX_BUILDS || bytes > MAX_TOTAL_BYTES)) removeQuietly(join(folder, f.name));
  });
}

/** The environment variables in which build servers give the number of a run. */
const JOB_VARIABLES = [
  ...['GITHUB_RUN_NUMBER', 'CI_PIPELINE_IID', 'CI_JOB_ID', 'BUILDKITE_BUILD_NUMBER'],
  ...['CIRCLE_BUILD_NUM', 'BUILD_BUILDID', 'TRAVIS_BUILD_NUMBER', 'BUILD_NUMBER'],
];
const MAX_LENGTH = 100;

/** The origin of a build, if known: the commit that is checked out, and the build server's number of the run. */
export function readBuildOrigin(tree: string, environment = process.env): Pick<About, 'git' | 'job' | 'host'> {
  const job = JOB_VARIABLES.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
  const source = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.+?)\r?$/m.exec(readTextFile(join(tree, 'CMakeCache.txt')))?.[1];
  const git = source === undefined ? undefined : checkedOutCommit(source);
  return { ...(git ? { git } : {}), ...(job ? { job: job.slice(0, MAX_LENGTH) } : {}), host: hostname().slice(0, MAX_LENGTH) };
}

const readTextFile = (path: string): string => attempt(() => readRegular(path, MAX_FILE_BYTES).bytes.toString('utf8'), '');

/** The commit that is checked out in a source folder, read without running git; undefined if there is no repository. */
export function checkedOutCommit(source: string): string | undefined {
  const link = /^gitdir: (.+)$/m.exec(readTextFile(join(source, '.git')))?.[1];
  const git = link === undefined ? join(source, '.git') : link.startsWith('/') ? link : join(source, link);
  const head = readTextFile(join(git, 'HEAD')).trim();
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (ref === undefined) return commitOrUndefined(head);
  if (ref.split('/').includes('..')) return undefined;
  // The branches of a worktree are in its main repository.
  const common = readTextFile(join(git, 'commondir')).trim();
  const folders = common === '' ? [git] : [git, common.startsWith('/') ? common : join(git, common)];
  for (const folder of folders) {
    const loose = commitOrUndefined(readTextFile(join(folder, ref)).trim());
    if (loose !== undefined) return loose;
    const packed = readTextFile(join(folder, 'packed-refs'))
      .split('\n')
      .find((line) => line.endsWith(` ${ref}`));
    if (packed !== undefined) return commitOrUndefined(packed.slice(0, packed.indexOf(' ')));
  }
  return undefined;
}

const commitOrUndefined = (text: string): string | undefined => (/^[0-9a-f]{40,64}$/.test(text) ? text : undefined);

/** ccache's results for compiles that it cannot cache. Links and preprocessor runs do not count as compiles. */
const UNCACHED_RESULTS = new Set([
  ...['bad_compiler_arguments', 'compiler_produced_stdout', 'could_not_use_modules', 'could_not_use_precompiled_header'],
  ...['ccache_disabled', 'disabled', 'modified_input_file', 'multiple_source_files', 'output_to_stdout', 'recache'],
  ...['unsupported_code_directive', 'unsupported_compiler_option', 'unsupported_environment_variable'],
  ...['unsupported_source_encoding', 'unsupported_source_language'],
]);

/** For each log: the environment variable with its path, and patterns of its lines for a hit, for a miss and for any result. */
const LOG_FORMATS = [
  ['CCACHE_STATSLOG', /^(?:direct|preprocessed)_cache_hit$/gm, /^cache_miss$/gm, /^([a-z_]+)$/gm],
  ['CCACHE_LOGFILE', /Result: (?:direct|preprocessed)_cache_hit/g, /Result: cache_miss/g, /Result: ([a-z_]+)/g],
  ['SCCACHE_ERROR_LOG', /Cache hit in /g, /Cache miss in /g, undefined],
] as const;
const MAX_LOG_BYTES = 256 << 20;
const OFFSET_FILE = 'cache-logs.json';

/**
 * Results of a compiler cache since the last call for this tree, whose folder of kept builds `kept` has the end of each log; undefined
 * without a log.
 */
export function readCacheHits(tree: string, kept: string, environment: NodeJS.ProcessEnv = process.env) {
  for (const [variable, hit, miss, result] of LOG_FORMATS) {
    const path = environment[variable];
    if (!path) continue;
    try {
      const { bytes } = readRegular(path, MAX_LOG_BYTES);
      const offsetFile = join(makeFoldersInside(tree, kept), OFFSET_FILE);
      const offsets = attempt(() => parseJson(readRegular(offsetFile, 1 << 16, 'none').bytes));
      const from = numberOf(objectOf(offsets)[path]) ?? 0;
      // A log that is shorter than before was started again, so it is read from its beginning.
      const text = bytes.subarray(from <= bytes.length ? from : 0).toString('latin1');
      replaceFile(offsetFile, JSON.stringify({ [path]: bytes.length }), 0o644);
      const reasons = new Map<string, number>();
      for (const [, word] of result ? text.matchAll(result) : [])
        if (UNCACHED_RESULTS.has(word)) reasons.set(word, (reasons.get(word) ?? 0) + 1);
      const most = [...reasons].sort((a, b) => b[1] - a[1])[0];
      const all = [...reasons.values()].reduce((sum, n) => sum + n, 0);
      const use: CacheUse = {
        ...{ hits: text.match(hit)?.length ?? 0, misses: text.match(miss)?.length ?? 0 },
        ...(most ? { uncached: all, reason: most[0] } : {}),
      };
      return { use, bySource: variable === 'CCACHE_STATSLOG' ? resultsBySource(text) : new Map<string, string>() };
    } catch {
      // The log is missing, or this user must not read it.
    }
  }
  return undefined;
}

/**
 * By source, as given to the compiler: `hit`, `miss`, or ccache's reason why it could not cache. Only ccache's statistics log has sources, each
 * as a line `# SOURCE` and then one line per result. A source with several different results is left out.
 */
function resultsBySource(text: string): Map<string, string> {
  const out = new Map<string, string>();
  const unclear = new Set(['']);
  let source = '';
  const addResult = (word: string) => {
    if ((out.get(source) ?? word) !== word) unclear.add(source);
    out.set(source, word);
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('# ')) {
      const path = line.slice(2).replace(/^"(.*)"$/, '$1'); // bounded: one run
      source = Buffer.from(path, 'latin1').toString();
    } else if (/^(direct|preprocessed)_cache_hit$/.test(line)) addResult('hit');
    else if (line === 'cache_miss') addResult('miss');
    else if (UNCACHED_RESULTS.has(line)) addResult(line);
  }
  for (const path of unclear) out.delete(path);
  return out;
}
