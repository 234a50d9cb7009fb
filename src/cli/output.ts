// Standard output.
import type { Write } from '../reports/print.ts';

/** Waits for a slow reader; if the reader has gone (head, less), the program ends quietly. */
export const write: Write = (text) =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
      else if ('code' in error && error.code === 'EPIPE') process.exit(0);
      else reject(error);
    });
  });
