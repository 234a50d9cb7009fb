// Starts the worker that loads, and hands on what it says.
import { Worker } from 'node:worker_threads';
import { FormatError } from '../base/problem.ts';
import type { Profile } from '../model/profile.ts';
import type { Progress } from './load.ts';
import type { LoadReply, LoadRequest } from './load-worker.ts';

export interface Loading {
  readonly profile: Promise<Profile>;
  /** Stops at once; the promise never settles then. */
  cancel(): void;
}

/** Rejects with FormatError where the file is wrong. */
export function loadInWorker(
  paths: readonly string[],
  format: string | undefined,
  onProgress: (progress: Progress) => void,
): Loading {
  const request: LoadRequest = { paths, format };
  const worker = new Worker(new URL('./load-worker.js', import.meta.url), { workerData: request });
  const profile = new Promise<Profile>((resolve, reject) => {
    worker.on('message', (reply: LoadReply) => {
      if (reply.type === 'progress') onProgress(reply.progress);
      else if (reply.type === 'profile') resolve(reply.profile);
      else if (reply.type === 'problem') reject(new FormatError(reply.problem));
      else reject(Object.assign(new Error(reply.message), { stack: reply.stack }));
    });
    worker.on('error', reject);
  });
  return { profile, cancel: () => void worker.terminate() };
}
