// Reads JSON that is too large for one string: finds the end of each value in the bytes, and parses the values one by one.
import type { Sink } from '../../model/sink.ts';
import type { Loader, Source } from '../loader.ts';
import { isBlank, isObject, type JsonObject, type JsonResult, jsonExcerpt, keyAt, readJson, valueEnd } from './json.ts';
import { byteOrderMarkLength, FileReader, readPieces } from './stream.ts';

/** Base class that reads the elements of the list and the other members of the object. */
export abstract class ObjectReader extends FileReader implements ValueReader {
  readPlainElement?(bytes: Uint8Array, at: number, end: number, offset: number): number;
  readPlainMember?(key: string, bytes: Uint8Array, from: number, to: number): boolean;
  /** The name of an element of the list, for messages: `a thread`. */
  protected abstract readonly element: string;
  abstract readObject(value: JsonObject, offset: number): void;
  abstract readMember(key: string, value: unknown): void;
  abstract finish(end: number, source: Source): void;
  /** True if other members had what the list would have had. */
  readonly needsNoList?: boolean;

  refuse(offset: number, found: string, list: string): never {
    throw this.errorAt(offset, `an object with ${list}`, found);
  }

  /** Reads an element, which is an object. Throws FormatError if it is none. */
  readElement({ value, wrong }: JsonResult, offset: number): void {
    if (!isObject(value)) throw this.errorAt(offset, this.element, wrong ?? jsonExcerpt(value));
    this.readObject(value, offset);
  }
}

/** Makes the load function for a file that is one JSON object with the list `list`. */
export function makeObjectLoader(list: string, ReaderClass: new (sink: Sink, path: string) => ObjectReader): Loader['load'] {
  return async (source, sink, signal) => {
    const reader = new ReaderClass(sink, source.path);
    const splitter = new ListSplitter(list, reader);
    const { rest } = await readPieces(source, sink.limits, signal, (bytes) => splitter.take(bytes), 'value');
    const open = splitter.end(rest);
    if (open) throw reader.errorAt(open.offset, 'the end of the object', 'the end of the file');
    if (!splitter.found && !reader.needsNoList) reader.refuse(splitter.offset, 'an object without them', list);
    reader.finish(splitter.offset, source);
  };
}

const QUOTE = 34;

export interface ValueReader {
  /** Called for each element of the top-level array, or of the list `list` in the top-level object. */
  readElement(json: JsonResult, offset: number): void;
  /** Reads the element at bytes[at] without JSON.parse. Returns its end, 0 if incomplete, or -1 if it must be parsed. */
  readPlainElement?(bytes: Uint8Array, at: number, end: number, offset: number): number;
  /** Called for every other key of the top-level object whose value is valid. */
  readMember(key: string, value: unknown): void;
  /** Reads the value bytes[from..to) of a key without JSON.parse; returns false if it must be parsed. */
  readPlainMember?(key: string, bytes: Uint8Array, from: number, to: number): boolean;
  /** Called for invalid JSON at a place where a value is expected. */
  refuse(offset: number, found: string, list: string): void;
}

/** Splits `[a, b]` or `{"list": [a, b], "key": v}` into values, in chunks of any size. The end may be missing. */
export class ListSplitter {
  private state: 'start' | 'elements' | 'members' | 'list' | 'done' = 'start';
  /** Bytes of the file consumed so far. */
  offset = 0;
  private failed = false;
  /** True once the list was found, or if the top level is an array. */
  found = false;

  constructor(
    private readonly list: string,
    private readonly reader: ValueReader,
  ) {}

  /** Consumes complete values and their separators; returns the number of bytes consumed. */
  take(bytes: Uint8Array): number {
    const used = this.failed || this.state === 'done' ? bytes.length : this.splitValues(bytes);
    this.offset += used;
    return used;
  }

  /** End of a truncated file, and whether it is inside a value or the list; undefined if complete. `rest`: unconsumed bytes. */
  end(rest: Uint8Array): { offset: number; inside: boolean; inList: boolean } | undefined {
    if (this.failed || this.state === 'done') return undefined;
    return {
      offset: this.offset + rest.length,
      inside: rest.some((c) => !isBlank(c) && c !== 44),
      inList: this.state === 'elements' || this.state === 'list',
    };
  }

  /** Reports invalid JSON, and skips all other bytes: returns their end. */
  private fail(bytes: Uint8Array, at: number, found: string): number {
    this.failed = true;
    this.reader.refuse(this.offset + at, found, this.list);
    return bytes.length;
  }

  private splitValues(bytes: Uint8Array): number {
    const end = bytes.length;
    let at = 0;
    if (this.state === 'start' && this.offset === 0) {
      // The byte-order mark has three bytes, so wait until all three are there.
      if (bytes[0] === 0xef && end < 3) return 0;
      at = byteOrderMarkLength(bytes);
    }
    for (;;) {
      while (at < end && (isBlank(bytes[at]) || bytes[at] === 44)) at++;
      if (at >= end) return end;
      const c = bytes[at];
      if (this.state === 'start') {
        if (c !== 91 && c !== 123) return this.fail(bytes, at, `"${String.fromCharCode(...bytes.subarray(at, at + 20))}"`);
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
        const taken = this.reader.readPlainElement?.(bytes, at, end, this.offset + at) ?? -1;
        if (taken === 0) return at;
        if (taken > 0) {
          at = taken;
          continue;
        }
        const to = valueEnd(bytes, at, end);
        if (to < 0) return at;
        if (to === at) return this.fail(bytes, at, `"${String.fromCharCode(c)}"`);
        this.reader.readElement(readJson(bytes, at, to), this.offset + at);
        at = to;
      } else {
        if (c === 125) {
          this.state = 'done';
          return end;
        }
        const to = this.splitMember(bytes, at, end);
        if (to < 0) return at;
        at = to;
      }
    }
  }

  /** Consumes a member, or the list's opening bracket; returns the position after it, or -1 if the member is incomplete. */
  private splitMember(bytes: Uint8Array, at: number, end: number): number {
    if (bytes[at] !== QUOTE) return this.fail(bytes, at, `"${String.fromCharCode(bytes[at])}" where a key should be`);
    const found = keyAt(bytes, at, end);
    if (!found) return -1;
    const { key, value } = found;
    if (key === this.list && bytes[value] === 91) {
      this.state = 'list';
      this.found = true;
      return value + 1;
    }
    const to = valueEnd(bytes, value, end);
    if (to < 0) return -1;
    if (key === undefined || this.reader.readPlainMember?.(key, bytes, value, to)) return to;
    const json = readJson(bytes, value, to);
    if (json.wrong === undefined) this.reader.readMember(key, json.value);
    return to;
  }
}
