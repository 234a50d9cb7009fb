// Detects a profile on standard input that the command line does not name: `zcat F | proftui`.

import { fstatSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { attempt } from '../base/attempt.ts';

/** After this time without input, a message says that proftui waits for it. */
const HINT_AFTER_MS = 1000;
/** The longest wait for a pipe that stays open without data, as in CI. */
const INPUT_TIMEOUT_MS = 10_000;
const CHUNK_BYTES = 1 << 16;

/** Why a pipe has no data: it has ended, or it is still open and silent. */
export type NoInput = 'ended' | 'silent';

/**
 * The first bytes of standard input, empty for a file; undefined if standard input is not a file, pipe or socket. A pipe
 * must send its first byte within ten seconds. `onSlow` is called after one second.
 */
export async function waitForInput(onSlow: () => void): Promise<Uint8Array | NoInput | undefined> {
  try {
    const stat = fstatSync(0);
    if (stat.isFile()) return stat.size > inputPosition() ? new Uint8Array(0) : undefined;
    return stat.isFIFO() || stat.isSocket() ? await readFirstBytes(onSlow) : undefined;
  } catch {
    // Standard input is closed.
    return undefined;
  }
}

/** The read position of standard input, which a shell may share with other programs; 0 if unknown. */
const inputPosition = (): number =>
  attempt(() => Number(/^pos:\s*(\d+)/.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? 0), 0);

/** Reads once. The loader, perhaps on another thread, reads the rest. */
function readFirstBytes(onSlow: () => void): Promise<Uint8Array | NoInput> {
  return new Promise((resolve) => {
    const buffer = new Uint8Array(CHUNK_BYTES);
    const onread = {
      buffer,
      callback(bytes: number): boolean {
        done(buffer.slice(0, bytes));
        // Returning false stops the reading.
        return false;
      },
    };
    // A constant, because Node's types know `onread` for connections only.
    const options = { fd: 0, readable: true, writable: false, onread };
    const input = new Socket(options);
    const hint = setTimeout(onSlow, HINT_AFTER_MS);
    const timer = setTimeout(() => done('silent'), INPUT_TIMEOUT_MS);
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
