// Buffered writing of reports.
import { joinSafe, type SafeText } from '../base/safe-text.ts';

/** Writes text; waits if the reader is slow. */
export type WriteText = (text: SafeText) => Promise<void>;

/** Joins small pieces of text, and writes large ones. */
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
