// Loads on a separate thread, so keys still work meanwhile. The tables are transferred, not copied.
import { parentPort, workerData } from 'node:worker_threads';
import type { Profile } from '../model/profile.ts';
import { type LoadOptions, loadProfile, type Progress } from './load.ts';
import { packError, type SentError } from './thread-errors.ts';

export interface LoadRequest {
  readonly paths: readonly string[];
  readonly options: Pick<LoadOptions, 'format' | 'symbols' | 'input' | 'limits' | 'compilers' | 'live' | 'perf'>;
}

export type LoadReply =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'profile'; readonly profile: Profile }
  | { readonly type: 'failed'; readonly error: SentError };

/** The buffers of all columns, each once. */
function buffersOf(value: unknown, out: Set<ArrayBuffer> = new Set()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) out.add(value.buffer as ArrayBuffer);
  else if (Array.isArray(value)) {
    // Lists of plain values hold no columns; checking the first element is enough.
    if (value.length > 0 && typeof value[0] === 'object') for (const v of value) buffersOf(v, out);
  } else if (typeof value === 'object' && value !== null) for (const v of Object.values(value)) buffersOf(v, out);
  return out;
}

async function run(): Promise<void> {
  const { paths, options } = workerData as LoadRequest;
  const abort = new AbortController();
  // Listening keeps it alive; who started it ends it.
  parentPort!.on('message', () => abort.abort());
  const post = (reply: LoadReply, transfer: ArrayBuffer[] = []) => parentPort!.postMessage(reply, transfer);
  try {
    const profile = await loadProfile(paths, {
      ...options,
      signal: abort.signal,
      onProgress: (progress) => post({ type: 'progress', progress }),
    });
    post({ type: 'profile', profile }, [...buffersOf(profile)]);
  } catch (error) {
    if (!abort.signal.aborted) post({ type: 'failed', error: packError(error) });
  }
}

// The only way to test what is said of a thread that should never end like this.
if (process.env['PROFTUI_TEST_CRASH'] === 'thread') process.exit(3);
if (parentPort) void run();
