// Loads Trace Event files (Chrome's JSON), written by clang -ftime-trace, ninjatracing, CMake, Perfetto and Bazel (bazel.ts).
// Specification: "Trace Event Format" (Google). Events are read one by one: a trace is never held as one string.
// Real writers differ: clang writes totals as extra events, and CMake puts a whole instrumentation step into `args`.
// Events may come in any order, so pairs and flows (pairs.ts) are assembled at the end.
import type { Sink } from '../../model/sink.ts';
import type { Detection, Loader, Source } from '../loader.ts';
import { listOf, parseJson } from '../shared/json.ts';
import { ListSplitter } from '../shared/json-object.ts';
import { headText, readPieces } from '../shared/stream.ts';
import { CompileTraceReader } from './compile.ts';
import { TraceReader } from './reader.ts';

function detect(head: Uint8Array): Detection {
  const text = headText(head).trimStart();
  if (/^\{[\s\S]*?"traceEvents"\s*:\s*\[/.test(text)) return 'yes'; // bounded: the head of a file
  if (/^\[\s*\]?\s*$/.test(text)) return 'maybe'; // bounded: the head of a file
  if (/^\[\s*\{/.test(text) && /"ph"\s*:\s*"/.test(text)) return 'yes'; // bounded: the head of a file
  return 'no';
}

/** A compiler's events have a detail. Other traces are not read for the work of a compiler. */
const mayBeOfCompiler = (start: Uint8Array): boolean => headText(start.subarray(0, 1 << 16)).includes('"detail"');

async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const { path } = source;
  const reader = new TraceReader(sink, path);
  let compile: CompileTraceReader | undefined;
  const splitter = new ListSplitter('traceEvents', {
    readElement: (json, offset) => {
      compile?.readElement(json);
      if (json.wrong === undefined) reader.readEvent(json.value, offset);
      else sink.warn({ path, offset, expected: 'an event', found: `${json.wrong}; left out` });
    },
    readPlainElement(bytes, at, end, offset) {
      const to = reader.readPlainEvent(bytes, at, end, offset);
      if (to > 0 && compile && compile.readPlainElement(bytes, at, end) < 0)
        compile.readElement({ value: parseJson(headText(bytes.subarray(at, to))) });
      return to;
    },
    readMember: (key, value) => {
      if (key === 'beginningOfTime') reader.setBeginningOfTime(value);
      else if (key === 'samples') reader.stacks.samples = listOf(value);
      else if (key === 'stackFrames') reader.stacks.frames = value;
    },
    refuse: (offset, found) => {
      throw reader.errorAt(offset, 'a list of events, or an object with traceEvents', found);
    },
  });
  const { read: bytes, rest } = await readPieces(
    source,
    sink.limits,
    signal,
    (piece) => {
      if (splitter.offset === 0 && mayBeOfCompiler(piece)) compile ??= new CompileTraceReader();
      return splitter.take(piece);
    },
    'value',
  );
  if (bytes === 0) throw reader.errorAt(0, 'a trace', 'an empty file');
  const open = splitter.end(rest);
  if (!splitter.found) throw reader.errorAt(bytes, 'traceEvents', 'an object without it');
  // In the array form, the end of the array may be missing, but an event must not be cut.
  if (open?.inside)
    reader.markCut(
      { offset: open.offset },
      open.inList ? 'the end of an event' : 'the end of a member beside the events',
      `the file was cut off: ${open.inList ? 'only complete events are shown' : 'this member is missing'}`,
    );
  reader.finish(compile?.buildSums());
}

export const traceEvents: Loader = {
  name: 'trace-events',
  title: 'Trace Event file (clang -ftime-trace, Bazel, CMake, ninjatracing, Chrome)',
  provides: ['routines', 'steps', 'calls', 'trees', 'compiles'],
  make: 'clang++ -ftime-trace -c file.cpp',
  fileNames: /((^trace.*|\.trace|time-trace.*|^bazel.*profile.*)\.json|^command.*\.profile)(\.gz)?$/, // bounded: a file name
  detect,
  load,
};
