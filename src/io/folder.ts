// Gives loaders access to the files of a folder.

import { on } from 'node:events';
import { opendirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { attempt } from '../base/attempt.ts';
import { FormatError } from '../base/problem.ts';
import { loaders } from '../formats/index.ts';
import type { Folder, FolderEntry, Loader } from '../formats/loader.ts';
import { makeListedFileReader, readRegular, readStart } from './disk/regular.ts';
import { canStartThreads, endThread, startThread } from './own-files.ts';
import type { ReadBatch, ReadRequest } from './read-worker.ts';
import { decodeWhole } from './sources/encoding.ts';
import { gunzipWhole, UnpackBudget } from './sources/gunzip.ts';
import { isFolder, isGzip, statOf } from './stat.ts';

/** Maximum size of a file, both as stored and decompressed. */
const MAX_FILE_BYTES = 256 << 20;

export function openFolder(path: string, budget = new UnpackBudget()): Folder {
  return {
    path,
    some(relative, wanted) {
      return attempt(() => {
        const folder = opendirSync(join(path, relative));
        try {
          for (let e = folder.readSync(); e; e = folder.readSync())
            if (wanted({ name: e.name, folder: e.isDirectory(), regular: e.isFile() })) return true;
          return false;
        } finally {
          folder.closeSync();
        }
      }, false);
    },
    async *readAll(relative, entries) {
      const at = join(path, relative);
      const listedOrRead = (entry: FolderEntry, bytes: Uint8Array | undefined) =>
        bytes && entry.regular && !isGzip(bytes) ? bytes : this.read(join(relative, entry.name));
      // No thread can start when the program runs from its sources.
      if (entries.length < MIN_FILES_FOR_THREAD || availableParallelism() === 1 || !canStartThreads) {
        // A file that the listing calls regular is read without another stat.
        const readListed = makeListedFileReader(at);
        for (const entry of entries) yield [listedOrRead(entry, entry.regular ? readListed?.(entry.name) : undefined)];
        return;
      }
      let first = 0;
      const names = entries.map((entry) => entry.name);
      for await (const files of readAhead(at, names)) {
        const start = first;
        yield files.map((bytes, k) => listedOrRead(entries[start + k], bytes));
        first += files.length;
      }
    },
    readStart(relative, most) {
      return attempt(() => {
        const bytes = readStart(join(path, relative), most);
        // The rest of the file was not read: finishFlush 2 (Z_SYNC_FLUSH) accepts a truncated stream.
        return isGzip(bytes) ? gunzipSync(bytes, { finishFlush: 2, maxOutputLength: MAX_FILE_BYTES }) : bytes;
      });
    },
    list(relative) {
      // A missing or unreadable folder counts as empty.
      return attempt(() => {
        const entries = new Map<string, FolderEntry>();
        for (const e of readdirSync(join(path, relative), { withFileTypes: true }))
          entries.set(e.name, { name: e.name, folder: e.isDirectory(), regular: e.isFile() });
        return [...entries.keys()].sort().flatMap((name) => entries.get(name) ?? []);
      }, []);
    },
    read(relative) {
      try {
        const { bytes } = readRegular(join(path, relative), MAX_FILE_BYTES);
        if (!isGzip(bytes)) return decodeWhole(bytes);
        const unpacked = gunzipWhole(bytes, MAX_FILE_BYTES);
        budget.packed += bytes.length;
        budget.addUnpacked(unpacked.length, join(path, relative));
        return decodeWhole(unpacked);
      } catch (error) {
        if (error instanceof FormatError) throw error;
        return undefined;
      }
    },
    modifiedMs(relative) {
      const stat = statOf(join(path, relative));
      return stat?.isFile() ? stat.mtimeMs : undefined;
    },
  };
}

/** The loader that reads this folder as a whole; undefined if there is none, or if the path is not a folder. */
export function folderLoader(path: string): Loader | undefined {
  if (!isFolder(path)) return undefined;
  const folder = openFolder(path);
  return loaders.find((l) => l.ownsFolder?.(folder));
}

/** Minimum number of files for a thread: fewer files are read before a thread has started. */
const MIN_FILES_FOR_THREAD = 5000;

/** The files in order, read on another thread, valid until the next batch; undefined for files that are gone or need a closer look. */
async function* readAhead(folder: string, names: readonly string[]): AsyncGenerator<readonly (Uint8Array | undefined)[]> {
  const used = new Int32Array(new SharedArrayBuffer(4));
  const request: ReadRequest = { folder, names, used };
  const worker = startThread('read-worker', request);
  const batches: AsyncIterable<readonly ReadBatch[]> = on(worker, 'message');
  // The first error ends the loop below; errors after its end have no effect.
  worker.on('error', () => {});
  worker.on('messageerror', (error) => worker.emit('error', error));
  worker.on('exit', (code) => worker.emit('error', new Error(`the thread that reads ended without an answer (code ${code})`)));
  let read = 0;
  try {
    for await (const [{ bytes, ends }] of batches) {
      let from = 0;
      const fileAt = (end: number) => {
        if (end < 0) return undefined;
        const file = bytes.subarray(from, end);
        from = end;
        return file;
      };
      yield Array.from(ends, fileAt);
      Atomics.add(used, 0, 1);
      Atomics.notify(used, 0);
      read += ends.length;
      if (read === names.length) return;
    }
  } finally {
    endThread(worker);
  }
}
