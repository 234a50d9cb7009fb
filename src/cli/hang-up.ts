// The end of the program where its terminal has gone.
import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Node sets the terminals of 0, 1 and 2 back to how they were when it exits, and aborts if it cannot. One that has gone is no terminal any
 * more: nothing takes its place.
 */
export function survivesHangUp(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on('exit', () => {
    for (const fd of terminals) {
      if (isatty(fd)) continue;
      closeSync(fd);
      // It takes the lowest number that is free.
      openSync('/dev/null', 'r+');
    }
  });
}
