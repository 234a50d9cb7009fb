// Questions on the terminal, before the screen opens.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { attempt } from '../base/attempt.ts';
import type { SafeText } from '../base/safe-text.ts';

/** Asks a yes-or-no question on the terminal; undefined for any other answer, or without a terminal. */
export function askYesOrNo(question: SafeText): boolean | undefined {
  const terminal = attempt(() => openSync('/dev/tty', 'r+'));
  if (terminal === undefined) return undefined;
  try {
    writeSync(terminal, question);
    const answer = Buffer.alloc(256);
    const reply = answer.toString('utf8', 0, readSync(terminal, answer)).trim().toLowerCase();
    if (/^y(es)?$/.test(reply)) return true;
    return /^no?$/.test(reply) ? false : undefined;
  } finally {
    closeSync(terminal);
  }
}
