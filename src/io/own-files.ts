// Finds the program's other files (thread code, demangler), beside the bundle or inside the executable (scripts/sea.mjs).
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { privateFolder } from './disk/private-folder.ts';
import { replaceFile } from './disk/writing.ts';

/** True if threads can start, which they cannot when the program runs from its sources. */
export const canStartThreads: boolean = isSea() || existsSync(new URL('./load-worker.js', import.meta.url));

export function startThread(name: 'load-worker' | 'read-worker' | 'task-worker', workerData: unknown): Worker {
  const file = `${name}.js`;
  if (isSea()) return new Worker(getAsset(file, 'utf8'), { eval: true, workerData });
  return new Worker(new URL(`./${file}`, import.meta.url), { workerData });
}

const IDLE_THREAD_MS = 250;

/**
 * Ends an idle thread; the program need not wait for it. The thread ends after a delay: Node may hang if a thread ends
 * while its code is still compiled in the background and memory is short (nodejs/node#54918).
 */
export function endThread(worker: Worker): void {
  worker.unref();
  setTimeout(() => void worker.terminate(), IDLE_THREAD_MS).unref();
}

/** The demangler's WebAssembly code, from its npm package when run from the sources. Throws if the package is broken. */
export function demanglerCode(): Uint8Array<ArrayBuffer> {
  if (isSea()) return new Uint8Array(getAsset('demangle.wasm'));
  const beside = new URL('./demangle.wasm', import.meta.url);
  return readFileSync(
    existsSync(beside) ? beside : createRequire(import.meta.url).resolve('gecko-profiler-demangle/index_bg.wasm'),
  );
}

/** The command words that start this program again. */
export const ownCommand = (): string[] => (isSea() ? [process.execPath] : [process.execPath, process.argv[1]]);

const TOUR_FILES = ['words.out.gz', 'words.cpp'];

/**
 * The profile and source of the tour: beside the bundle, or in the fixtures when run from the sources. The executable
 * unpacks its own into the user's cache; undefined if there is no private folder.
 */
export function tourFiles(): { readonly paths: readonly string[]; readonly sourceDirs: readonly string[] } | undefined {
  const folder = isSea() ? unpackTour() : TOUR_FOLDERS.find((path) => existsSync(path));
  return folder === undefined ? undefined : { paths: [join(folder, TOUR_FILES[0])], sourceDirs: [folder] };
}

const TOUR_FOLDERS = ['./tour/', '../../fixtures/tour/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

function unpackTour(): string | undefined {
  const folder = privateFolder('cache', 'tour');
  if (folder !== undefined) for (const name of TOUR_FILES) replaceFile(join(folder, name), new Uint8Array(getAsset(name)));
  return folder;
}
