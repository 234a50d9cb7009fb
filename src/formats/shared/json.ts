// JSON too large for one string: the end of each value is found in the bytes, and values are parsed one by one.
import { markLength } from './stream.ts';

const QUOTE = 34;
const BACKSLASH = 92;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON whitespace. */
export function isBlank(c: number): boolean {
  return c === 32 || c === 10 || c === 13 || c === 9;
}

/** The end (exclusive) of the value that starts at `at`; -1 if the bytes end first. No recursion. */
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

/** The value of bytes[from..to); undefined if it is not JSON. */
export function parseValue(bytes: Uint8Array, from: number, to: number): unknown {
  try {
    return JSON.parse(decoder.decode(bytes.subarray(from, to)));
  } catch {
    // The caller reports the error: it knows the position.
    return undefined;
  }
}

/** Largest value that is assembled in memory; no tool writes a larger one. */
const LARGEST = 256 << 20;

export interface ValueHandler {
  /** An element of the top-level array, or of the list `list` in the top-level object. */
  element(value: unknown, offset: number): void;
  /** Another key of the top-level object; undefined for a value that is not JSON. */
  member(key: string, value: unknown, offset: number): void;
  /** Invalid JSON where a value is expected. */
  wrong(offset: number, found: string): void;
}

type State = 'start' | 'elements' | 'members' | 'list' | 'done';

/** Splits `[a, b]` or `{"list": [a, b], "key": v}` into values, however it is chunked. The end may be missing. */
export class ListSplitter {
  private readonly handler: ValueHandler;
  private readonly list: string;
  private state: State = 'start';
  /** Bytes of the file consumed so far. */
  private offset = 0;
  private failed = false;
  /** The list was found, or the top level is an array. */
  found = false;

  constructor(list: string, handler: ValueHandler) {
    this.list = list;
    this.handler = handler;
  }

  /** Consumes the complete values and what separates them; returns how many bytes that was. */
  take(bytes: Uint8Array): number {
    const used = this.failed || this.state === 'done' ? bytes.length : this.values(bytes);
    if (bytes.length - used > LARGEST) this.fail(0, `a value of more than ${LARGEST} bytes`);
    this.offset += used;
    return used;
  }

  /** Where an incomplete file ends, and whether inside a value; undefined if it is complete. `rest`: its bytes not yet taken. */
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

  /** Returns the position after a member, or after the list's opening bracket; -1 if the member is incomplete. */
  private member(bytes: Uint8Array, at: number, end: number): number {
    if (bytes[at] !== QUOTE) {
      this.fail(at, `"${String.fromCharCode(bytes[at])}" where a key should be`);
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
