// Standard output and standard error: what is written there is safe for a terminal, whatever a profile says.
import { type SafeText, safeText } from '../base/safe-text.ts';
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

/** Lines on standard error. */
export function tell(lines: SafeText): void {
  process.stderr.write(`${lines}\n`);
}

/** A line on standard error, after the program's name. */
export function complainOf(text: string): void {
  tell(safeText`proftui: ${text}`);
}
