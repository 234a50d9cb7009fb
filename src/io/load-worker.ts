// Loads a profile on a separate thread, so that keys still work meanwhile. The tables are transferred, not copied.
import { parentPort, workerData } from 'node:worker_threads';
import type { Profile } from '../model/profile.ts';
import { type LoadProgress, loadProfile, type ProfileLoadOptions } from './load.ts';
import { packError, type SentError } from './thread-errors.ts';

export interface LoadRequest {
  readonly paths: readonly string[];
  readonly options: Pick<
    ProfileLoadOptions,
    'format' | 'symbols' | 'input' | 'limits' | 'compilers' | 'live' | 'perf' | 'weight' | 'log'
  >;
}

export type LoadReply =
  | { readonly type: 'progress'; readonly progress: LoadProgress }
  | { readonly type: 'profile'; readonly profile: Profile }
  | { readonly type: 'failed'; readonly error: SentError };

/** The buffers of all columns in a value, each once. */
function buffersOf(value: unknown, out: Set<ArrayBuffer> = new Set()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) out.add(value.buffer as ArrayBuffer);
  else if (Array.isArray(value)) {
    // A list of plain values holds no columns, so checking its first element is enough.
    if (value.length > 0 && typeof value[0] === 'object') for (const v of value) buffersOf(v, out);
  } else if (typeof value === 'object' && value !== null) for (const v of Object.values(value)) buffersOf(v, out);
  return out;
}

async function loadAndReply(): Promise<void> {
  const { paths, options } = workerData as LoadRequest;
  const abort = new AbortController();
  // The listener keeps the thread alive; its creator ends it.
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

// Ends the thread without an answer, for tests of the error message in that case.
if (process.env['PROFTUI_TEST_CRASH'] === 'thread') process.exit(3);
if (parentPort) void loadAndReply();
