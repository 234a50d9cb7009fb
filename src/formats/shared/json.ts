// Reads JSON for all formats. A file may contain anything, such as very deep nesting, unexpected types, or a key named toString.
// So nesting is limited before a value is built: code that walks a deeper value would overflow the stack.
// Formats accept values only by their types, and never convert an unknown value to text.

/** Maximum nesting of lists and objects; real files stay far below. */
export const MAX_JSON_DEPTH = 512;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;

/** A JSON object. Its keys come from a file, so never look up names that every object inherits (toString). */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object as it is; an empty object for any other value. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The elements of a list; an empty list for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A finite number, since JSON may contain 1e999; undefined for any other value. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** A number within ±2^63, so that sums stay finite; undefined for other values. No tool writes larger counts or times. */
export function amountOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Math.abs(number) <= 2 ** 63 ? number : undefined;
}

/** The line of a source file that a value gives; 0 if it is none. */
export function lineOf(value: unknown): number {
  const line = numberOf(value) ?? 0;
  return line > 0 && line < 2 ** 31 ? Math.floor(line) : 0;
}

/** Any value as text: strings unchanged, null and undefined as '', the rest as JSON. */
export const textOfAny = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** The start of a value as JSON, for messages. */
export function jsonExcerpt(value: unknown): string {
  const whole = value === undefined ? 'nothing' : JSON.stringify(value);
  return whole.length > 40 ? `${whole.slice(0, 40)}…` : whole;
}

/** A parsed value, or the reason why the JSON is invalid. */
export type JsonResult = { readonly value?: unknown; readonly wrong?: string };

const utf8Decoder = new TextDecoder('utf-8');

/** Parses the JSON in bytes[from..to). Never throws. */
export function readJson(bytes: Uint8Array, from = 0, to = bytes.length): JsonResult {
  if (to === from) return { wrong: 'nothing' };
  // A value nested deeper than MAX_JSON_DEPTH has more bytes than that.
  if (to - from > MAX_JSON_DEPTH && isTooDeep(bytes, from, to)) return { wrong: `JSON nested deeper than ${MAX_JSON_DEPTH}` };
  try {
    return { value: JSON.parse(utf8Decoder.decode(bytes.subarray(from, to))) };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : 'invalid JSON' };
  }
}

/** Parses bytes or a text; undefined if it is not JSON or nested deeper than MAX_JSON_DEPTH. Never throws. */
export const parseJson = (json: Uint8Array | string): unknown =>
  readJson(typeof json === 'string' ? new TextEncoder().encode(json) : json).value;

/** True if brackets are nested deeper than MAX_JSON_DEPTH. Not recursive. */
function isTooDeep(bytes: Uint8Array, from: number, to: number): boolean {
  let depth = 0;
  for (let i = from; i < to; i++) {
    const c = bytes[i];
    if (c === QUOTE) {
      i = stringEnd(bytes, i, to) - 1;
      if (i < 0) return false;
    } else if (c === 123 || c === 91) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (c === 125 || c === 93) depth--;
  }
  return false;
}

export const isBlank = (c: number): boolean => c === 32 || c === 10 || c === 13 || c === 9;

/** From this length on, a value may be a list of very many numbers. */
const LONG_VALUE_BYTES = 1024;

/** True if none of four bytes is a bracket, a quotation mark or a letter, so that they may be numbers and separators. */
function areNumberBytes(four: number): boolean {
  // From 48 on a byte has bit 4, from 44 to 47 bits 3 and 2; brackets and letters have bit 6, a quote has none of these.
  return ((four & (0xc0c0c0c0 | 0)) | (~((four >> 4) | ((four >> 3) & (four >> 2))) & 0x01010101)) === 0;
}

/** The end (exclusive) of the value at `at`; -1 if the bytes end first. Not recursive. */
export function valueEnd(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at];
  if (first === QUOTE) return stringEnd(bytes, at, end);
  if (first !== 123 && first !== 91) {
    let i = at;
    while (i < end && !isBlank(bytes[i]) && bytes[i] !== 44 && bytes[i] !== 93 && bytes[i] !== 125) i++;
    return i < end ? i : -1;
  }
  let view: DataView | undefined;
  let depth = 0;
  for (let i = at; i < end; i++) {
    const c = bytes[i];
    if (c >= 91) {
      if (c === 123 || c === 91) depth++;
      else if ((c === 125 || c === 93) && --depth === 0) return i + 1;
    } else if (c === COMMA && i - at > LONG_VALUE_BYTES) {
      view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      while (i + 4 < end && areNumberBytes(view.getInt32(i + 1, true))) i += 4;
    } else if (c === QUOTE) {
      i = stringEnd(bytes, i, end) - 1;
      if (i < 0) return -1;
    }
  }
  return -1;
}

/** The key at `at` (undefined if it is not a string) and the position of its value; undefined if the bytes end before it. */
export function keyAt(bytes: Uint8Array, at: number, end: number): { key: string | undefined; value: number } | undefined {
  const keyEnd = valueEnd(bytes, at, end);
  if (keyEnd < 0) return undefined;
  let value = keyEnd;
  while (value < end && (isBlank(bytes[value]) || bytes[value] === 58)) value++;
  if (value >= end) return undefined;
  return { key: textOf(readJson(bytes, at, keyEnd).value), value };
}

function stringEnd(bytes: Uint8Array, at: number, end: number): number {
  for (let i = at + 1; i < end; i++) {
    const c = bytes[i];
    if (c === QUOTE) return i + 1;
    if (c === BACKSLASH) i++;
  }
  return -1;
}
