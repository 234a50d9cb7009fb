// Reads a folder of very many small files on another thread.
import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { canStartThreads, endThread, startThread } from './own-files.ts';
import type { ReadBatch, ReadRequest } from './read-worker.ts';

/** Minimum number of files for a thread: fewer files are read before a thread has started. */
const MIN_FILES_FOR_THREAD = 5000;

/** True if another thread would be faster and can run. It cannot when the program runs from its sources. */
export const canReadAhead = (files: number): boolean =>
  files >= MIN_FILES_FOR_THREAD && availableParallelism() > 1 && canStartThreads;

/** The files in order, valid until the next batch; undefined for files that are gone or that need a closer look. */
export async function* readAhead(folder: string, names: readonly string[]): AsyncGenerator<readonly (Uint8Array | undefined)[]> {
  const used = new Int32Array(new SharedArrayBuffer(4));
  const request: ReadRequest = { folder, names, used };
  const worker = startThread('read-worker', request);
  const batches: AsyncIterable<readonly ReadBatch[]> = on(worker, 'message');
  // The first error ends the loop below; errors after its end have no effect.
  worker.on('error', () => {});
  worker.on('messageerror', (error) => worker.emit('error', error));
  worker.on('exit', (code) => worker.emit('error', new Error(`the thread that reads ended without an answer (code ${code})`)));
  let read = 0;
  try {
    for await (const [{ bytes, ends }] of batches) {
      let from = 0;
      const fileAt = (end: number) => {
        if (end < 0) return undefined;
        const file = bytes.subarray(from, end);
        from = end;
        return file;
      };
      yield Array.from(ends, fileAt);
      Atomics.add(used, 0, 1);
      Atomics.notify(used, 0);
      read += ends.length;
      if (read === names.length) return;
    }
  } finally {
    endThread(worker);
  }
}
