// Loads the traces that `clang -ftime-trace` wrote for all compiles of a build: a folder of traces, or a build tree with traces.
// Each compile is a step. The times that all compiles spent on headers, templates and functions are added up.
import { limitProblem } from '../base/limits.ts';
import { FormatError } from '../base/problem.ts';
import type { Sink } from '../model/sink.ts';
import { StepWriter } from '../model/steps/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import { recordStartOf, setTimeOrigin } from './cmake/origin.ts';
import type { Folder, Loader, Threads } from './loader.ts';
import { sumTraceTask } from './trace-events/compile.ts';
import { compileTotalsOf, readCompileTraces, type TraceFile } from './trace-events/compile-totals.ts';

/** Limits of the search for traces, in any folder: depth of subfolders, and number of names. */
const MAX_DEPTH = 16;
const MAX_NAMES = 400_000;
/** Number of names that format detection reads. */
const MAX_DETECTION_NAMES = 20_000;

/** clang names a trace `x.cpp.json` (next to `x.cpp.o`) or `x.json`. */
const isTraceName = (name: string): boolean => /\.json(?:\.gz)?$/.test(name) && name !== 'compile_commands.json';

/** Paths below a folder that may be traces, in order of their names. */
function* tracePathsIn(folder: Folder, most: number): Generator<string> {
  const waiting: [path: string, depth: number][] = [['', 0]];
  let names = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [path, depth] = next;
    const entries = folder.list(path);
    names += entries.length;
    for (const { name, regular } of entries) if (regular && isTraceName(name)) yield path === '' ? name : `${path}/${name}`;
    if (names > most) return;
    if (depth < MAX_DEPTH)
      for (const entry of [...entries].reverse())
        if (entry.folder && !entry.name.startsWith('.') && entry.name !== 'node_modules')
          waiting.push([path === '' ? entry.name : `${path}/${entry.name}`, depth + 1]);
  }
}

const DETECTION_BYTES = 4096;

const startsLikeTrace = (bytes: Uint8Array): boolean =>
  /^\s*\{\s*"(?:traceEvents|beginningOfTime)"/.test(decodeBytes(bytes, 0, Math.min(bytes.length, 64))); // bounded: short

/** True if the start and end of a file look like a compiler's trace. */
function isCompilerTrace(bytes: Uint8Array): boolean {
  const head = decodeBytes(bytes, 0, Math.min(bytes.length, 64));
  const end = decodeBytes(bytes, Math.max(0, bytes.length - 4096), bytes.length);
  return startsLikeTrace(bytes) && /"beginningOfTime"|"Total /.test(head + end);
}

/** If none of this many JSON files is a trace, the folder is not a folder of traces. */
const MAX_TRIED_FILES = 50;

function ownsFolder(folder: Folder): boolean {
  let [found, tried] = [0, 0];
  for (const path of tracePathsIn(folder, MAX_DETECTION_NAMES)) {
    // Other JSON files may be large: their first bytes suffice to reject them.
    const start = folder.readStart?.(path, DETECTION_BYTES);
    const bytes = start && !startsLikeTrace(start) ? undefined : folder.read(path);
    if (bytes && isCompilerTrace(bytes) && ++found === 2) return true;
    if (found === 0 && ++tried === MAX_TRIED_FILES) return false;
  }
  return false;
}

async function loadFolder(folder: Folder, sink: Sink, signal: AbortSignal, threads?: Threads): Promise<void> {
  const rows = sink.writerFor(StepWriter);
  const track = rows.untitledTrack('clang', 'units');
  const begin = recordStartOf(rows);
  const totals = compileTotalsOf(rows);
  const before = totals.count;
  const files: TraceFile[] = Array.from(tracePathsIn(folder, MAX_NAMES), (relative) => ({
    relative,
    name: relative.replace(/\.json(?:\.gz)?$/, ''),
    trace: `${folder.path}/${relative}`,
    step: -1,
  }));
  let timeless = 0;
  await readCompileTraces(files, folder, threads, signal, (file, sums) => {
    if (!sums) return;
    const { limits } = sink;
    if (file.name.length > limits.name)
      throw new FormatError({ path: file.trace, ...limitProblem(limits, 'name', file.name.length) });
    if (Number.isNaN(sums.beginningUs)) timeless++;
    const step = rows.add({
      name: `compile: ${file.name}`,
      role: 'compile',
      track,
      part: begin.part,
      source: file.name,
      startUs: sums.beginningUs + sums.startUs,
      durationUs: sums.totalUs,
      trace: file.trace,
    });
    totals.add({ ...file, step }, sums);
  });
  const hint = 'compile with clang++ -ftime-trace, then name the build folder';
  const found = `none in ${files.length} JSON files`;
  if (totals.count === before)
    throw new FormatError({ path: folder.path, expected: 'traces of clang -ftime-trace', found, hint });
  if (timeless > 0) sink.warn({ path: folder.path, expected: 'when each compile began', found: `${timeless} traces without it` });
  setTimeOrigin(rows, begin);
  rows.compiles = totals;
  sink.creator ??= 'clang -ftime-trace';
  sink.addPart({ path: folder.path, notes: [`${totals.count - before} traces of compiles`], events: ['time'] });
}

export const clangTraces: Loader = {
  name: 'clang-traces',
  title: 'traces of all compiles of a build (clang -ftime-trace): a folder of them, or a build tree',
  provides: ['steps', 'compiles'],
  readsOtherFiles: true,
  make: 'cmake -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS=-ftime-trace, build, then name the build folder',
  fileNames: /(?!)/,
  detect: () => 'no',
  load: ({ path }) => Promise.reject(new FormatError({ path, expected: 'a folder of traces', found: 'a file' })),
  ownsFolder,
  task: sumTraceTask,
  loadFolder,
};
