// Names, once each, as the bytes that the file has. They are decoded only when they are shown or searched: a million
// names cost their bytes, names that are not UTF-8 stay distinct, and the whole table crosses to another thread by transfer.
import type { StringId } from './column.ts';

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
  const from = strings.start[id]!;
  const to = strings.start[id + 1]!;
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
      const c = bytes[i]!;
      if (c >= 0x80) return decoder.decode(bytes.subarray(from, to));
      out += String.fromCharCode(c);
    }
    return out;
  }
  return decoder.decode(bytes.subarray(from, to));
}

/** Gives equal bytes equal ids. Open addressing over FNV-1a; ids are dense, from 0 in order of first sight. */
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
    let hash = 0x811c9dc5 | 0;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ source[i]!, 0x01000193);
    const { slots, hashes, start, bytes } = this;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const id = slots[slot]!;
      if (id < 0) break;
      const at = start[id]!;
      if (hashes[id] === hash && start[id + 1]! - at === to - from) {
        let i = from;
        while (i < to && bytes[at + i - from] === source[i]) i++;
        if (i === to) return id;
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
    return id < 0 ? '' : decodeBytes(this.bytes, this.start[id]!, this.start[id + 1]!);
  }

  finish(): Strings {
    return { bytes: this.bytes.slice(0, this.used), start: this.start.slice(0, this.count + 1) };
  }

  private add(source: Uint8Array, from: number, to: number, slot: number, hash: number): StringId {
    const length = to - from;
    if (this.used + length > this.bytes.length) {
      const next = new Uint8Array(Math.max(this.bytes.length * 2, this.used + length));
      next.set(this.bytes.subarray(0, this.used));
      this.bytes = next;
    }
    if (this.count + 2 > this.start.length) {
      this.start = doubled(this.start);
      this.hashes = doubled(this.hashes);
    }
    const { bytes, used } = this;
    // Most names are short: a call of set() and its view cost more than they do.
    if (length < 64) for (let i = 0; i < length; i++) bytes[used + i] = source[from + i]!;
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
      const hash = this.hashes[id]!;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.slots = slots;
  }
}

function doubled<A extends Uint32Array | Int32Array>(from: A): A {
  const next = new (from.constructor as new (length: number) => A)(from.length * 2);
  next.set(from);
  return next;
}
