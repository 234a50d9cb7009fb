// Threads that run a loader's task. They start with the first task; one core is left for the loader itself.
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { Loader, Threads } from '../formats/loader.ts';
import { mayUseThreads } from './memory-limit.ts';
import { canStartThreads, endThread, startThread } from './own-files.ts';
import { type SentError, unpackError } from './thread-errors.ts';

/** Maximum number of threads. More would only wait for the loader, which combines their results. */
const MAX_THREADS = 3;

/** A thread replies to its requests in their order. */
export type TaskReply = { readonly result: unknown } | { readonly error: SentError };

interface PendingTask {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Runs `use` with threads for a loader's task, and closes them afterwards. */
export async function withThreads(
  loader: Loader,
  use: (threads: Threads | undefined) => Promise<void> | undefined,
): Promise<void> {
  const threads = openThreads(loader);
  try {
    await use(threads);
  } finally {
    threads?.close();
  }
}

/** Threads for a loader's task; undefined without a task, with one core or little memory, or if the program runs from its sources. */
function openThreads(loader: Loader): (Threads & { close(): void }) | undefined {
  const count = Math.min(MAX_THREADS, availableParallelism() - 1);
  if (!loader.task || count < 1 || !canStartThreads || !mayUseThreads()) return undefined;
  const workers: { readonly worker: Worker; readonly waiting: PendingTask[] }[] = [];
  const start = () => {
    const worker = startThread('task-worker', loader.name);
    const waiting: PendingTask[] = [];
    worker.on('message', (reply: TaskReply) => {
      const { resolve, reject } = waiting.shift()!;
      if ('error' in reply) reject(unpackError(reply.error));
      else resolve(reply.result);
    });
    const thread = { worker, waiting };
    const fail = (error: Error) => {
      // The failed thread gets no more tasks.
      if (workers.includes(thread)) workers.splice(workers.indexOf(thread), 1);
      for (const { reject } of waiting) reject(error);
    };
    worker.on('error', fail);
    worker.on('messageerror', fail);
    worker.on('exit', (code) => fail(new Error(`a thread of the loader ended without an answer (code ${code})`)));
    worker.unref();
    return thread;
  };
  return {
    count,
    run(input, transfer) {
      while (workers.length < count) workers.push(start());
      const { worker, waiting } = workers.reduce((a, b) => (b.waiting.length < a.waiting.length ? b : a));
      const result = new Promise((resolve, reject) => {
        // The worker keeps the program alive from its first task until close().
        worker.ref();
        worker.postMessage(input, [...transfer]);
        waiting.push({ resolve, reject });
      });
      // Avoids an unhandled rejection: the caller may await this result late, or never after close().
      result.catch(() => {});
      return result;
    },
    close() {
      for (const { worker } of workers) endThread(worker);
    },
  };
}
