// Reads the files of a folder on a separate thread, while another thread parses them.
import { parentPort, workerData } from 'node:worker_threads';
import { makeListedFileReader } from './disk/regular.ts';

export interface ReadRequest {
  readonly folder: string;
  readonly names: readonly string[];
  /** Its element 0 counts the batches that have been used. */
  readonly used: Int32Array;
}

/** A batch of files, in order. `ends`: the end of each file in `bytes`; -1 for a file that needs a closer look. */
export interface ReadBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Int32Array<ArrayBuffer>;
}

const BATCH_BYTES = 4 << 20;
const BATCH_FILES = 4096;
const MAX_WAITING_BATCHES = 4;

function postBatches({ folder, names, used }: ReadRequest, post: (batch: ReadBatch) => void): void {
  const read = makeListedFileReader(folder);
  let posted = 0;
  for (let first = 0; first < names.length; ) {
    const bytes = new Uint8Array(BATCH_BYTES);
    const ends = new Int32Array(Math.min(BATCH_FILES, names.length - first));
    let [files, length] = [0, 0];
    while (files < ends.length) {
      const file = read?.(names[first + files]);
      if (file && length + file.length > BATCH_BYTES) break;
      if (file) {
        bytes.set(file, length);
        length += file.length;
      }
      ends[files++] = file ? length : -1;
    }
    while (posted - Atomics.load(used, 0) >= MAX_WAITING_BATCHES) Atomics.wait(used, 0, Atomics.load(used, 0), 1000);
    post({ bytes, ends: ends.slice(0, files) });
    posted++;
    first += files;
  }
}

// The listener keeps the thread alive; its creator ends it.
parentPort?.on('message', () => {});
if (parentPort)
  postBatches(workerData as ReadRequest, (batch) => parentPort!.postMessage(batch, [batch.bytes.buffer, batch.ends.buffer]));
