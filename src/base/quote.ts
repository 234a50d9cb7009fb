// Quotes words for a shell.
import { visible } from './text.ts';

/** A word that sh reads back as it was; undefined if it has characters that a terminal would act on or hide. */
export function quoteWord(word: string): string | undefined {
  if (visible(word) !== word) return undefined;
  // Letters that no shell takes for anything else, `~` and `=` at the start of a word among them.
  if (/^[\w./:@%+,-][\w./:@%+,=-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
