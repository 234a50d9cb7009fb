// Keeps Node from aborting at exit when its terminal is gone: /dev/null takes its place.
import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { attempt } from '../base/attempt.ts';

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
