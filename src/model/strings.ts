// Unique names, as raw bytes from the file. Names are decoded only when shown or searched, so they cost only their bytes.
// Names that are not UTF-8 stay distinct, and the whole table can be transferred to another thread.

import { runToEnd, type Sliced } from '../base/slices.ts';
import { growColumn, MAX_RESERVED_ROWS, type StringId } from './column.ts';
import { HashTable } from './hash-table.ts';

export interface Strings {
  readonly bytes: Uint8Array;
  /** String i is bytes[start[i]] .. bytes[start[i + 1] - 1]. */
  readonly start: Uint32Array;
}

/** The number of strings that are inserted between pauses. */
const STRINGS_PER_SLICE = 20_000;

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text of a string. Bytes that are not UTF-8 become U+FFFD. */
export const stringAt = (strings: Strings, id: StringId): string =>
  id < 0 ? '' : decodeBytes(strings.bytes, strings.start[id], strings.start[id + 1]);

export const stringCount = (strings: Strings): number => strings.start.length - 1;

export function decodeBytes(bytes: Uint8Array, from: number, to: number): string {
  // For a few ASCII characters, calling the decoder costs more than this loop. Beyond 12, V8 would keep each prefix, too.
  if (to - from <= 12) {
    let out = '';
    for (let i = from; i < to; i++) {
      const c = bytes[i];
      if (c >= 0x80) return decoder.decode(bytes.subarray(from, to));
      out += String.fromCharCode(c);
    }
    return out;
  }
  return decoder.decode(bytes.subarray(from, to));
}

/** Whether bytes[at..] begins with an ASCII text. */
export function startsWithAscii(bytes: Uint8Array, at: number, text: string): boolean {
  for (let k = 0; k < text.length; k++) if (bytes[at + k] !== text.charCodeAt(k)) return false;
  return true;
}

/** Hashes bytes, four at a time. The final mix of MurmurHash3 makes all bits equally good. */
export const hashBytes = (bytes: Uint8Array, from: number, to: number): number => hashView(dataViewOf(bytes), from, to);

/** Hashes with a DataView, which reads four bytes in one instruction, even if unaligned. */
function hashView(view: DataView, from: number, to: number): number {
  let hash = to - from;
  let i = from;
  for (; i + 4 <= to; i += 4) hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ view.getInt32(i, true), 0x9e3779b1);
  for (; i < to; i++) hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ view.getUint8(i), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const dataViewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Numbers strings: equal bytes get equal ids, dense from 0 in order of first appearance. */
export class Interner extends HashTable {
  private bytes = new Uint8Array(1 << 16);
  private used = 0;
  private start = new Uint32Array(1 << 12);
  private view = dataViewOf(this.bytes);
  /** The bytes being looked up. */
  private source: Uint8Array = new Uint8Array(0);
  private sourceView = dataViewOf(this.source);
  private from = 0;
  private length = 0;
  private readonly scratch = new Uint8Array(1 << 12);

  get count(): number {
    return this.rowCount;
  }

  bytesId(source: Uint8Array, from: number, to: number): StringId {
    if (source !== this.source) {
      this.source = source;
      this.sourceView = dataViewOf(source);
    }
    const hash = hashView(this.sourceView, from, to);
    this.from = from;
    this.length = to - from;
    const known = this.find(hash);
    return known >= 0 ? known : this.add(hash);
  }

  static fromStrings = (strings: Strings): Interner => runToEnd(Interner.readStrings(strings));

  /** Creates an interner with these strings, which keep their ids. Yields between slices of work. */
  static *readStrings({ bytes, start }: Strings): Sliced<Interner> {
    const out = new Interner();
    for (let i = 0; i + 1 < start.length; i++) {
      if (i % STRINGS_PER_SLICE === STRINGS_PER_SLICE - 1) yield;
      out.bytesId(bytes, start[i], start[i + 1]);
    }
    return out;
  }

  textId(text: string): StringId {
    // A character takes at most three bytes.
    if (text.length * 3 > this.scratch.length) {
      const bytes = encoder.encode(text);
      return this.bytesId(bytes, 0, bytes.length);
    }
    return this.bytesId(this.scratch, 0, encoder.encodeInto(text, this.scratch).written);
  }

  text(id: StringId): string {
    return id < 0 ? '' : decodeBytes(this.bytes, this.start[id], this.start[id + 1]);
  }

  /** Whether the bytes of a string pass the test. Nothing is decoded. */
  test(id: StringId, passes: (bytes: Uint8Array, from: number, to: number) => boolean): boolean {
    return id >= 0 && passes(this.bytes, this.start[id], this.start[id + 1]);
  }

  /** The id of a changed string. `change` writes the new bytes to `out` and returns their length, or -1 for no change. */
  changedId(id: StringId, change: (bytes: Uint8Array, from: number, to: number, out: Uint8Array) => number): StringId {
    const [from, to] = [this.start[id], this.start[id + 1]];
    const out = 2 * (to - from) <= this.scratch.length ? this.scratch : new Uint8Array(2 * (to - from));
    const length = change(this.bytes, from, to, out);
    return length < 0 ? id : this.bytesId(out, 0, length);
  }

  finish(): Strings {
    return { bytes: this.bytes.subarray(0, this.used), start: this.start.subarray(0, this.rowCount + 1) };
  }

  /** Multiplies the reserved capacity for strings by `times`. */
  scaleCapacity(times: number): void {
    this.ensureCapacity(Math.min(MAX_RESERVED_ROWS, Math.ceil(this.used * times)));
    const strings = Math.min(MAX_RESERVED_ROWS, Math.ceil(this.rowCount * times));
    this.start = growColumn(this.start, strings);
    this.reserve(strings);
  }

  private ensureCapacity(bytes: number): void {
    this.bytes = growColumn(this.bytes, bytes);
    this.view = dataViewOf(this.bytes);
  }

  protected isWanted(id: StringId): boolean {
    const { from, length, start, view, sourceView } = this;
    const at = start[id];
    if (start[id + 1] - at !== length) return false;
    let i = 0;
    for (; i + 4 <= length; i += 4) if (view.getInt32(at + i) !== sourceView.getInt32(from + i)) return false;
    for (; i < length; i++) if (view.getUint8(at + i) !== sourceView.getUint8(from + i)) return false;
    return true;
  }

  private add(hash: number): StringId {
    const { source, from, length } = this;
    if (this.used + length > this.bytes.length) this.ensureCapacity(Math.max(this.bytes.length * 2, this.used + length));
    if (this.rowCount + 2 > this.start.length) this.start = growColumn(this.start, this.start.length * 2);
    const { bytes, used } = this;
    // Most names are short, for which set() on a view costs more than this loop.
    if (length < 64) for (let i = 0; i < length; i++) bytes[used + i] = source[from + i];
    else bytes.set(source.subarray(from, from + length), used);
    this.used += length;
    this.start[this.rowCount + 1] = this.used;
    return this.insert(hash);
  }
}
