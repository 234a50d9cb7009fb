// JSON that is too large for one text: the end of each value is found in the bytes, and only single values are parsed.
import { markLength } from './stream.ts';

const QUOTE = 34;
const BACKSLASH = 92;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for blanks between values. */
export function isBlank(c: number): boolean {
  return c === 32 || c === 10 || c === 13 || c === 9;
}

/** The end of the value that starts at `at` (behind its last byte); -1 where the bytes end before it does. No recursion. */
export function valueEnd(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at];
  if (first === QUOTE) return stringEnd(bytes, at, end);
  if (first !== 123 && first !== 91) {
    let i = at;
    while (i < end && !isBlank(bytes[i]) && bytes[i] !== 44 && bytes[i] !== 93 && bytes[i] !== 125) i++;
    return i < end ? i : -1;
  }
  let depth = 0;
  for (let i = at; i < end; i++) {
    const c = bytes[i];
    if (c === QUOTE) {
      i = stringEnd(bytes, i, end) - 1;
      if (i < 0) return -1;
    } else if (c === 123 || c === 91) depth++;
    else if (c === 125 || c === 93) {
      if (--depth === 0) return i + 1;
    }
  }
  return -1;
}

function stringEnd(bytes: Uint8Array, at: number, end: number): number {
  for (let i = at + 1; i < end; i++) {
    const c = bytes[i];
    if (c === QUOTE) return i + 1;
    if (c === BACKSLASH) i++;
  }
  return -1;
}

const decoder = new TextDecoder('utf-8');

/** The value of bytes[from..to); undefined where it is no JSON. */
export function parseValue(bytes: Uint8Array, from: number, to: number): unknown {
  try {
    return JSON.parse(decoder.decode(bytes.subarray(from, to)));
  } catch {
    // What is wrong with it, the caller says: it knows the place.
    return undefined;
  }
}

/** A value is put together in memory up to this; nothing that a tool writes is larger. */
const LARGEST = 256 << 20;

export interface ValueHandler {
  /** An element of the array at the top, or of the list `list` of the object at the top. */
  element(value: unknown, offset: number): void;
  /** Another key of the object at the top; undefined for a value that is no JSON. */
  member(key: string, value: unknown, offset: number): void;
  /** Bytes that are no JSON where a value is due. */
  wrong(offset: number, found: string): void;
}

type State = 'start' | 'elements' | 'members' | 'list' | 'done';

/** Splits `[a, b]` or `{"list": [a, b], "key": v}` into values, whatever pieces it comes in. The end may be missing. */
export class ListSplitter {
  private readonly handler: ValueHandler;
  private readonly list: string;
  private state: State = 'start';
  /** Bytes of the file that were taken. */
  private offset = 0;
  private failed = false;
  /** The list was there, or the top is an array. */
  found = false;

  constructor(list: string, handler: ValueHandler) {
    this.list = list;
    this.handler = handler;
  }

  /** Takes the values that are whole and what lies between them, and returns how many bytes that was. */
  take(bytes: Uint8Array): number {
    const used = this.failed || this.state === 'done' ? bytes.length : this.values(bytes);
    if (bytes.length - used > LARGEST) this.fail(0, `a value of more than ${LARGEST} bytes`);
    this.offset += used;
    return used;
  }

  /** Offset of what was not whole at the end of the file, of which `rest` was not taken; undefined where everything was whole, closing brackets included. */
  end(rest: Uint8Array): { offset: number; inside: boolean } | undefined {
    if (this.failed || this.state === 'done') return undefined;
    const text = decoder.decode(rest).replace(/^[\s,]+/, '');
    return { offset: this.offset + rest.length, inside: text !== '' };
  }

  private fail(at: number, found: string): void {
    this.failed = true;
    this.handler.wrong(this.offset + at, found);
  }

  private values(bytes: Uint8Array): number {
    const end = bytes.length;
    let at = 0;
    if (this.state === 'start' && this.offset === 0) at = markLength(bytes);
    for (;;) {
      while (at < end && (isBlank(bytes[at]) || bytes[at] === 44)) at++;
      if (at >= end) return end;
      const c = bytes[at];
      if (this.state === 'start') {
        if (c !== 91 && c !== 123) {
          this.fail(at, `"${String.fromCharCode(...bytes.subarray(at, at + 20))}"`);
          return end;
        }
        this.state = c === 91 ? 'elements' : 'members';
        this.found = c === 91;
        at++;
      } else if (this.state === 'elements' || this.state === 'list') {
        if (c === 93) {
          at++;
          this.state = this.state === 'list' ? 'members' : 'done';
          if (this.state === 'done') return end;
          continue;
        }
        const to = valueEnd(bytes, at, end);
        if (to < 0) return at;
        if (to === at) {
          this.fail(at, `"${String.fromCharCode(c)}"`);
          return end;
        }
        this.handler.element(parseValue(bytes, at, to), this.offset + at);
        at = to;
      } else {
        if (c === 125) {
          this.state = 'done';
          return end;
        }
        const to = this.member(bytes, at, end);
        if (to < 0) return at;
        at = to;
      }
    }
  }

  /** Behind a member, or behind the opening of the list; -1 where it is not whole. */
  private member(bytes: Uint8Array, at: number, end: number): number {
    if (bytes[at] !== QUOTE) {
      this.fail(at, `"${String.fromCharCode(bytes[at])}" where a key is due`);
      return end;
    }
    const keyEnd = valueEnd(bytes, at, end);
    if (keyEnd < 0) return -1;
    let i = keyEnd;
    while (i < end && (isBlank(bytes[i]) || bytes[i] === 58)) i++;
    if (i >= end) return -1;
    const key = String(parseValue(bytes, at, keyEnd));
    if (key === this.list && bytes[i] === 91) {
      this.state = 'list';
      this.found = true;
      return i + 1;
    }
    const to = valueEnd(bytes, i, end);
    if (to < 0) return -1;
    this.handler.member(key, parseValue(bytes, i, to), this.offset + i);
    return to;
  }
}
