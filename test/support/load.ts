// Loads bytes and files without a screen.

import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { allEvents } from '../../src/analysis/answers/events.ts';
import { finishProfile, type Loader } from '../../src/formats/loader.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';

/** Loads bytes that come in chunks of the given size. */
export async function loadBytes(loader: Loader, bytes: Uint8Array, chunk = 1 << 20, path = 'test'): Promise<Profile> {
  const sink = new Sink();
  sink.paths.push(path);
  await loader.load(
    {
      path,
      size: bytes.length,
      async *chunks() {
        // One buffer for all chunks, as the real source has it: a loader that keeps a chunk is found out.
        const buffer = new Uint8Array(chunk);
        for (let at = 0; at < bytes.length; at += chunk) {
          const part = bytes.subarray(at, at + chunk);
          buffer.set(part);
          yield buffer.subarray(0, part.length);
        }
      },
    },
    sink,
    new AbortController().signal,
  );
  return finishProfile(loader, sink);
}

export async function loadText(loader: Loader, text: string): Promise<Profile> {
  return loadBytes(loader, Buffer.from(text));
}

export async function loadAnalysis(...paths: string[]): Promise<Analysis> {
  const profile = await loadProfile(paths);
  return analyse(profile, allEvents(profile.events, []));
}
