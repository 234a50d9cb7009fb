// Loads on a separate thread: keys still work, and if memory runs out, the thread ends and not the program. What takes no longer than starting the thread is loaded directly.
import { statSync } from 'node:fs';
import { memoryProblem } from '../base/memory.ts';
import { FormatError } from '../base/problem.ts';
import type { Profile } from '../model/profile.ts';
import { readStart } from './disk/regular.ts';
import { detectLoader, type LoadOptions, loaderNamed, loadProfile, type Progress } from './load.ts';
import type { LoadReply, LoadRequest } from './load-worker.ts';
import { endThread, hasThreads, startThread } from './own-files.ts';
import { isGzip } from './stat.ts';
import { unpackError } from './thread-errors.ts';

export interface Loading {
  readonly profile: Promise<Profile>;
  /** Stops loading; after that the promise may never settle. */
  cancel(): void;
}

type Options = Pick<LoadOptions, 'format' | 'symbols' | 'input' | 'limits' | 'compilers' | 'live' | 'perf'>;

/** How long a thread may take to stop what it has started (a symbolizer). */
const CANCEL_MS = 80;
/** Files up to this size load before a thread would even have started; keys are handled between their pieces. */
const SMALL = 4 << 20;
/** As many bytes as detection looks at. */
const HEAD = 4096;

/** Tasks that have not ended yet, to be cancelled. */
const running = new Set<Loading>();

/** Stops whatever still loads: nobody waits for it any more. */
export function cancelLoading(): void {
  for (const loading of running) loading.cancel();
}

/** The profile rejects with FormatError if the file is invalid, or if memory is not enough for it. */
export function startLoading(paths: readonly string[], options: Options, onProgress: (progress: Progress) => void): Loading {
  return start(paths, options, isSmall(paths, options), onProgress);
}

/** Loads where no keys wait: a thread, which takes 60 ms to start, is only for what may need more memory than there is. */
export function loadWithoutKeys(paths: readonly string[], options: Options): Promise<Profile> {
  return start(paths, options, paths.every(isLight), () => {}).profile;
}

/** Whether a path surely fits into memory: a folder, whose files are read one by one, or a file that is not large when it is unpacked. */
function isLight(path: string): boolean {
  const stat = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true || (stat?.isFile() === true && stat.size <= SMALL);
}

function start(paths: readonly string[], options: Options, quick: boolean, onProgress: (progress: Progress) => void): Loading {
  // Run from its sources, the program has no threads.
  const here = quick || !hasThreads;
  const { profile, cancel } = here ? loadHere(paths, options) : loadOnThread({ paths, options }, onProgress);
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

/** Whether a small file is all that is read. */
function isSmall([path, ...more]: readonly string[], { format }: Options): boolean {
  if (path === undefined || more.length > 0) return false;
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > SMALL) return false;
    const head = readStart(path, HEAD);
    // Compressed data is of no format, and may be a thousand times as long.
    const loader = isGzip(head) ? undefined : format === undefined ? detectLoader(head, path) : loaderNamed(format);
    return loader?.isSelfContained === true;
  } catch {
    // The thread will say what is wrong with the file.
    return false;
  }
}

function loadHere(paths: readonly string[], options: Options): Loading {
  const abort = new AbortController();
  return { profile: loadProfile(paths, { ...options, signal: abort.signal }), cancel: () => abort.abort() };
}

function loadOnThread(request: LoadRequest, onProgress: (progress: Progress) => void): Loading {
  const worker = startThread('load-worker', request);
  const profile = new Promise<Profile>((resolve, reject) => {
    worker.on('message', (reply: LoadReply) => {
      if (reply.type === 'progress') return onProgress(reply.progress);
      endThread(worker);
      if (reply.type === 'profile') resolve(reply.profile);
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
