// CMake's instrumentation data (4.3 and later, and the experimental folders of 4.0 to 4.2): a build tree, or any part of it. A set
// is the snippets that an index file lists; without an index, all snippets; if CMake has deleted them after indexing, the latest
// trace. Paths inside the data are not trusted: files are only looked up next to what was opened.
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import { StepPairs, StepWriter } from '../../model/steps/writer.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Detection, Folder, Loader, Source, Threads } from '../loader.ts';
import { excerptOf, isObject, listOf, readJson } from '../shared/json.ts';
import { headText, markLength, readPieces } from '../shared/stream.ts';
import { compileTask } from '../trace-events/compile.ts';
import { addCompiles } from '../trace-events/compile-files.ts';
import { traceEvents } from '../trace-events/index.ts';
import { readBuildInfo } from './about.ts';
import { addCacheWords } from './cache-words.ts';
import { addTraces } from './compiler-traces.ts';
import { dataFolder, hasSnippets, INDEX, isSnippet, join, PLACES, TREE } from './data-folder.ts';
import { FolderReader } from './folder-reader.ts';
import { readHistory } from './history.ts';
import { BUILD_FILE, CACHE_FILE, COMPILES_FILE, isKept, KEPT_FOLDER, KeptFiles, MAKE_FILE } from './kept.ts';
import { readKeptCompiles } from './kept-compiles.ts';
import { addRunning } from './live.ts';
import { targetOrder } from './makefile2.ts';
import { type BuildFile, outputsOfFile, readNinja, relativeToRoot, writeNeeds } from './ninja-file.ts';
import { recordStartOf, setOrigin } from './origin.ts';
import { addProgress } from './progress.ts';
import { addRebuilds } from './rebuilds.ts';
import { END_HOOKS } from './snippet.ts';
import { unbuiltOutputs } from './stopped.ts';
import { testsIn } from './tests.ts';

/** Roles of steps that run in ninja's working folder. */
const MADE = new Set(['link', 'compile']);

/**
 * Dependencies of the steps from `first` on, by the build.ninja four folders above the data. The folder that ninja ran in is taken
 * from the steps: the tree may have been copied since. Custom commands run in folders of their own. Returns the build file; undefined if there is
 * none of this tree.
 */
function readGraph(folder: Folder, data: string, rows: StepWriter, first: number): BuildFile | undefined {
  const read = (name: string) => folder.read(join(data, name === 'build.ninja' ? BUILD_FILE : `../../../../${name}`));
  let made = first;
  while (made < rows.rows && !MADE.has(rows.text('role', made) ?? '')) made++;
  const file = readNinja(read, 'build.ninja', made < rows.rows ? rows.text('directory', made) : undefined);
  const pairs = rows.needs ?? new StepPairs();
  const makefile = file ? undefined : folder.read(join(data, MAKE_FILE));
  const order = makefile && targetOrder(rows, first, makefile);
  if (order) (rows.targetNeeds ??= new StepPairs()).append(order);
  // If the build file builds no output of the steps, it belongs to another tree.
  if (!file || writeNeeds(rows, first, file, pairs).known === 0) return undefined;
  rows.needs = pairs;
  rows.builds = [...(rows.builds ?? []), ...outputsOfFile(file)];
  rows.stopped = unbuiltOutputs(rows, first, file).map((path) => relativeToRoot(file, path));
  return file;
}

async function loadFolder(folder: Folder, sink: Sink, signal: AbortSignal, threads?: Threads): Promise<void> {
  const data = dataFolder(folder);
  if (data === undefined)
    throw new FormatError({
      path: folder.path,
      expected: 'a CMake build tree with instrumentation data',
      found: 'none',
      hint: 'run proftui cmake enable BUILD, then build',
    });
  const begin = recordStartOf(sink);
  const rows = sink.writerFor(StepWriter);
  const reader = new FolderReader(folder, data, sink);
  await reader.load(signal);
  if (rows.rows === begin.rows.steps && sink.parts.slice(begin.part).every((p) => p.notes[0].endsWith(': 0 steps'))) {
    const trace = reader.latestTrace;
    const bytes = trace === undefined ? undefined : folder.read(join(data, `trace/${trace}`));
    if (bytes) {
      sink.parts.length = begin.part;
      sink.notes.push(`from the trace ${trace}: CMake has deleted the snippets after indexing them`);
      const source: Source = {
        path: `${folder.path}/${join(data, `trace/${trace}`)}`,
        size: bytes.length,
        chunks: async function* () {
          yield bytes;
        },
      };
      await traceEvents.load(source, sink, signal);
      reader.readAllContents();
    }
  }
  if (sink.parts.length === begin.part) {
    sink.warn({ path: folder.path, expected: 'steps', found: 'none: nothing has been built, or a callback has removed them' });
    sink.addPart({ path: folder.path, notes: ['no data'], events: ['time'] });
  }
  // If the build tree itself was opened, its kept builds are in a subfolder.
  if (data === PLACES[0]) rows.history ??= readHistory(folder, rows, KEPT_FOLDER);
  if (hasTestsSince(rows, begin.rows.steps, folder, join(data, TREE))) rows.tests ??= testsIn(folder, join(data, TREE));
  else sink.notes.push('the results of CTest are older than what is recorded, and left out: run ctest again');
  rows.endsAreRecorded ||= recordsEnds(folder, join(data, '../query'));
  // A running build has no index yet: add the commands that are running.
  if (folder.running && rows.rows > begin.rows.steps) addRunning(sink, folder.running(), Date.now(), reader.track, begin.part);
  const traces = [...reader.traces, ...addTraces(rows, begin.rows.steps, folder, join(data, TREE))];
  const file = readGraph(folder, data, rows, begin.rows.steps);
  if (file) addProgress(sink, begin.rows.steps, begin.part, file);
  setOrigin(sink, begin);
  if (!folder.running) await addCompiles(traces, folder, sink, threads, signal);
  if (!folder.running) addRebuilds(rows, begin.rows.steps, { folder, at: join(data, TREE), file }, sink);
}

/** True if a query file requests the hooks at the end of builds. */
function recordsEnds(folder: Folder, queries: string): boolean {
  return folder.list(queries).some(({ name }) => {
    const query = name.endsWith('.json') ? readJson(folder.read(join(queries, name)) ?? new Uint8Array(0)) : undefined;
    const hooks = query?.wrong === undefined && isObject(query?.value) ? listOf(query.value['hooks']) : [];
    return END_HOOKS.every((hook) => hooks.includes(hook));
  });
}

/** CTest writes its results within this time after the last test. */
const SOON_MS = 120_000;

/** The time when CTest wrote its results; NaN if there are none. */
const ctestWrittenMs = (folder: Folder, tree: string): number =>
  folder.modifiedMs?.(join(tree, 'Testing/Temporary/LastTest.log')) ?? Number.NaN;

/** True if CTest wrote its results after the start of the first step (times since 1970), or if either time is unknown. */
function hasTestsSince(rows: StepWriter, first: number, folder: Folder, tree: string): boolean {
  const writtenMs = ctestWrittenMs(folder, tree);
  let startMs = Number.POSITIVE_INFINITY;
  for (let row = first; row < rows.rows; row++)
    if (!rows.columns.neverRan(row)) startMs = Math.min(startMs, rows.columns.startUs.data[row] / 1000);
  return !(writtenMs < startMs) || !Number.isFinite(startMs);
}

/** True if CTest wrote its results right after a test of this build (times since 1970). */
function hasTestsOfBuild(rows: StepWriter, first: number, buildFolder: Folder): boolean {
  const writtenMs = ctestWrittenMs(buildFolder, '..');
  for (let row = first; row < rows.rows; row++) {
    if (rows.text('role', row) !== 'test' || rows.columns.neverRan(row)) continue;
    const endMs = rows.columns.endUs(row) / 1000;
    if (writtenMs >= endMs - 1000 && writtenMs < endMs + SOON_MS) return true;
  }
  return false;
}

function detect(head: Uint8Array, path: string): Detection {
  const text = headText(head).trimStart();
  if (text.startsWith('{"proftuiBuild":')) return 'yes';
  if (!text.startsWith('{') || /"traceEvents"/.test(text)) return 'no';
  const isIndex = /"snippets"\s*:\s*\[/.test(text) && /"(hook|dataDir|buildDir)"\s*:/.test(text); // bounded: the head of a file
  const isStep = /"role"\s*:\s*"/.test(text) && /"(timeStart|duration|workingDir)"\s*:/.test(text); // bounded: the head of a file
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isIndex || isStep ? 'yes' : INDEX.test(name) || isSnippet(name) ? 'maybe' : 'no';
}

/** A build kept by `proftui cmake collect`. */
async function loadKept(folder: Folder, buildFolder: Folder | undefined, sink: Sink, signal: AbortSignal): Promise<void> {
  const begin = recordStartOf(sink);
  const rows = sink.writerFor(StepWriter);
  const reader = new FolderReader(folder, '', sink);
  await reader.load(signal);
  // Compiler traces inside this file cannot be opened on their own.
  for (let row = begin.rows.steps; row < rows.rows; row++) rows.setText('trace', row, undefined);
  const traces = buildFolder ? addTraces(rows, begin.rows.steps, buildFolder, '..') : [];
  // Must precede setOrigin(): ranTests needs times since 1970.
  if (buildFolder && hasTestsOfBuild(rows, begin.rows.steps, buildFolder)) rows.tests ??= testsIn(buildFolder, '..');
  setOrigin(sink, begin);
  rows.history ??= buildFolder && readHistory(buildFolder, rows, '');
  // If tests run within a build, the end of the build is in the next set.
  rows.endsAreRecorded = END_HOOKS.includes(reader.hook);
  const kept = readJson(folder.read(COMPILES_FILE) ?? new Uint8Array(0));
  if (kept.wrong === undefined) rows.compiles = readKeptCompiles(kept.value, rows, sink);
  else if (buildFolder) await addCompiles(traces, buildFolder, sink, undefined, signal);
  addCacheWords(folder.read(CACHE_FILE), rows, begin.rows.steps);
  const file = readGraph(folder, '', rows, begin.rows.steps);
  if (buildFolder) addRebuilds(rows, begin.rows.steps, { folder: buildFolder, at: '..', file }, sink);
}

/** An index file, a single snippet, or a kept build. */
async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const kept = new KeptFiles(source.path, sink);
  const { rest: bytes } = await readPieces(source, sink.limits, signal, (piece) => kept.take(piece), 'value');
  if (kept.lines > 0) {
    kept.finish(bytes);
    return loadKept(kept, source.folder, sink, signal);
  }
  const json = readJson(bytes, markLength(bytes));
  if (json.wrong !== undefined)
    throw new FormatError({
      path: source.path,
      offset: 0,
      expected: 'an index file or a snippet in JSON',
      found: bytes.length === 0 ? 'an empty file' : json.wrong,
    });
  const { value } = json;
  if (!isObject(value))
    throw new FormatError({ path: source.path, offset: 0, expected: 'a JSON object', found: excerptOf(value) });
  const name = source.path.slice(source.path.lastIndexOf('/') + 1);
  const folder: Folder = source.folder ?? { path: '.', list: () => [], read: () => undefined };
  const begin = recordStartOf(sink);
  const rows = sink.writerFor(StepWriter);
  const isIndex = Array.isArray(value['snippets']);
  const data = isIndex ? '..' : '';
  const reader = new FolderReader(folder, data, sink);
  if (isIndex) await reader.load(signal, name);
  else {
    reader.loadSnippet(value, name);
    sink.addPart({ path: source.path, notes: ['one snippet'], events: ['time'] });
  }
  const traces = addTraces(rows, begin.rows.steps, folder, join(data, TREE));
  setOrigin(sink, begin);
  await addCompiles(traces, folder, sink, source.threads, signal);
  if (isIndex) readGraph(folder, data, rows, begin.rows.steps);
}

export const cmake: Loader = {
  name: 'cmake',
  title: 'CMake instrumentation of a build tree (4.3 and later), its index files and snippets',
  provides: ['steps', 'compiles', 'rebuilds', 'history', 'tests'],
  options: { compiles: '-ftime-trace of clang' },
  task: compileTask,
  purpose: 'a build by CMake',
  make: 'proftui cmake enable BUILD, then build',
  fileNames: /^(build-\d{4}-.*\.json\.gz|index-\d{4}-.*\.json|[A-Za-z]+-[0-9a-f]{20}-\d{4}-.*\.json)$/,
  detect,
  keptBuildsFolder: KEPT_FOLDER,
  readBuildInfo: (head) => (isKept(head) ? readBuildInfo(decodeBytes(head, 0, head.length)) : undefined),
  ownsFolder: (folder) => dataFolder(folder) !== undefined,
  isLive: hasSnippets,
  watchedFolders: [PLACES[0], `${PLACES[0]}/index`, KEPT_FOLDER],
  load,
  loadFolder,
};
