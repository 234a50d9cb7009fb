// Questions on the terminal, before the screen opens.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { SafeText } from '../base/safe-text.ts';

/** Asks a question; undefined for neither yes nor no, or if there is nobody to ask. */
export function askYesOrNo(question: SafeText): boolean | undefined {
  let terminal: number;
  try {
    terminal = openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
  try {
    writeSync(terminal, question);
    const answer = Buffer.alloc(256);
    const said = answer.toString('utf8', 0, readSync(terminal, answer)).trim().toLowerCase();
    if (/^y(es)?$/.test(said)) return true;
    return /^no?$/.test(said) ? false : undefined;
  } finally {
    closeSync(terminal);
  }
}
