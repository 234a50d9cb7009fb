// The text that may leave the program. Whatever is written to a terminal, a file or a pipe has this type, so that the compiler finds
// text of a profile that nobody made visible.

declare const safe: unique symbol;
/** Text in which nothing acts on a terminal but line ends (and tabs, where they separate values). Made by the functions here alone. */
export type SafeText = string & { readonly [safe]: true };

// C0 and C1 controls, the bidirectional controls, line and paragraph separators, zero-width characters that can hide
// or reorder text, and lone surrogates. U+200D (joiner) stays: emoji need it and it moves nothing.
// biome-ignore format: one class a line
const HOSTILE = /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ASCII = /^[\x20-\x7e]*$/;

const MARKS: Record<string, string> = { '\t': ' ', '\u001b': '␛', '\n': '␊', '\r': '␍', '\u007f': '␡' };

/** The same text with every control, bidi or invisible character replaced by a visible mark. */
export function visible(text: string): SafeText {
  if (ASCII.test(text)) return branded(text);
  return branded(
    text.replace(HOSTILE, (c) => {
      const mark = MARKS[c];
      if (mark !== undefined) return mark;
      const code = c.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : `<${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    }),
  );
}

/** The only cast: what comes here has been made safe in this file. */
function branded(text: string): SafeText {
  return text as SafeText;
}

/** Lines of text, each made visible; line feeds stay. */
export function safeLines(text: string): SafeText {
  return ASCII.test(text) ? branded(text) : branded(text.split('\n').map(visible).join('\n'));
}

/** Safe pieces with a separator between them, which may be a tab or a line end. */
export function joinSafe(pieces: readonly SafeText[], separator: '' | ',' | '\t' | '\n' | '\r\n' | ',\n'): SafeText {
  return branded(pieces.join(separator));
}

/** What JSON.stringify leaves alone but a terminal acts on: DEL, C1 controls, bidirectional and zero-width characters. */
const ACTIVE = /[\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A value as JSON on one line, with escapes for what a terminal acts on; integers beyond 2^53 as texts. */
export function safeJson(value: unknown): SafeText {
  const text = JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? v.toString() : v));
  return branded(text.replace(ACTIVE, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0')));
}

/** A cell of CSV, in quotes where it needs them; `guarded`: an apostrophe keeps spreadsheets from taking it for a formula. */
export function csvCell(text: string, guarded: boolean): SafeText {
  const cell = visible(text);
  const shown = guarded && /^[=+\-@]/.test(cell) && !Number.isFinite(Number(cell)) ? `'${cell}` : cell;
  return branded(/[",]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown);
}

/** Text with values: `safe`file ${path}``. What stands between the braces is made visible. */
export function safeText(texts: TemplateStringsArray, ...values: readonly (string | number)[]): SafeText {
  return branded(texts.map((text, i) => (i === 0 ? text : visible(String(values[i - 1])) + text)).join(''));
}
