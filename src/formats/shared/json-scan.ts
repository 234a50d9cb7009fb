// Reads JSON from its bytes, without making values of it: three times as fast as JSON.parse. It takes only what is written plainly (ASCII
// without escapes, numbers without exponents, little nesting) and checks all of it; whatever else a value holds, JSON.parse reads.
import { GrowableColumn } from '../../model/column.ts';
import { hasText } from '../../model/strings.ts';
import { isBlank, MOST_DEPTH, numberOf, readJson, valueEnd } from './json.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN = 123;
const CLOSE = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;

/** Maximum nesting of a skipped value; far below the limit for JSON.parse. */
const MOST_PLAIN = 64;

/** One in each of four bytes, and the highest bit of each. */
const ONES = 0x01010101;
const HIGHEST = 0x80808080 | 0;
const POWERS = Float64Array.from({ length: 23 }, (_, k) => 10 ** k);

/** The byte range [from, to); `from` is -1 if there is none. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Reads an object field by field. Methods that take an offset return the value's end, or -1 if it is incomplete or not plain. */
export abstract class JsonScan {
  protected bytes: Uint8Array = new Uint8Array(0);
  private view = new DataView(this.bytes.buffer);
  protected end = 0;
  /** Where the last number ended. */
  protected lastEnd = 0;
  private readonly isObject = new Uint8Array(MOST_PLAIN);

  /** Sets the bytes and their end. */
  protected start(bytes: Uint8Array, end: number): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.end = end;
  }

  /** Reads the value at `at` of the key bytes[from..to); returns its end. */
  protected abstract readField(from: number, to: number, at: number): number;

  /** Reads an object: each of its fields by field(). */
  protected readObject(at: number): number {
    const { bytes, end } = this;
    if (bytes[at] !== OPEN) return -1;
    let i = this.skipBlanks(at + 1);
    if (i < end && bytes[i] === CLOSE) return i + 1;
    for (;;) {
      const keyEnd = this.textEnd(i);
      if (keyEnd < 0) return -1;
      const value = this.valueAfterKey(keyEnd);
      if (value < 0) return -1;
      i = this.readField(i + 1, keyEnd - 1, value);
      if (i < 0) return -1;
      i = this.skipBlanks(i);
      if (i >= end) return -1;
      if (bytes[i] === CLOSE) return i + 1;
      if (bytes[i] !== COMMA) return -1;
      i = this.skipBlanks(i + 1);
    }
  }

  /** Whether bytes[from..to) are an ASCII text. */
  protected matchesText(text: string, from: number, to: number): boolean {
    return to - from === text.length && hasText(this.bytes, from, text);
  }

  protected skipBlanks(at: number): number {
    const { bytes, end } = this;
    let i = at;
    while (i < end && bytes[i] <= 32 && isBlank(bytes[i])) i++;
    return i;
  }

  /** The start of the value after a key that ends at `at`. */
  private valueAfterKey(at: number): number {
    let i = this.skipBlanks(at);
    if (i >= this.end || this.bytes[i] !== COLON) return -1;
    i = this.skipBlanks(i + 1);
    return i < this.end ? i : -1;
  }

  /** The end of a plain text that begins with a quote at `at`; -1 if there is none. */
  textEnd(at: number): number {
    const { bytes, end, view } = this;
    if (at >= end || bytes[at] !== QUOTE) return -1;
    let i = at + 1;
    // Four bytes at a time, as long as none of them is a quote, a backslash, below 32 or above 127. (A byte b of x is 0 where
    // (x - ONES) & ~x has its highest bit, but for what a byte below it borrows: then that one is 0.)
    for (; i + 4 <= end; i += 4) {
      const four = view.getInt32(i, true);
      const quote = four ^ (QUOTE * ONES);
      const slash = four ^ (BACKSLASH * ONES);
      const odd = ((quote - ONES) & ~quote) | ((slash - ONES) & ~slash) | ((four - 32 * ONES) & ~four) | four;
      if ((odd & HIGHEST) !== 0) break;
    }
    for (; i < end; i++) {
      const c = bytes[i];
      if (c === QUOTE) return i + 1;
      if (c === BACKSLASH || c < 32 || c > 127) return -1;
    }
    return -1;
  }

  /** A plain number; NaN, and `after` -1, if there is none. */
  readNumber(at: number): number {
    const { bytes, end } = this;
    this.lastEnd = -1;
    let i = at;
    const minus = bytes[i] === 45;
    if (minus) i++;
    const first = i;
    let value = 0;
    for (; i < end && bytes[i] >= 48 && bytes[i] <= 57; i++) value = value * 10 + bytes[i] - 48;
    if (i === first || (bytes[first] === 48 && i > first + 1)) return Number.NaN;
    let point = i;
    if (i < end && bytes[i] === 46) {
      point = ++i;
      for (; i < end && bytes[i] >= 48 && bytes[i] <= 57; i++) value = value * 10 + bytes[i] - 48;
      if (i === point) return Number.NaN;
    }
    // Integers up to 2^53 and powers of ten up to 22 are exact doubles, so their quotient is correctly rounded.
    if (i >= end || bytes[i] === 101 || bytes[i] === 69 || value > Number.MAX_SAFE_INTEGER || i - point > 22) return Number.NaN;
    this.lastEnd = i;
    const exact = value / POWERS[i - point];
    return minus ? -exact : exact;
  }

  /** Reads a list: each of its elements by `element`. */
  readList(at: number, element: (at: number) => number): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_LIST) return -1;
    let i = this.skipBlanks(at + 1);
    if (bytes[i] === CLOSE_LIST) return i + 1;
    for (;;) {
      i = element(i);
      if (i < 0) return -1;
      i = this.skipBlanks(i);
      if (bytes[i] === CLOSE_LIST) return i + 1;
      if (bytes[i] !== COMMA) return -1;
      i = this.skipBlanks(i + 1);
    }
  }

  /** The numbers of the list bytes[from..to); undefined if anything else is in it. */
  numbersOfList(bytes: Uint8Array, from: number, to: number): Float64Array | undefined {
    this.start(bytes, to);
    // Most numbers take at least four bytes, separators included.
    const out = new GrowableColumn(Float64Array, 1 + ((to - from) >> 2));
    return this.readNumbers(from, out) === to ? out.done() : undefined;
  }

  /** Adds the finite numbers of a list to `out`. */
  readNumbers(at: number, out: GrowableColumn<Float64Array>): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_LIST) return -1;
    let i = this.skipBlanks(at + 1);
    if (bytes[i] === CLOSE_LIST) return i + 1;
    for (;;) {
      let value = this.readNumber(i);
      if (this.lastEnd < 0) value = numberOf(this.parseShallow(i)) ?? Number.NaN;
      if (Number.isNaN(value)) return -1;
      // push() would be slow here: its calls are polymorphic.
      if (out.length === out.data.length) out.reserve(2 * out.length);
      out.data[out.length++] = value;
      i = this.skipBlanks(this.lastEnd);
      if (bytes[i] === CLOSE_LIST) return i + 1;
      if (bytes[i] !== COMMA) return -1;
      i = this.skipBlanks(i + 1);
    }
  }

  /** Parses a string, or a value short enough to limit its nesting. Sets `lastEnd`, to -1 for any other value. */
  protected parseShallow(at: number): unknown {
    const to = valueEnd(this.bytes, at, this.end);
    const isText = this.bytes[at] === QUOTE;
    const json = readJson(this.bytes, at, isText || to - at <= MOST_DEPTH ? Math.max(at, to) : at);
    this.lastEnd = json.wrong === undefined ? to : -1;
    return json.wrong === undefined ? json.value : undefined;
  }

  /** Checks a value of any type and returns its end; -1 if it is incomplete, invalid or not plain. */
  protected skipValue(at: number): number {
    const { bytes, end, isObject } = this;
    let depth = 0;
    let i = at;
    for (;;) {
      const c = bytes[i];
      if (c === OPEN || c === OPEN_LIST) {
        if (depth === MOST_PLAIN) return -1;
        isObject[depth++] = c === OPEN ? 1 : 0;
        i = this.skipBlanks(i + 1);
        if (i >= end) return -1;
        if (bytes[i] !== (c === OPEN ? CLOSE : CLOSE_LIST)) {
          if (c === OPEN) i = this.skipKey(i);
          if (i < 0) return -1;
          continue;
        }
        depth--;
        i++;
      } else if (c === QUOTE) i = this.textEnd(i);
      else if (c === 45 || (c >= 48 && c <= 57)) {
        this.readNumber(i);
        i = this.lastEnd;
      } else i = this.skipWord(i);
      if (i < 0) return -1;
      // After a value: close the innermost container, or go on to its next member.
      for (;;) {
        if (depth === 0) return i;
        i = this.skipBlanks(i);
        if (i >= end) return -1;
        const inObject = isObject[depth - 1] === 1;
        if (bytes[i] === COMMA) {
          i = this.skipBlanks(i + 1);
          if (inObject) i = this.skipKey(i);
          if (i < 0 || i >= end) return -1;
          break;
        }
        if (bytes[i] !== (inObject ? CLOSE : CLOSE_LIST)) return -1;
        depth--;
        i++;
      }
    }
  }

  /** Where the value of a key begins; -1 if there is no key. */
  private skipKey(at: number): number {
    const to = this.textEnd(at);
    return to < 0 ? -1 : this.valueAfterKey(to);
  }

  private skipWord(at: number): number {
    const { bytes, end } = this;
    const word = bytes[at] === 116 ? 'true' : bytes[at] === 102 ? 'false' : 'null';
    const to = at + word.length;
    return to < end && hasText(bytes, at, word) ? to : -1;
  }
}

/** Finds some fields of an object. */
export class FieldScan extends JsonScan {
  /** By field: start and end of its value; start is -1 if the field is absent. */
  readonly at: Int32Array;
  readonly to: Int32Array;

  constructor(private readonly names: readonly string[]) {
    super();
    this.at = new Int32Array(names.length);
    this.to = new Int32Array(names.length);
  }

  /** Reads the object at bytes[at] and returns its end; -1 if it is incomplete or not plain. */
  scan(bytes: Uint8Array, at: number, end: number): number {
    this.start(bytes, end);
    this.at.fill(-1);
    return this.readObject(at);
  }

  protected readField(from: number, to: number, at: number): number {
    const { names } = this;
    let k = 0;
    while (k < names.length && !this.matchesText(names[k], from, to)) k++;
    if (k === names.length) return this.skipValue(at);
    this.at[k] = at;
    this.to[k] = this.readValue(k, at);
    return this.to[k];
  }

  /** Reads the value of a field. */
  protected readValue(_field: number, at: number): number {
    return this.skipValue(at);
  }

  /** Whether the value of a field is a text. */
  protected isText(field: number): boolean {
    return this.at[field] >= 0 && this.bytes[this.at[field]] === QUOTE;
  }
}
