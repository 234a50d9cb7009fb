// A file that is written piece by piece, whole or not at all, compressed if that is wanted.
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { NewFile } from './writing.ts';

export type PutBytes = (piece: string | Uint8Array) => Promise<void>;

/** Runs what writes pieces, and hands them on compressed. */
export async function compressed(run: (put: PutBytes) => Promise<void>, to: (piece: Uint8Array) => Promise<void>): Promise<void> {
  const gzip = createGzip();
  let ready: Uint8Array[] = [];
  gzip.on('data', (piece: Uint8Array) => {
    ready.push(piece);
  });
  const hand = async () => {
    const pieces = ready;
    ready = [];
    for (const piece of pieces) await to(piece);
  };
  try {
    await run(async (piece) => {
      if (!gzip.write(piece)) await once(gzip, 'drain');
      await hand();
    });
    const ended = once(gzip, 'end');
    gzip.end();
    await ended;
    await hand();
  } finally {
    gzip.destroy();
  }
}

const EVERY_MS = 50;

/** `replace`: a file that has the name already. Throws what the system throws, and RefusedError; then nothing is left of it. */
export async function writePieces(
  path: string,
  { replace, gzip }: { readonly replace: boolean; readonly gzip: boolean },
  run: (put: PutBytes) => Promise<void>,
): Promise<void> {
  let file: NewFile | undefined;
  let rested = performance.now();
  const to = async (piece: string | Uint8Array) => {
    // No file for what cannot be written.
    file ??= new NewFile(path, replace);
    file.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
    if (performance.now() < rested + EVERY_MS) return;
    // Signals are heard between turns alone.
    await setImmediate();
    rested = performance.now();
  };
  try {
    await (gzip ? compressed(run, to) : run(to));
    await to('');
  } catch (error) {
    file?.abandon();
    throw error;
  }
  file?.finish();
}
