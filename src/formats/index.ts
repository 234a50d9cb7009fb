// The list of all formats. To add a format, add its file and an entry in this list.
import { aprof } from './aprof/index.ts';
import { austin } from './austin.ts';
import { buildTrace } from './build-trace.ts';
import { cachegrind, callgrind } from './callgrind/index.ts';
import { clangTraces } from './clang-traces.ts';
import { cmake } from './cmake/index.ts';
import { cpuprofile } from './cpuprofile.ts';
import { ctest } from './ctest.ts';
import { dhat } from './dhat.ts';
import { firefox } from './firefox/index.ts';
import { folded } from './folded.ts';
import { gccTimeReport } from './gcc-time-report.ts';
import { goText } from './go-text.ts';
import { gperftools } from './gperftools/index.ts';
import { gprof } from './gprof/index.ts';
import { heapText } from './heap-text.ts';
import { heapprofile } from './heapprofile.ts';
import type { Loader } from './loader.ts';
import { massif } from './massif.ts';
import { ninjaLog } from './ninja-log.ts';
import { perfScript } from './perf-script/index.ts';
import { pprof } from './pprof/index.ts';
import { speedscope } from './speedscope.ts';
import { traceEvents } from './trace-events/index.ts';

/** All loaders. Of several that might read a file, the first one does. */
export const loaders: readonly Loader[] = [
  ...[callgrind, cachegrind, gperftools, gprof, heapText, goText, dhat, massif, pprof, perfScript, austin, folded],
  ...[cpuprofile, heapprofile, speedscope, firefox, aprof],
  ...[cmake, clangTraces, traceEvents, ctest, ninjaLog, buildTrace, gccTimeReport],
];
