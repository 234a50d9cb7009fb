// Standard output and standard error: what is written there is safe for a terminal, whatever a profile says.

import { fstatSync, writeSync } from 'node:fs';
import { attempt } from '../base/attempt.ts';
import { HUNG_UP } from '../base/errors.ts';
import { systemReason } from '../base/problem.ts';
import { type SafeText, safeText } from '../base/safe-text.ts';
import type { Write } from '../reports/pieces.ts';

/** Standard output takes no more; the message says why. */
export class OutputError extends Error {}

/** Waits for a slow reader; if the reader has gone (head, less) or the terminal, the program ends quietly. Rejects with OutputError. */
export const write: Write = async (text) => (intoFile() ? writeFile(Buffer.from(text)) : writeStream(text));

/** The same for bytes, which are for no terminal. */
export const writeBytes = async (bytes: Uint8Array): Promise<void> => (intoFile() ? writeFile(bytes) : writeStream(bytes));

/** Whether standard output is a file: Node would write what there is room for, and not tell of the rest. */
const intoFile = (): boolean => attempt(() => fstatSync(1).isFile(), false);

function writeFile(bytes: Uint8Array): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
  } catch (error) {
    throw outputError(error);
  }
}

const outputError = (error: unknown) => new OutputError(`standard output: ${systemReason(error)}`);

const writeStream = (text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
      else if ('code' in error && error.code === 'EPIPE') process.exit(0);
      else if (process.stdout.isTTY) process.exit(HUNG_UP);
      else reject(outputError(error));
    });
  });

/** Lines on standard error. */
export function tell(lines: SafeText): void {
  process.stderr.write(`${lines}\n`);
}

/** A line on standard error, after the program's name. */
export function complainOf(text: string): void {
  tell(safeText`proftui: ${text}`);
}

/** Without a listener, what cannot be written would end the program with a stack; write() tells of standard output, and nothing can of the other. */
export function hearOutputErrors(): void {
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}
