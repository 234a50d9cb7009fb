// Whether a profile arrives on standard input though nothing on the command line says so: `zcat F | proftui`.
import { fstatSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';

/** Long enough for a writer that has started; pipes that stay open without data (CI) cost no more than this. */
const PATIENCE_MS = 120;
const CHUNK = 1 << 16;

/** The first bytes of standard input, none if it is a file; undefined if nothing comes in. */
export async function waitForInput(): Promise<Uint8Array | undefined> {
  try {
    const stat = fstatSync(0);
    if (stat.isFile()) return stat.size > position() ? new Uint8Array(0) : undefined;
    return stat.isFIFO() || stat.isSocket() ? await firstBytes() : undefined;
  } catch {
    // Standard input is closed.
    return undefined;
  }
}

/** How far standard input has been read by those who share it: a shell's loop over a file leaves its end. 0 where nothing tells. */
function position(): number {
  try {
    return Number(/^pos:\s*(\d+)/.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Reads once, and leaves the rest to the loader, which may run on another thread. */
function firstBytes(): Promise<Uint8Array | undefined> {
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
    const timer = setTimeout(() => done(undefined), PATIENCE_MS);
    const done = (bytes: Uint8Array | undefined): void => {
      clearTimeout(timer);
      input.pause();
      input.unref();
      resolve(bytes);
    };
    input.on('end', () => done(undefined));
    input.on('error', () => done(undefined));
    input.resume();
  });
}
