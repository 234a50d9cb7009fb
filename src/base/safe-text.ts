// Text that is safe to write to a terminal, file or pipe: all output has this type.
// So the compiler finds profile text that was not made safe.

declare const safe: unique symbol;
/** Text in which only line ends (and tabs as separators) act on a terminal. Only functions of this file make it. */
export type SafeText = string & { readonly [safe]: true };

/**
 * Text in which every code unit is one cell: ASCII, Latin letters, and the marks, arrows, boxes and blocks that the screen is
 * drawn with. A test compares each with the width tables. Thanks to it, few lines have to be split into graphemes.
 */
export const ONE_CELL_TEXT =
  /^[\x20-\x7e\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u2010-\u2027\u2190-\u21ff\u2248\u22ef\u2400-\u2426\u2500-\u25fc\u2605\u2800-\u28ff]*$/;

// C0 and C1 controls, line and paragraph separators, bidi controls, invisible characters, noncharacters, lone surrogates.
// Emoji need the joiner (U+200D) and variation selectors: these stay, because they move and hide nothing.
const HOSTILE_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|\p{Bidi_Control}|(?![\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|\p{Cs}/gu;

const VISIBLE_MARKS: Record<string, string> = { '\t': ' ', '\u001b': '␛', '\n': '␊', '\r': '␍', '\u007f': '␡' };

/** Replaces every control, bidi or invisible character with a visible mark. */
export function visible(text: string): SafeText {
  if (ONE_CELL_TEXT.test(text)) return markSafe(text);
  return markSafe(
    text.replace(HOSTILE_CHARACTERS, (c) => {
      const mark = VISIBLE_MARKS[c];
      if (mark !== undefined) return mark;
      const code = c.codePointAt(0) ?? 0;
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : `<${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    }),
  );
}

/** The only cast to SafeText: all text that is passed here has been made safe in this file. */
const markSafe = (text: string): SafeText => text as SafeText;

/** Makes each line of a text visible; line feeds stay. */
export const safeLines = (text: string): SafeText =>
  ONE_CELL_TEXT.test(text) ? markSafe(text) : markSafe(text.split('\n').map(visible).join('\n'));

/** Joins safe pieces with a separator, which may be a tab or a line end. */
export const joinSafe = (pieces: readonly SafeText[], separator: '' | ',' | '\t' | '\n' | '\r\n' | ',\n'): SafeText =>
  markSafe(pieces.join(separator));

function jsonWithBigInts(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // A replacer is passed only if there are big integers, because it is called for each nested value.
    return JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? v.toString() : v));
  }
}

/** Formats a value as JSON on one line, with terminal controls escaped and integers beyond 2^53 as text. */
export function safeJson(value: unknown): SafeText {
  const text = jsonWithBigInts(value);
  if (ONE_CELL_TEXT.test(text)) return markSafe(text);
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return markSafe(text.replace(HOSTILE_CHARACTERS, (c) => c.split('').map(escaped).join('')));
}

/** A CSV cell, quoted if needed. `guarded`: adds an apostrophe so that spreadsheets do not read the text as a formula. */
export function csvCell(text: string, guarded: boolean): SafeText {
  const cell = visible(text);
  const shown = guarded && /^[=+\-@＝＋－＠]/.test(cell) && !Number.isFinite(Number(cell)) ? `'${cell}` : cell;
  return markSafe(/[",]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown);
}

/** A template tag for text with values: `safeText`file ${path}``. It makes the values visible. */
export const safeText = (texts: TemplateStringsArray, ...values: readonly (string | number)[]): SafeText =>
  markSafe(texts.map((text, i) => (i === 0 ? text : visible(String(values[i - 1])) + text)).join(''));

const XML_ENTITIES = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }));

/** Text for an element or a double-quoted attribute. Characters that XML forbids, or that are invisible, become visible marks. */
export const xmlText = (text: string): string => visible(text).replace(/[&<>"]/g, (c) => XML_ENTITIES.get(c) ?? c);

/** Quotes a word so that sh reads it unchanged; undefined if it contains characters that a terminal would interpret or hide. */
export function quoteWord(word: string): string | undefined {
  if (visible(word) !== word) return undefined;
  // These characters have no special meaning in any shell, except `~` and `=` at the start of a word.
  if (/^[\w./:@%+,-][\w./:@%+,=-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
