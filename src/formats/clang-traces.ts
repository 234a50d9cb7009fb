// The traces that clang -ftime-trace leaves of all compiles of a build: a folder of them, or a build tree that has them beside its
// objects. Each compile is a step; what all of them spent their time on is added up.
import { beyondLimit } from '../base/limits.ts';
import { FormatError } from '../base/problem.ts';
import type { Sink } from '../model/sink.ts';
import { StepWriter } from '../model/steps/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import { beginOf, setOrigin } from './cmake/origin.ts';
import { type Folder, type Loader, readsFolders, type Threads } from './loader.ts';
import { compileTask } from './trace-events/compile.ts';
import { readCompiles, type TraceFile } from './trace-events/compile-files.ts';
import { totalsOf } from './trace-events/compile-totals.ts';

/** How deep traces are looked for below a folder, and how many names are looked at: it may be any folder. */
const DEEPEST = 16;
const MOST_NAMES = 400_000;
/** Before anything else is known, only so many names are looked at. */
const GLANCE = 20_000;

/** Names that clang gives its traces: `x.cpp.json` beside `x.cpp.o`, or `x.json`. */
const isTraceName = (name: string): boolean => /\.json(?:\.gz)?$/.test(name) && name !== 'compile_commands.json';

/** The paths of what may be traces below a folder, in order. */
function* candidates(folder: Folder, most: number): Generator<string> {
  const waiting: [path: string, depth: number][] = [['', 0]];
  let names = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [path, depth] = next;
    const entries = folder.list(path);
    names += entries.length;
    for (const { name, regular } of entries) if (regular && isTraceName(name)) yield path === '' ? name : `${path}/${name}`;
    if (names > most) return;
    if (depth < DEEPEST)
      for (const entry of [...entries].reverse())
        if (entry.folder && !entry.name.startsWith('.') && entry.name !== 'node_modules')
          waiting.push([path === '' ? entry.name : `${path}/${entry.name}`, depth + 1]);
  }
}

const GLANCE_BYTES = 4096;

const beginsAsTrace = (bytes: Uint8Array): boolean =>
  /^\s*\{\s*"(?:traceEvents|beginningOfTime)"/.test(decodeBytes(bytes, 0, Math.min(bytes.length, 64))); // bounded: short

/** How the bytes of such a trace begin and end. */
function isCompile(bytes: Uint8Array): boolean {
  const head = decodeBytes(bytes, 0, Math.min(bytes.length, 64));
  const end = decodeBytes(bytes, Math.max(0, bytes.length - 4096), bytes.length);
  return beginsAsTrace(bytes) && /"beginningOfTime"|"Total /.test(head + end);
}

/** Files that are looked into before a folder is taken for something else. */
const TRIED = 50;

function ownsFolder(folder: Folder): boolean {
  let [found, tried] = [0, 0];
  for (const path of candidates(folder, GLANCE)) {
    // Other JSON may be large: its first bytes say that it is none.
    const start = folder.readStart?.(path, GLANCE_BYTES);
    const bytes = start && !beginsAsTrace(start) ? undefined : folder.read(path);
    if (bytes && isCompile(bytes) && ++found === 2) return true;
    if (found === 0 && ++tried === TRIED) return false;
  }
  return false;
}

async function loadFolder(folder: Folder, sink: Sink, signal: AbortSignal, threads?: Threads): Promise<void> {
  const rows = sink.tables(StepWriter);
  const track = rows.untitledTrack('clang', 'units');
  const begin = beginOf(sink);
  const totals = totalsOf(rows, sink.strings);
  const before = totals.count;
  const files: TraceFile[] = Array.from(candidates(folder, MOST_NAMES), (relative) => ({
    relative,
    name: relative.replace(/\.json(?:\.gz)?$/, ''),
    trace: `${folder.path}/${relative}`,
    step: -1,
  }));
  let timeless = 0;
  await readCompiles(files, folder, threads, signal, (file, sums) => {
    if (!sums) return;
    const { limits } = sink;
    if (file.name.length > limits.name)
      throw new FormatError({ path: file.trace, ...beyondLimit(limits, 'name', file.name.length) });
    const known = !Number.isNaN(sums.beginningUs);
    if (!known) timeless++;
    const step = rows.add({
      name: `compile: ${file.name}`,
      role: 'compile',
      track,
      part: begin.part,
      source: file.name,
      startUs: (known ? sums.beginningUs : 0) + sums.startUs,
      durationUs: sums.totalUs,
      trace: file.trace,
      neverRan: !known,
    });
    totals.add({ ...file, step }, sums);
  });
  if (totals.count === before)
    throw new FormatError({
      path: folder.path,
      expected: 'traces of clang -ftime-trace',
      found: `none in ${files.length} JSON files`,
      hint: 'compile with clang++ -ftime-trace, then name the build folder',
    });
  if (timeless > 0) sink.warn({ path: folder.path, expected: 'when each compile began', found: `${timeless} traces without it` });
  setOrigin(sink, begin);
  rows.compiles = totals;
  sink.creator ??= 'clang -ftime-trace';
  sink.addPart({ path: folder.path, notes: [`${totals.count - before} traces of compiles`], events: ['time'] });
}

export const clangTraces: Loader = {
  name: 'clang-traces',
  title: 'traces of all compiles of a build (clang -ftime-trace): a folder of them, or a build tree',
  provides: ['steps', 'compiles'],
  make: 'cmake -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS=-ftime-trace, build, then name the build folder',
  ...readsFolders('a folder of traces'),
  ownsFolder,
  task: compileTask,
  loadFolder,
};
