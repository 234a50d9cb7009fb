// Reads the traces of many compiles, in several threads.

import type { Sink } from '../../model/sink.ts';
import { StepWriter } from '../../model/steps/writer.ts';
import type { Folder, Threads } from '../loader.ts';
import { type CompileSums, compileSums } from './compile.ts';
import { totalsOf, type UnitNote } from './compile-totals.ts';

/** Where the trace of a step is, seen from the folder that was opened. */
export interface StepTrace {
  readonly step: number;
  readonly relative: string;
}

/** A trace to read: where it is in the folder, and what is known of its unit. */
export interface TraceFile extends UnitNote {
  readonly relative: string;
}

/** Tasks that a thread has before it: one that it works on, and one to go on with. */
const WAITING = 2;

/**
 * Passes the sums of each trace to `take`, in order; undefined where a file is none of a compiler. What threads cannot take at once is read
 * here.
 */
export async function readCompiles(
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
    if (bytes && threads && sent < threads.count * WAITING) {
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
    } else finish(k, bytes && compileSums(bytes));
    // Results of the threads come in between.
    if (threads) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(running);
  if (failed !== undefined) throw failed;
}

/** Adds the traces of steps to what the compilers did; says which files are no such traces. */
export async function addCompiles(
  traces: readonly StepTrace[],
  folder: Folder,
  sink: Sink,
  threads: Threads | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (traces.length === 0) return;
  const rows = sink.tables(StepWriter);
  const files = traces.map(({ step, relative }) => ({
    step,
    relative,
    name: rows.text('source', step) ?? relative,
    trace: `${folder.path}/${relative}`,
  }));
  const totals = totalsOf(rows, sink.strings);
  await readCompiles(files, folder, threads, signal, (file, sums) => {
    if (sums) totals.add(file, sums);
    else sink.warn({ path: file.trace, expected: 'a trace of clang -ftime-trace', found: 'something else; left out' });
  });
  if (totals.count > 0) rows.compiles = totals;
}
