// Quotes words for a shell.
import { visible } from './text.ts';

/** Quotes a word so that sh reads it unchanged; undefined if it contains characters that a terminal would interpret or hide. */
export function quoteWord(word: string): string | undefined {
  if (visible(word) !== word) return undefined;
  // These characters have no special meaning in any shell, except `~` and `=` at the start of a word.
  if (/^[\w./:@%+,-][\w./:@%+,=-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
