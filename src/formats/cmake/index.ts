// Loads CMake's instrumentation data (4.3 and later, and the experimental folders of 4.0 to 4.2): a build tree or a part of one.
// A set is the snippets that an index file lists, else all snippets, or the latest trace if CMake has deleted the snippets.
// Paths inside the data are not trusted: files are only looked up next to the opened folder.
import { getOrMake } from '../../base/lists.ts';
import { absolutePath } from '../../base/paths.ts';
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import { StepPairs, StepWriter } from '../../model/steps/writer.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Detection, Folder, Loader, Source, Threads } from '../loader.ts';
import { isObject, jsonExcerpt, listOf, objectOf, parseJson, readJson, textOf } from '../shared/json.ts';
import { byteOrderMarkLength, headText, readPieces } from '../shared/stream.ts';
import { sumTraceTask } from '../trace-events/compile.ts';
import { addCompileTotals } from '../trace-events/compile-totals.ts';
import { traceEvents } from '../trace-events/index.ts';
import { readBuildInfo } from './about.ts';
import { addTraces } from './compiler-traces.ts';
import { addCtestMessages, ctestWrittenMs, MAX_RESULTS_DELAY_MS, OLDER_RESULTS, readTestResults } from './ctest.ts';
import { DATA_FOLDERS, findDataFolder, hasSnippets, INDEX_NAME, isSnippet, joinPaths, TREE_FROM_DATA } from './data-folder.ts';
import { FolderReader } from './folder-reader.ts';
import { readHistory } from './history.ts';
import { CACHE_FILE, COMPILES_FILE, isKeptBuild, KEPT_BUILDS_FOLDER, KeptFiles, MAKE_FILE } from './kept.ts';
import { readKeptCompiles } from './kept-compiles.ts';
import { addBuildProgress, addLiveSteps } from './live.ts';
import { orderStepsByTarget } from './makefile2.ts';
import { type BuildFile, readNinjaFile, setNeeds, unknownNeedsText, warnOfProblems, writeStepNeeds } from './ninja-file.ts';
import { recordStartOf, setTimeOrigin } from './origin.ts';
import { addRebuildCosts } from './rebuilds.ts';
import { END_HOOKS } from './snippet.ts';
import { unbuiltOutputs } from './stopped.ts';

const MAX_WORK_FOLDERS = 64;

/** Adds the compiler cache's results (hit, miss …) from the row `first` on. `bytes`: JSON pairs of a source path, as on the command line, and a result. */
function addCacheResults(bytes: Uint8Array | undefined, rows: StepWriter, first: number): void {
  const pairs = listOf(parseJson(bytes ?? new Uint8Array(0))).flatMap((pair) => {
    const [source, word] = listOf(pair).map(textOf);
    return source !== undefined && word !== undefined ? [[source, word] as const] : [];
  });
  const words = new Map(pairs);
  // Caches shared by several folders record paths relative to the compiler's working folder.
  const relative = pairs.filter(([path]) => absolutePath('/', path) !== path);
  const byFolder = new Map<string, ReadonlyMap<string, string>>();
  for (let row = first; row < rows.rows && words.size > 0; row++) {
    const source = rows.text('source', row);
    if (source === undefined || rows.text('role', row) !== 'compile') continue;
    const folder = rows.text('directory', row) ?? '';
    const path = absolutePath(folder, source);
    const absolutePairs = () => new Map(relative.map(([name, word]) => [absolutePath(folder, name), word]));
    const isKnown = relative.length > 0 && (byFolder.size < MAX_WORK_FOLDERS || byFolder.has(folder));
    rows.setWord('cache', row, words.get(path) ?? (isKnown ? getOrMake(byFolder, folder, absolutePairs).get(path) : undefined));
  }
}

/** Roles of steps that run in ninja's working folder. */
const ROLES_IN_NINJA_FOLDER = new Set(['link', 'compile']);

/** Adds dependencies from build.ninja to the steps from `first` on. Returns the file; undefined if it belongs to another tree. */
function readDependencies(folder: Folder, data: string, rows: StepWriter, first: number): BuildFile | undefined {
  const read = (path: string) => folder.read(joinPaths(data, `${TREE_FROM_DATA}/${path}`));
  let made = first;
  while (made < rows.rows && !ROLES_IN_NINJA_FOLDER.has(rows.text('role', made) ?? '')) made++;
  const configs = new Set(Array.from({ length: rows.rows - first }, (_, k) => rows.text('config', first + k) ?? ''));
  const file = readNinjaFile(read, 'build.ninja', made < rows.rows ? rows.text('directory', made) : undefined, [...configs]);
  const pairs = rows.needs ?? new StepPairs();
  const makefile = file ? undefined : folder.read(joinPaths(data, MAKE_FILE));
  if (makefile) orderStepsByTarget(rows, first, decodeBytes(makefile, 0, makefile.length), read);
  // If the build file builds no output of the steps, it belongs to another tree.
  const counts = file && writeStepNeeds(rows, first, file, pairs);
  if (!file || !counts || counts.known === 0) return undefined;
  rows.facts.needsCaveat ??= unknownNeedsText(counts.built, counts.unknown.length);
  rows.facts.unknownNeeds = [...(rows.facts.unknownNeeds ?? []), ...counts.unknown];
  warnOfProblems(file, joinPaths(folder.path, joinPaths(data, TREE_FROM_DATA)), rows.sink);
  setNeeds(rows, pairs, file);
  rows.facts.stopped = unbuiltOutputs(rows, first, file);
  return file;
}

async function loadFolder(folder: Folder, sink: Sink, signal: AbortSignal, threads?: Threads): Promise<void> {
  const data = findDataFolder(folder);
  const expected = 'a CMake build tree with instrumentation data';
  const hint = 'run proftui cmake enable BUILD, then build';
  if (data === undefined) throw new FormatError({ path: folder.path, expected, found: 'none', hint });
  const tree = joinPaths(data, TREE_FROM_DATA);
  const rows = sink.writerFor(StepWriter);
  const begin = recordStartOf(rows);
  const reader = new FolderReader(folder, data, sink);
  const { cut } = sink;
  await reader.load(signal);
  if (rows.rows === begin.rows.steps && sink.parts.slice(begin.part).every((p) => p.notes[0].endsWith(': 0 steps'))) {
    const trace = reader.latestTrace;
    const bytes = trace === undefined ? undefined : folder.read(joinPaths(data, `trace/${trace}`));
    if (bytes) {
      sink.parts.length = begin.part;
      sink.cut = cut;
      sink.notes.push(`from the trace ${trace}: CMake has deleted the snippets after indexing them`);
      const source: Source = {
        path: `${folder.path}/${joinPaths(data, `trace/${trace}`)}`,
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
    if (!reader.hasRepeats)
      sink.warn({ path: folder.path, expected: 'steps', found: 'none: nothing has been built, or a callback has removed them' });
    sink.addPart({ path: folder.path, notes: ['no data'], events: ['time'] });
  }
  // If the opened folder is the build tree itself, its kept builds are in a subfolder.
  if (data === DATA_FOLDERS[0]) rows.facts.history ??= readHistory(folder, rows, KEPT_BUILDS_FOLDER);
  if (hasTestsSince(rows, begin.rows.steps, folder, tree))
    rows.facts.tests ??= readTestResults(folder, tree, (cut) => sink.warn(cut));
  else sink.notes.push(OLDER_RESULTS);
  addCtestMessages(rows, begin.rows.steps, folder, tree);
  rows.facts.endsAreRecorded ||= requestsEndHooks(folder, joinPaths(data, '../query'));
  // A running build has no index yet, so the commands that run now are added as steps.
  if (folder.running && rows.rows > begin.rows.steps) addLiveSteps(rows, folder.running(), reader.track, begin.part);
  const traces = [...reader.traces, ...addTraces(rows, begin.rows.steps, folder, tree)];
  const file = readDependencies(folder, data, rows, begin.rows.steps);
  if (file) addBuildProgress(rows, begin.rows.steps, begin.part, file);
  setTimeOrigin(rows, begin);
  if (!folder.running) await addCompileTotals(rows, traces, folder, threads, signal);
  if (!folder.running) addRebuildCosts(rows, begin.rows.steps, { folder, at: tree, file });
}

function requestsEndHooks(folder: Folder, queries: string): boolean {
  return folder.list(queries).some(({ name }) => {
    const query = name.endsWith('.json') ? readJson(folder.read(joinPaths(queries, name)) ?? new Uint8Array(0)) : undefined;
    const hooks = listOf(objectOf(query?.value)['hooks']);
    return END_HOOKS.every((hook) => hooks.includes(hook));
  });
}

/** True if CTest wrote its results after the first step's start (since 1970), or if one of these times is unknown. */
function hasTestsSince(rows: StepWriter, first: number, folder: Folder, tree: string): boolean {
  const writtenMs = ctestWrittenMs(folder, tree);
  let startMs = Number.POSITIVE_INFINITY;
  for (let row = first; row < rows.rows; row++)
    if (!rows.columns.hasNoStart(row)) startMs = Math.min(startMs, rows.columns.startUs.data[row] / 1000);
  return !(writtenMs < startMs) || !Number.isFinite(startMs);
}

/** True if CTest wrote its results right after a test of this build (times since 1970). */
function hasTestsOfBuild(rows: StepWriter, first: number, buildFolder: Folder): boolean {
  const writtenMs = ctestWrittenMs(buildFolder, '..');
  for (let row = first; row < rows.rows; row++) {
    if (rows.text('role', row) !== 'test' || rows.columns.hasNoStart(row)) continue;
    const endMs = rows.columns.endUs(row) / 1000;
    if (writtenMs >= endMs - 1000 && writtenMs < endMs + MAX_RESULTS_DELAY_MS) return true;
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
  return isIndex || isStep ? 'yes' : INDEX_NAME.test(name) || isSnippet(name) ? 'maybe' : 'no';
}

async function loadKeptBuild(folder: Folder, buildFolder: Folder | undefined, sink: Sink, signal: AbortSignal): Promise<void> {
  const rows = sink.writerFor(StepWriter);
  const begin = recordStartOf(rows);
  const reader = new FolderReader(folder, '', sink);
  await reader.load(signal);
  // Compiler traces inside a kept build cannot be opened.
  for (let row = begin.rows.steps; row < rows.rows; row++) rows.setText('trace', row, undefined);
  const traces = buildFolder ? addTraces(rows, begin.rows.steps, buildFolder, '..') : [];
  // hasTestsOfBuild() needs times since 1970, so this must precede setTimeOrigin().
  if (buildFolder && hasTestsOfBuild(rows, begin.rows.steps, buildFolder))
    rows.facts.tests ??= readTestResults(buildFolder, '..', (cut) => sink.warn(cut));
  if (buildFolder) addCtestMessages(rows, begin.rows.steps, buildFolder, '..');
  setTimeOrigin(rows, begin);
  rows.facts.history ??= buildFolder && readHistory(buildFolder, rows, '');
  // If tests run within a build, the record of the build's end is in the next set of snippets.
  rows.facts.endsAreRecorded = END_HOOKS.includes(reader.hook);
  const kept = readJson(folder.read(COMPILES_FILE) ?? new Uint8Array(0));
  if (kept.wrong === undefined) rows.compiles = readKeptCompiles(kept.value, rows);
  else if (buildFolder) await addCompileTotals(rows, traces, buildFolder, undefined, signal);
  addCacheResults(folder.read(CACHE_FILE), rows, begin.rows.steps);
  const file = readDependencies(folder, '', rows, begin.rows.steps);
  if (buildFolder) addRebuildCosts(rows, begin.rows.steps, { folder: buildFolder, at: '..', file });
}

/** Loads an index file, a single snippet, or a kept build. */
async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const kept = new KeptFiles(source.path, sink);
  const { rest: bytes } = await readPieces(source, sink.limits, signal, (piece) => kept.take(piece), 'value');
  if (kept.lines > 0) {
    kept.readLine(bytes);
    return loadKeptBuild(kept, source.folder, sink, signal);
  }
  const { value, wrong } = readJson(bytes, byteOrderMarkLength(bytes));
  const found = bytes.length === 0 ? 'an empty file' : wrong;
  if (found !== undefined)
    throw new FormatError({ path: source.path, offset: 0, expected: 'an index file or a snippet in JSON', found });
  if (!isObject(value))
    throw new FormatError({ path: source.path, offset: 0, expected: 'a JSON object', found: jsonExcerpt(value) });
  const name = source.path.slice(source.path.lastIndexOf('/') + 1);
  const folder: Folder = source.folder ?? { path: '.', list: () => [], read: () => undefined };
  const rows = sink.writerFor(StepWriter);
  const begin = recordStartOf(rows);
  const isIndex = Array.isArray(value['snippets']);
  const data = isIndex ? '..' : '';
  const reader = new FolderReader(folder, data, sink);
  if (isIndex) await reader.load(signal, name);
  else {
    reader.loadSnippet(value, name);
    sink.addPart({ path: source.path, notes: ['one snippet'], events: ['time'] });
  }
  const traces = addTraces(rows, begin.rows.steps, folder, joinPaths(data, TREE_FROM_DATA));
  setTimeOrigin(rows, begin);
  await addCompileTotals(rows, traces, folder, source.threads, signal);
  if (isIndex) readDependencies(folder, data, rows, begin.rows.steps);
}

export const cmake: Loader = {
  name: 'cmake',
  title: 'CMake instrumentation of a build tree (4.3 and later), its index files and snippets',
  provides: ['steps', 'commands', 'compiles', 'rebuilds', 'history', 'tests'],
  readsOtherFiles: true,
  options: { compiles: '-ftime-trace of clang' },
  task: sumTraceTask,
  purpose: 'a build by CMake',
  make: 'proftui cmake enable BUILD, then build',
  fileNames: /^(build-\d{4}-.*\.json\.gz|index-\d{4}-.*\.json|[A-Za-z]+-[0-9a-f]{20}-\d{4}-.*\.json)$/,
  detect,
  keptBuildsFolder: KEPT_BUILDS_FOLDER,
  readBuildInfo: (head) => (isKeptBuild(head) ? readBuildInfo(decodeBytes(head, 0, head.length)) : undefined),
  ownsFolder: (folder) => findDataFolder(folder) !== undefined,
  isLive: hasSnippets,
  watchedFolders: [DATA_FOLDERS[0], `${DATA_FOLDERS[0]}/index`, KEPT_BUILDS_FOLDER],
  load,
  loadFolder,
};
