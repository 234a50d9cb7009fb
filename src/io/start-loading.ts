// Loads on a separate thread, so that keys still work; small files are loaded directly.
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { FormatError } from '../base/problem.ts';
import type { Profile } from '../model/profile.ts';
import { type LoadOptions, loadProfile, type Progress } from './load.ts';
import type { LoadReply, LoadRequest } from './load-worker.ts';

export interface Loading {
  readonly profile: Promise<Profile>;
  /** Stops loading; after that the promise may never settle. */
  cancel(): void;
}

const CANCEL_MS = 200;
/** Files up to this size load before a thread would even have started. */
const SMALL = 4 << 20;

function isSmall(paths: readonly string[]): boolean {
  try {
    return (
      paths.every((p) => p !== '-' && !p.endsWith('.gz') && statSync(p).isFile()) &&
      paths.reduce((sum, p) => sum + statSync(p).size, 0) <= SMALL
    );
  } catch {
    // Loading it will report what is wrong with the file.
    return true;
  }
}

/** The profile rejects with FormatError if the file is invalid. */
export function startLoading(
  paths: readonly string[],
  options: Pick<LoadOptions, 'format' | 'symbols' | 'input' | 'limits'>,
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
    // The worker first stops what it has started (a symbolizer).
    worker.postMessage('cancel');
    setTimeout(() => void worker.terminate(), CANCEL_MS).unref();
  };
  return { profile, cancel };
}
