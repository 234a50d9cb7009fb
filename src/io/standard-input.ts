// Whether a profile arrives on standard input though nothing on the command line says so: `zcat F | proftui`.

import { fstatSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { attempt } from '../base/attempt.ts';

/** A writer that needs longer is worth a line that says what is waited for. */
const HINT_MS = 1000;
/** Pipes that stay open without data (CI) cost no more than this. */
const PATIENCE_MS = 10_000;
const CHUNK = 1 << 16;

/** A pipe in which nothing came: it ended, or it is still open. */
export type NoInput = 'ended' | 'silent';

/**
 * The first bytes of standard input, none if it is a file; undefined where standard input is no file, pipe or socket. A pipe has ten seconds for
 * its first byte. `onSlow` is called where it takes more than one.
 */
export async function waitForInput(onSlow: () => void): Promise<Uint8Array | NoInput | undefined> {
  try {
    const stat = fstatSync(0);
    if (stat.isFile()) return stat.size > position() ? new Uint8Array(0) : undefined;
    return stat.isFIFO() || stat.isSocket() ? await firstBytes(onSlow) : undefined;
  } catch {
    // Standard input is closed.
    return undefined;
  }
}

/** How far standard input has been read by those who share it: a shell's loop over a file leaves its end. 0 where nothing tells. */
const position = (): number =>
  attempt(() => Number(/^pos:\s*(\d+)/.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? 0), 0);

/** Reads once, and leaves the rest to the loader, which may run on another thread. */
function firstBytes(onSlow: () => void): Promise<Uint8Array | NoInput> {
  return new Promise((resolve) => {
    const buffer = new Uint8Array(CHUNK);
    const onread = {
      buffer,
      callback(bytes: number): boolean {
        done(buffer.slice(0, bytes));
        // Reading stops.
        return false;
      },
    };
    // A constant, because Node's types know `onread` for connections only.
    const options = { fd: 0, readable: true, writable: false, onread };
    const input = new Socket(options);
    const hint = setTimeout(onSlow, HINT_MS);
    const timer = setTimeout(() => done('silent'), PATIENCE_MS);
    const done = (bytes: Uint8Array | NoInput): void => {
      clearTimeout(hint);
      clearTimeout(timer);
      input.pause();
      input.unref();
      resolve(bytes);
    };
    input.on('end', () => done('ended'));
    input.on('error', () => done('ended'));
    input.resume();
  });
}
