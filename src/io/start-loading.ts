// Loads on a separate thread: keys still work, and running out of memory ends only the thread. Small inputs are loaded directly.
import { attempt } from '../base/attempt.ts';
import { FormatError, memoryProblem } from '../base/problem.ts';
import type { Profile } from '../model/profile.ts';
import { readStart } from './disk/regular.ts';
import { detectLoader, type LoadProgress, loaderNamed, loadProfile } from './load.ts';
import type { LoadReply, LoadRequest } from './load-worker.ts';
import { canStartThreads, endThread, startThread } from './own-files.ts';
import { isGzip, statOf } from './stat.ts';
import { unpackError } from './thread-errors.ts';

type ThreadLoadOptions = LoadRequest['options'];
type OnProgress = (progress: LoadProgress) => void;

/** Milliseconds for a thread to stop the programs that it has started (a symbolizer). */
const MAX_CANCEL_MS = 80;
/** Maximum size of files that load faster than a thread starts. Keys are handled between their chunks. */
const SMALL_FILE_BYTES = 4 << 20;
/** Number of bytes for format detection. */
const HEAD_BYTES = 4096;

/** Loads that have not ended yet. After cancel(), their promises may never settle. */
const runningLoads = new Set<ReturnType<typeof loadDirectly>>();

/** Cancels all loads, because their results are no longer needed. */
export function cancelLoading(): void {
  for (const loading of runningLoads) loading.cancel();
}

/** Loads a profile. Rejects with FormatError if the file is invalid or does not fit into memory. */
export const startLoading = (paths: readonly string[], options: ThreadLoadOptions, onProgress?: OnProgress): Promise<Profile> =>
  beginLoading(paths, options, isOneSmallFile(paths, options), onProgress);

/** Loads without a screen. A thread takes 60 ms to start, so only inputs that may exhaust memory use a thread. */
export const loadWithoutScreen = (paths: readonly string[], options: ThreadLoadOptions): Promise<Profile> =>
  beginLoading(paths, options, paths.every(fitsInMemory));

/** True if the input fits into memory: a folder, whose files are read one by one, or a file that is small decompressed. */
function fitsInMemory(path: string): boolean {
  const stat = path === '-' ? undefined : statOf(path);
  return stat?.isDirectory() === true || (stat?.isFile() === true && stat.size <= SMALL_FILE_BYTES);
}

function beginLoading(paths: readonly string[], options: ThreadLoadOptions, quick: boolean, onProgress: OnProgress = () => {}) {
  // The program has no threads when it runs from its sources.
  const here = quick || !canStartThreads;
  const loading = here ? loadDirectly(paths, options) : loadOnThread({ paths, options }, onProgress);
  runningLoads.add(loading);
  return loading.profile
    .catch((error: unknown) => {
      const problem = memoryProblem(error, paths[0] ?? '');
      throw problem ? new FormatError(problem) : error;
    })
    .finally(() => runningLoads.delete(loading));
}

function isOneSmallFile([path, ...more]: readonly string[], { format }: ThreadLoadOptions): boolean {
  if (path === undefined || more.length > 0) return false;
  // The thread reports a problem with the file.
  return attempt(() => {
    const stat = statOf(path);
    if (!stat?.isFile() || stat.size > SMALL_FILE_BYTES) return false;
    const head = readStart(path, HEAD_BYTES);
    // Compressed data has no detectable format, and may unpack to a thousand times its size.
    const loader = isGzip(head) ? undefined : format === undefined ? detectLoader(head, path) : loaderNamed(format);
    return loader !== undefined && !loader.readsOtherFiles;
  }, false);
}

function loadDirectly(paths: readonly string[], options: ThreadLoadOptions) {
  const abort = new AbortController();
  return { profile: loadProfile(paths, { ...options, signal: abort.signal }), cancel: () => abort.abort() };
}

function loadOnThread(request: LoadRequest, onProgress: OnProgress) {
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
    // Rejecting has no effect after an answer.
    worker.on('exit', (code) => reject(new Error(`the thread that loads ended without an answer (code ${code})`)));
  });
  const cancel = () => {
    worker.postMessage('cancel');
    setTimeout(() => void worker.terminate(), MAX_CANCEL_MS).unref();
  };
  return { profile, cancel };
}
