// Loads on a separate thread, so that keys still work; small files are loaded directly.
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { memoryProblem } from '../base/memory.ts';
import { FormatError } from '../base/problem.ts';
import type { Profile } from '../model/profile.ts';
import { type LoadOptions, loadProfile, type Progress } from './load.ts';
import type { LoadReply, LoadRequest } from './load-worker.ts';
import { unpackError } from './thread-errors.ts';

export interface Loading {
  readonly profile: Promise<Profile>;
  /** Stops loading; after that the promise may never settle. */
  cancel(): void;
}

type Options = Pick<LoadOptions, 'format' | 'symbols' | 'input' | 'limits'>;

/** How long a thread may take to stop what it has started (a symbolizer). */
const CANCEL_MS = 80;
/** Files up to this size load before a thread would even have started. */
const SMALL = 4 << 20;

/** What has not ended yet, to be cancelled. */
const running = new Set<Loading>();

/** Stops whatever still loads: nobody waits for it any more. */
export function cancelLoading(): void {
  for (const loading of running) loading.cancel();
}

/** The profile rejects with FormatError if the file is invalid, or if memory is not enough for it. */
export function startLoading(paths: readonly string[], options: Options, onProgress: (progress: Progress) => void): Loading {
  const { profile, cancel } = isSmall(paths) ? loadHere(paths, options) : loadOnThread(paths, options, onProgress);
  const loading: Loading = {
    profile: profile
      .catch((error: unknown) => {
        const problem = memoryProblem(error, paths[0] ?? '');
        throw problem ? new FormatError(problem) : error;
      })
      .finally(() => running.delete(loading)),
    cancel,
  };
  running.add(loading);
  return loading;
}

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

function loadHere(paths: readonly string[], options: Options): Loading {
  const abort = new AbortController();
  return { profile: loadProfile(paths, { ...options, signal: abort.signal }), cancel: () => abort.abort() };
}

function loadOnThread(paths: readonly string[], options: Options, onProgress: (progress: Progress) => void): Loading {
  const request: LoadRequest = { paths, options };
  const worker = new Worker(new URL('./load-worker.js', import.meta.url), { workerData: request });
  const profile = new Promise<Profile>((resolve, reject) => {
    worker.on('message', (reply: LoadReply) => {
      if (reply.type === 'progress') onProgress(reply.progress);
      else if (reply.type === 'profile') resolve(reply.profile);
      else reject(unpackError(reply.error));
    });
    worker.on('error', reject);
    worker.on('messageerror', reject);
    // Without effect if it has answered.
    worker.on('exit', (code) => reject(new Error(`the thread that loads ended without an answer (code ${code})`)));
  });
  const cancel = () => {
    worker.postMessage('cancel');
    setTimeout(() => void worker.terminate(), CANCEL_MS).unref();
  };
  return { profile, cancel };
}
