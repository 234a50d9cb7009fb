// Writes a file in pieces, complete or not at all, compressed if requested.
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { NewFile } from './writing.ts';

export type PutBytes = (piece: string | Uint8Array) => Promise<void>;

/** Runs a writer of pieces, and passes its output on in compressed form. */
export async function compressPieces(
  run: (put: PutBytes) => Promise<void>,
  writeCompressed: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const gzip = createGzip();
  let ready: Uint8Array[] = [];
  gzip.on('data', (piece: Uint8Array) => {
    ready.push(piece);
  });
  const passReadyPieces = async () => {
    const pieces = ready;
    ready = [];
    for (const piece of pieces) await writeCompressed(piece);
  };
  try {
    await run(async (piece) => {
      if (!gzip.write(piece)) await once(gzip, 'drain');
      await passReadyPieces();
    });
    const ended = once(gzip, 'end');
    gzip.end();
    await ended;
    await passReadyPieces();
  } finally {
    gzip.destroy();
  }
}

const YIELD_INTERVAL_MS = 50;

/** Writes a file. `replace`: an existing file may be replaced. Throws RefusedError and system errors; leaves no draft. */
export async function writePieces(
  path: string,
  { replace, gzip }: { readonly replace: boolean; readonly gzip: boolean },
  run: (put: PutBytes) => Promise<void>,
): Promise<void> {
  let file: NewFile | undefined;
  let rested = performance.now();
  const writePiece = async (piece: string | Uint8Array) => {
    // The file is created with the first piece, so that no file appears if there is nothing to write.
    file ??= new NewFile(path, replace);
    file.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
    if (performance.now() < rested + YIELD_INTERVAL_MS) return;
    // Node handles signals only between turns of the event loop.
    await setImmediate();
    rested = performance.now();
  };
  try {
    await (gzip ? compressPieces(run, writePiece) : run(writePiece));
    await writePiece('');
  } catch (error) {
    file?.abandon();
    throw error;
  }
  file?.finish();
}
