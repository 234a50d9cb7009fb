// Writes to standard output and standard error. Text is safe for a terminal, whatever a profile contains.

import { fstatSync, writeSync } from 'node:fs';
import { attempt } from '../base/attempt.ts';
import { EXIT_HUNG_UP } from '../base/errors.ts';
import { systemReason } from '../base/problem.ts';
import { type SafeText, safeText } from '../base/safe-text.ts';

/** The error of a failed write to standard output or to the file of an export; its message is the reason. */
export class OutputError extends Error {}

/** Writes text or bytes, also to slow readers. Exits if the reader (head, less) or terminal is gone. Rejects with OutputError. */
export const writeOutput = async (piece: SafeText | Uint8Array): Promise<void> =>
  isOutputFile() ? writeToFile(typeof piece === 'string' ? Buffer.from(piece) : piece) : writeToStream(piece);

/** Whether standard output is a file. A file is written synchronously: Node would not report a partial write to a full disk. */
const isOutputFile = (): boolean => attempt(() => fstatSync(1).isFile(), false);

function writeToFile(bytes: Uint8Array): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
  } catch (error) {
    throw outputError(error);
  }
}

const outputError = (error: unknown) => new OutputError(`standard output: ${systemReason(error)}`);

const writeToStream = (text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
      else if ('code' in error && error.code === 'EPIPE') process.exit(0);
      else if (process.stdout.isTTY) process.exit(EXIT_HUNG_UP);
      else reject(outputError(error));
    });
  });

export function writeError(lines: SafeText): void {
  process.stderr.write(`${lines}\n`);
}

/** Writes `proftui: TEXT` to standard error. */
export function writeNotice(text: string): void {
  writeError(safeText`proftui: ${text}`);
}

/** Ignores write errors, which would crash the program without listeners. `writeOutput()` reports its own errors. */
export function ignoreOutputErrors(): void {
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}
