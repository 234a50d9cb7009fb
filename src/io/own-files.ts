// The program's other files: the code of its threads, and its demangler. Beside the bundle, or inside the executable (scripts/sea.mjs).
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

type Thread = 'load-worker' | 'read-worker' | 'task-worker';

/** Whether threads can start: not when the program runs from its sources. */
export const hasThreads: boolean = isSea() || existsSync(new URL('./load-worker.js', import.meta.url));

export function startThread(name: Thread, workerData: unknown): Worker {
  const file = `${name}.js`;
  if (isSea()) return new Worker(getAsset(file, 'utf8'), { eval: true, workerData });
  return new Worker(new URL(`./${file}`, import.meta.url), { workerData });
}

/** The demangler's WebAssembly: in its npm package when run from the sources. */
export function demanglerCode(): Uint8Array<ArrayBuffer> {
  if (isSea()) return new Uint8Array(getAsset('demangle.wasm'));
  const beside = new URL('./demangle.wasm', import.meta.url);
  return readFileSync(
    existsSync(beside) ? beside : createRequire(import.meta.url).resolve('gecko-profiler-demangle/index_bg.wasm'),
  );
}

/** The words that start this program again. */
export const ownCommand = (): string[] => (isSea() ? [process.execPath] : [process.execPath, process.argv[1]]);

/** The profile of the tour and its source: beside the bundle, or among the fixtures when run from the sources; none in the executable. */
export function tourFiles(): { readonly paths: readonly string[]; readonly sourceDirs: readonly string[] } | undefined {
  if (isSea()) return undefined;
  const [beside, fixtures] = ['./tour/', '../../fixtures/tour/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const folder = existsSync(beside) ? beside : fixtures;
  return { paths: [`${folder}words.out.gz`], sourceDirs: [folder] };
}
