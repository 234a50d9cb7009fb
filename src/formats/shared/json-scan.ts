// Reads JSON from its bytes, without making values of it: three times as fast as JSON.parse. It takes only what is written plainly (ASCII
// without escapes, numbers without exponents, little nesting) and checks all of it; whatever else a value holds, JSON.parse reads.
import { Grow } from '../../model/column.ts';
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

/** How deep lists and objects may lie in each other in a value that is skipped; far below what JSON.parse is given. */
const MOST_PLAIN = 64;

/** One in each of four bytes, and the highest bit of each. */
const ONES = 0x01010101;
const HIGHEST = 0x80808080 | 0;
const POWERS = Float64Array.from({ length: 23 }, (_, k) => 10 ** k);

/** Part of the bytes: [from, to). From -1: there is none. */
export interface Range {
  from: number;
  to: number;
}

/** Reads an object by its fields. Methods that take a place return where what begins there ends; -1 where it is not complete, or not plain. */
export abstract class JsonScan {
  protected bytes: Uint8Array = new Uint8Array(0);
  private view = new DataView(this.bytes.buffer);
  protected end = 0;
  /** Where the last number ended. */
  protected after = 0;
  private readonly isObject = new Uint8Array(MOST_PLAIN);

  /** Begins with other bytes, or another end of them. */
  protected start(bytes: Uint8Array, end: number): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.end = end;
  }

  /** Reads the value at `at`, of the key bytes[from..to). */
  protected abstract field(from: number, to: number, at: number): number;

  /** Reads an object: each of its fields by field(). */
  protected object(at: number): number {
    const { bytes, end } = this;
    if (bytes[at] !== OPEN) return -1;
    let i = this.blanks(at + 1);
    if (i < end && bytes[i] === CLOSE) return i + 1;
    for (;;) {
      const keyEnd = this.text(i);
      if (keyEnd < 0) return -1;
      const value = this.value(keyEnd);
      if (value < 0) return -1;
      i = this.field(i + 1, keyEnd - 1, value);
      if (i < 0) return -1;
      i = this.blanks(i);
      if (i >= end) return -1;
      if (bytes[i] === CLOSE) return i + 1;
      if (bytes[i] !== COMMA) return -1;
      i = this.blanks(i + 1);
    }
  }

  /** Whether bytes[from..to) are an ASCII text. */
  protected is(text: string, from: number, to: number): boolean {
    return to - from === text.length && hasText(this.bytes, from, text);
  }

  protected blanks(at: number): number {
    const { bytes, end } = this;
    let i = at;
    while (i < end && bytes[i] <= 32 && isBlank(bytes[i])) i++;
    return i;
  }

  /** Where the value of a key begins that ends at `at`. */
  private value(at: number): number {
    let i = this.blanks(at);
    if (i >= this.end || this.bytes[i] !== COLON) return -1;
    i = this.blanks(i + 1);
    return i < this.end ? i : -1;
  }

  /** The end of a plain text that begins with a quote at `at`; -1 if there is none. */
  text(at: number): number {
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
  number(at: number): number {
    const { bytes, end } = this;
    this.after = -1;
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
    // Whole numbers up to here, and powers of ten up to 22, are exact in a double: so is their quotient, as far as one can be.
    if (i >= end || bytes[i] === 101 || bytes[i] === 69 || value > Number.MAX_SAFE_INTEGER || i - point > 22) return Number.NaN;
    this.after = i;
    const exact = value / POWERS[i - point];
    return minus ? -exact : exact;
  }

  /** Reads a list: each of its elements by `element`. */
  list(at: number, element: (at: number) => number): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_LIST) return -1;
    let i = this.blanks(at + 1);
    if (bytes[i] === CLOSE_LIST) return i + 1;
    for (;;) {
      i = element(i);
      if (i < 0) return -1;
      i = this.blanks(i);
      if (bytes[i] === CLOSE_LIST) return i + 1;
      if (bytes[i] !== COMMA) return -1;
      i = this.blanks(i + 1);
    }
  }

  /** The numbers of the list bytes[from..to); undefined if anything else is in it. */
  numbersIn(bytes: Uint8Array, from: number, to: number): Float64Array | undefined {
    this.start(bytes, to);
    // Most take four bytes or more, with what separates them.
    const out = new Grow(Float64Array, 1 + ((to - from) >> 2));
    return this.numbers(from, out) === to ? out.done() : undefined;
  }

  /** Adds the finite numbers of a list to `out`. */
  numbers(at: number, out: Grow<Float64Array>): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_LIST) return -1;
    let i = this.blanks(at + 1);
    if (bytes[i] === CLOSE_LIST) return i + 1;
    for (;;) {
      let value = this.number(i);
      if (this.after < 0) value = numberOf(this.parsed(i)) ?? Number.NaN;
      if (Number.isNaN(value)) return -1;
      // Not by push(): that is slow, since it is called for columns of all sorts of numbers.
      if (out.length === out.data.length) out.reserve(2 * out.length);
      out.data[out.length++] = value;
      i = this.blanks(this.after);
      if (bytes[i] === CLOSE_LIST) return i + 1;
      if (bytes[i] !== COMMA) return -1;
      i = this.blanks(i + 1);
    }
  }

  /** Any value but one that is nested deep: how deep it may be, the reader of what is around it knows. `after` is -1 for anything else. */
  protected parsed(at: number): unknown {
    const to = valueEnd(this.bytes, at, this.end);
    const isText = this.bytes[at] === QUOTE;
    const json = readJson(this.bytes, at, isText || to - at <= MOST_DEPTH ? Math.max(at, to) : at);
    this.after = json.wrong === undefined ? to : -1;
    return json.wrong === undefined ? json.value : undefined;
  }

  /** The end of any value, all of which is checked; -1 if it is not complete, not valid, or not plain. */
  protected skip(at: number): number {
    const { bytes, end, isObject } = this;
    let depth = 0;
    let i = at;
    for (;;) {
      const c = bytes[i];
      if (c === OPEN || c === OPEN_LIST) {
        if (depth === MOST_PLAIN) return -1;
        isObject[depth++] = c === OPEN ? 1 : 0;
        i = this.blanks(i + 1);
        if (i >= end) return -1;
        if (bytes[i] !== (c === OPEN ? CLOSE : CLOSE_LIST)) {
          if (c === OPEN) i = this.key(i);
          if (i < 0) return -1;
          continue;
        }
        depth--;
        i++;
      } else if (c === QUOTE) i = this.text(i);
      else if (c === 45 || (c >= 48 && c <= 57)) {
        this.number(i);
        i = this.after;
      } else i = this.word(i);
      if (i < 0) return -1;
      // Behind a value: what is open may end, or go on.
      for (;;) {
        if (depth === 0) return i;
        i = this.blanks(i);
        if (i >= end) return -1;
        const inObject = isObject[depth - 1] === 1;
        if (bytes[i] === COMMA) {
          i = this.blanks(i + 1);
          if (inObject) i = this.key(i);
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
  private key(at: number): number {
    const to = this.text(at);
    return to < 0 ? -1 : this.value(to);
  }

  private word(at: number): number {
    const { bytes, end } = this;
    const word = bytes[at] === 116 ? 'true' : bytes[at] === 102 ? 'false' : 'null';
    const to = at + word.length;
    return to < end && hasText(bytes, at, word) ? to : -1;
  }
}

/** Finds some fields of an object. */
export class FieldScan extends JsonScan {
  /** By field: where its value begins, and ends; -1 where there is none. */
  readonly at: Int32Array;
  readonly to: Int32Array;

  constructor(private readonly names: readonly string[]) {
    super();
    this.at = new Int32Array(names.length);
    this.to = new Int32Array(names.length);
  }

  /** Reads the object that begins at bytes[at], and returns where it ends; -1 where it is not complete, or not written plainly. */
  scan(bytes: Uint8Array, at: number, end: number): number {
    this.start(bytes, end);
    this.at.fill(-1);
    return this.object(at);
  }

  protected field(from: number, to: number, at: number): number {
    const { names } = this;
    let k = 0;
    while (k < names.length && !this.is(names[k], from, to)) k++;
    if (k === names.length) return this.skip(at);
    this.at[k] = at;
    this.to[k] = this.valueAt(k, at);
    return this.to[k];
  }

  /** Reads the value of a field. */
  protected valueAt(_field: number, at: number): number {
    return this.skip(at);
  }

  /** Whether the value of a field is a text. */
  protected isText(field: number): boolean {
    return this.at[field] >= 0 && this.bytes[this.at[field]] === QUOTE;
  }
}
