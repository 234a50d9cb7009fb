// Reads the traces of many compiles, on several threads.

import type { Sink } from '../../model/sink.ts';
import { StepWriter } from '../../model/steps/writer.ts';
import type { Folder, Threads } from '../loader.ts';
import { type CompileSums, sumCompileTrace } from './compile.ts';
import { compileTotalsOf, type UnitNote } from './compile-totals.ts';

/** The trace of a step. `relative`: its path in the opened folder. */
export interface StepTrace {
  readonly step: number;
  readonly relative: string;
}

/** A trace to read: its path in the folder, and the facts about its unit. */
export interface TraceFile extends UnitNote {
  readonly relative: string;
}

/** Number of tasks per thread: one running and one queued. */
const TASKS_PER_THREAD = 2;

/** Passes the sums of each trace to `take` in order; undefined for files that are not a compiler's. Reads some itself. */
export async function readCompileTraces(
  files: readonly TraceFile[],
  folder: Folder,
  threads: Threads | undefined,
  signal: AbortSignal,
  take: (file: TraceFile, sums: CompileSums | undefined) => void,
): Promise<void> {
  const done = new Map<number, CompileSums | undefined>();
  let [next, sent] = [0, 0];
  const finish = (k: number, sums: CompileSums | undefined) => {
    done.set(k, sums);
    for (; done.has(next); next++) {
      take(files[next], done.get(next));
      done.delete(next);
    }
  };
  let failed: unknown;
  const running = new Set<Promise<void>>();
  for (let k = 0; k < files.length; k++) {
    signal.throwIfAborted();
    if (failed !== undefined) throw failed;
    const bytes = folder.read(files[k].relative);
    if (bytes && threads && sent < threads.count * TASKS_PER_THREAD) {
      sent++;
      const own = new Uint8Array(bytes);
      const task: Promise<void> = threads.run(own, [own.buffer]).then(
        (sums) => {
          sent--;
          finish(k, sums as CompileSums | undefined);
        },
        (error: unknown) => {
          failed = error;
        },
      );
      running.add(task);
      void task.finally(() => running.delete(task));
    } else finish(k, bytes && sumCompileTrace(bytes));
    // Let the event loop deliver the threads' results.
    if (threads) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(running);
  if (failed !== undefined) throw failed;
}

/** Adds the traces of steps to the compile totals; warns about files that are not traces. */
export async function addCompileTotals(
  traces: readonly StepTrace[],
  folder: Folder,
  sink: Sink,
  threads: Threads | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (traces.length === 0) return;
  const rows = sink.writerFor(StepWriter);
  const files = traces.map(({ step, relative }) => ({
    step,
    relative,
    name: rows.text('source', step) ?? relative,
    trace: `${folder.path}/${relative}`,
  }));
  const totals = compileTotalsOf(rows, sink.strings);
  await readCompileTraces(files, folder, threads, signal, (file, sums) => {
    if (sums) totals.add(file, sums);
    else sink.warn({ path: file.trace, expected: 'a trace of clang -ftime-trace', found: 'something else; left out' });
  });
  if (totals.count > 0) rows.compiles = totals;
}
