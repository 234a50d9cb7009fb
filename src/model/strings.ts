// Names, once each, as the bytes that the file has. They are decoded only when they are shown or searched: a million
// names cost their bytes, names that are not UTF-8 stay distinct, and the whole table crosses to another thread by transfer.
import { MOST_EXPECTED, type StringId } from './column.ts';

export interface Strings {
  readonly bytes: Uint8Array;
  /** String i is bytes[start[i]] .. bytes[start[i + 1] - 1]. */
  readonly start: Uint32Array;
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text of a string; bytes that are not UTF-8 come as U+FFFD. */
export function stringAt(strings: Strings, id: StringId): string {
  if (id < 0) return '';
  const from = strings.start[id];
  const to = strings.start[id + 1];
  return decodeBytes(strings.bytes, from, to);
}

export function stringCount(strings: Strings): number {
  return strings.start.length - 1;
}

export function decodeBytes(bytes: Uint8Array, from: number, to: number): string {
  // Short ASCII names are the normal case, and the decoder's call costs more than they do.
  if (to - from < 24) {
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

/** A hash of bytes, four at a time; its lower bits are as good as the upper ones (the last mixing is that of MurmurHash3). */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const word = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ word, 0x9e3779b1);
  }
  for (; i < to; i++) hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ bytes[i], 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Gives equal bytes equal ids. Open addressing; ids are dense, from 0 in order of first sight. */
export class Interner {
  private bytes = new Uint8Array(1 << 16);
  private used = 0;
  private start = new Uint32Array(1 << 12);
  /** Of string i. Most strings that are not equal are told by it. */
  private hashes = new Int32Array(1 << 12);
  private count = 0;
  private slots = new Int32Array(1 << 13).fill(-1);

  /** The id of bytes[from..to). */
  bytesId(source: Uint8Array, from: number, to: number): StringId {
    const hash = hashOf(source, from, to);
    const { slots, hashes, start, bytes } = this;
    const mask = slots.length - 1;
    const length = to - from;
    let slot = hash & mask;
    for (;;) {
      const id = slots[slot];
      if (id < 0) break;
      if (hashes[id] === hash) {
        const at = start[id];
        if (start[id + 1] - at === length) {
          let i = 0;
          while (i < length && bytes[at + i] === source[from + i]) i++;
          if (i === length) return id;
        }
      }
      slot = (slot + 1) & mask;
    }
    return this.add(source, from, to, slot, hash);
  }

  textId(text: string): StringId {
    const bytes = encoder.encode(text);
    return this.bytesId(bytes, 0, bytes.length);
  }

  text(id: StringId): string {
    return id < 0 ? '' : decodeBytes(this.bytes, this.start[id], this.start[id + 1]);
  }

  finish(): Strings {
    return { bytes: this.bytes.slice(0, this.used), start: this.start.slice(0, this.count + 1) };
  }

  /** So many times the strings that there are now will come: room for them is made at once. */
  expect(times: number): void {
    this.bytes = enlarged(this.bytes, Math.min(MOST_EXPECTED, Math.ceil(this.used * times)));
    const strings = Math.min(MOST_EXPECTED, Math.ceil(this.count * times));
    this.start = enlarged(this.start, strings);
    this.hashes = enlarged(this.hashes, strings);
  }

  private add(source: Uint8Array, from: number, to: number, slot: number, hash: number): StringId {
    const length = to - from;
    if (this.used + length > this.bytes.length)
      this.bytes = enlarged(this.bytes, Math.max(this.bytes.length * 2, this.used + length));
    if (this.count + 2 > this.start.length) this.start = enlarged(this.start, this.start.length * 2);
    if (this.count + 2 > this.hashes.length) this.hashes = enlarged(this.hashes, this.hashes.length * 2);
    const { bytes, used } = this;
    // Most names are short: a call of set() and its view cost more than they do.
    if (length < 64) for (let i = 0; i < length; i++) bytes[used + i] = source[from + i];
    else bytes.set(source.subarray(from, to), used);
    const id = this.count++;
    this.used += length;
    this.start[this.count] = this.used;
    this.hashes[id] = hash;
    this.slots[slot] = id;
    if (this.count * 2 > this.slots.length) this.rehash();
    return id;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 4).fill(-1);
    const mask = slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      const hash = this.hashes[id];
      let slot = hash & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.slots = slots;
  }
}

function enlarged<A extends Uint8Array | Uint32Array | Int32Array>(from: A, length: number): A {
  if (length <= from.length) return from;
  const next = new (from.constructor as new (length: number) => A)(length);
  next.set(from);
  return next;
}
