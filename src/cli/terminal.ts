// The terminal without the screen: a question before it opens, and what takes the terminal's place when it is gone.

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
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

/** Puts /dev/null in place of lost terminals at exit: Node restores the modes of descriptors 0 to 2, and aborts if it cannot. */
export function replaceLostTerminals(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on('exit', () => {
    for (const fd of terminals) {
      if (isatty(fd)) continue;
      closeSync(fd);
      // open() returns the lowest free descriptor: the one just closed.
      attempt(() => openSync('/dev/null', 'r+'));
    }
  });
}
