// Pieces of reports, and buffered writing of them.
import { joinSafe, type SafeText, safeJson, safeText } from '../base/safe-text.ts';

/** Writes text; waits if the reader is slow. */
export type WriteText = (text: SafeText) => Promise<void>;

export async function writeJoined(pieces: Iterable<SafeText>, write: WriteText): Promise<void> {
  let held: SafeText[] = [];
  let length = 0;
  for (const piece of pieces) {
    held.push(piece);
    length += piece.length;
    if (length <= 1 << 16) continue;
    await write(joinSafe(held, ''));
    held = [];
    length = 0;
  }
  await write(joinSafe(held, ''));
}

/** The members of a JSON list, one per line. */
export function* jsonRows(rows: Iterable<object>): Generator<SafeText> {
  let separator = safeText`\n`;
  for (const row of rows) {
    yield joinSafe([separator, safeJson(row)], '');
    separator = safeText`,\n`;
  }
}
