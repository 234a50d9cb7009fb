// Text that may leave the program. Everything written to a terminal, file or pipe has this type, so the compiler finds text of
// a profile that was not made safe.

declare const safe: unique symbol;
/**
 * Text without anything that acts on a terminal, except line ends (and tabs as separators). Only functions of this file make
 * it.
 */
export type SafeText = string & { readonly [safe]: true };

/**
 * Text in which every code unit is one cell: ASCII, Latin letters, and the marks, arrows, boxes and blocks that the screen is
 * drawn with. A test compares each with the width tables. Thanks to it, few lines have to be split into graphemes.
 */
export const PLAIN =
  /^[\x20-\x7e\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u2010-\u2027\u2190-\u21ff\u2248\u22ef\u2400-\u2426\u2500-\u25fc\u2605\u2800-\u28ff]*$/;

// C0 and C1 controls, line and paragraph separators, bidi controls, invisible characters, noncharacters and lone surrogates.
// The joiner (U+200D) and the variation selectors of emoji stay: emoji need them, and they move and hide nothing.
const HOSTILE =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|\p{Bidi_Control}|(?![\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|\p{Cs}/gu;

const MARKS: Record<string, string> = { '\t': ' ', '\u001b': '␛', '\n': '␊', '\r': '␍', '\u007f': '␡' };

/** The same text with every control, bidi or invisible character replaced by a visible mark. */
export function visible(text: string): SafeText {
  if (PLAIN.test(text)) return markSafe(text);
  return markSafe(
    text.replace(HOSTILE, (c) => {
      const mark = MARKS[c];
      if (mark !== undefined) return mark;
      const code = c.codePointAt(0) ?? 0;
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : `<${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    }),
  );
}

/** The only cast: what comes here has been made safe in this file. */
function markSafe(text: string): SafeText {
  return text as SafeText;
}

/** Lines of text, each made visible; line feeds stay. */
export function safeLines(text: string): SafeText {
  return PLAIN.test(text) ? markSafe(text) : markSafe(text.split('\n').map(visible).join('\n'));
}

/** Safe pieces with a separator between them, which may be a tab or a line end. */
export function joinSafe(pieces: readonly SafeText[], separator: '' | ',' | '\t' | '\n' | '\r\n' | ',\n'): SafeText {
  return markSafe(pieces.join(separator));
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Asked only if there are such integers: it is called for each value within.
    return JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? v.toString() : v));
  }
}

/** A value as JSON on one line, with escapes for what a terminal acts on; integers beyond 2^53 as texts. */
export function safeJson(value: unknown): SafeText {
  const text = jsonOf(value);
  if (PLAIN.test(text)) return markSafe(text);
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return markSafe(text.replace(HOSTILE, (c) => c.split('').map(escaped).join('')));
}

/** A cell of CSV, in quotes where it needs them; `guarded`: an apostrophe keeps spreadsheets from taking it for a formula. */
export function csvCell(text: string, guarded: boolean): SafeText {
  const cell = visible(text);
  const shown = guarded && /^[=+\-@＝＋－＠]/.test(cell) && !Number.isFinite(Number(cell)) ? `'${cell}` : cell;
  return markSafe(/[",]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown);
}

/** A template for text with values: `safeText`file ${path}``. The values are made visible. */
export function safeText(texts: TemplateStringsArray, ...values: readonly (string | number)[]): SafeText {
  return markSafe(texts.map((text, i) => (i === 0 ? text : visible(String(values[i - 1])) + text)).join(''));
}
