// Loads on a thread of its own, so that keys are heard; a small file at once.
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { FormatError } from '../base/problem.ts';
import type { Profile } from '../model/profile.ts';
import { type LoadOptions, loadProfile, type Progress } from './load.ts';
import type { LoadReply, LoadRequest } from './load-worker.ts';

export interface Loading {
  readonly profile: Promise<Profile>;
  /** Stops at once; the promise never settles then. */
  cancel(): void;
}

const CANCEL_MS = 200;
/** Files up to this are there before a thread of its own would have started. */
const SMALL = 4 << 20;

function isSmall(paths: readonly string[]): boolean {
  try {
    return (
      paths.every((p) => p !== '-' && !p.endsWith('.gz') && statSync(p).isFile()) &&
      paths.reduce((sum, p) => sum + statSync(p).size, 0) <= SMALL
    );
  } catch {
    // What is wrong with the file, its load will say.
    return true;
  }
}

/** Rejects with FormatError where the file is wrong. */
export function startLoading(
  paths: readonly string[],
  options: Pick<LoadOptions, 'format' | 'symbols'>,
  onProgress: (progress: Progress) => void,
): Loading {
  if (isSmall(paths)) {
    const abort = new AbortController();
    const profile = loadProfile(paths, { ...options, signal: abort.signal });
    return { profile, cancel: () => abort.abort() };
  }
  const request: LoadRequest = { paths, options };
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
  const cancel = () => {
    // It stops what it has started (a symbolizer) before it goes itself.
    worker.postMessage('cancel');
    setTimeout(() => void worker.terminate(), CANCEL_MS).unref();
  };
  return { profile, cancel };
}
