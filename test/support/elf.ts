// ELF files for tests: made by hand, or changed.

import assert from 'node:assert/strict';
import { type Elf, type FileBytes, readElf } from '../../src/io/symbols/elf.ts';

export function bytesOf(data: Uint8Array, count?: { read: number }): FileBytes {
  return {
    size: data.length,
    read(offset, length) {
      const out = data.subarray(Math.min(Math.max(0, offset), data.length), Math.min(offset + length, data.length));
      if (count) count.read += out.length;
      return out;
    },
    close() {},
  };
}

export function elfOf(bytes: FileBytes): Elf {
  const elf = readElf(bytes);
  assert.ok(typeof elf === 'object', String(elf));
  return elf;
}

/** The same file without its symbol tables and debug information, as `strip` leaves it; `dynamic`: without .dynsym, too. */
export function stripElf(data: Uint8Array, dynamic = false): Uint8Array {
  const out = Uint8Array.from(data);
  const view = new DataView(out.buffer);
  const sections = Number(view.getBigUint64(40, true));
  elfOf(bytesOf(data)).sections.forEach(({ name, type }, i) => {
    // A section of type 0 is not there.
    const goes = type === 2 || /^\.z?debug|^\.gnu_debuglink/.test(name) || (dynamic && type === 11);
    if (!goes) return;
    view.setUint32(sections + i * 64 + 4, 0, true);
    view.setUint32(sections + i * 64, 0, true);
    view.setBigUint64(sections + i * 64 + 32, 0n, true);
  });
  return out;
}

export interface Sym {
  name: string;
  value: number;
  size: number;
  type: number;
  bind: number;
  section?: number;
}

/** A small ELF file: one executable segment at 0x10000 (file offset 0x100), .text, .symtab or .dynsym, .strtab. */
export function buildElf(wide: boolean, little: boolean, symbols: Sym[], dynamic = false): Uint8Array {
  const data = new Uint8Array(4096);
  const view = new DataView(data.buffer);
  const u16 = (at: number, v: number) => view.setUint16(at, v, little);
  const u32 = (at: number, v: number) => view.setUint32(at, v, little);
  const word = (at: number, v: number) => (wide ? view.setBigUint64(at, BigInt(v), little) : u32(at, v));
  data.set([0x7f, 0x45, 0x4c, 0x46, wide ? 2 : 1, little ? 1 : 2, 1]);
  const w = wide ? 8 : 4;
  u16(16, 3);
  word(24 + w, wide ? 64 : 52);
  word(24 + 2 * w, 2048);
  const sizes = 24 + 3 * w + 4;
  for (const [i, v] of [wide ? 64 : 52, wide ? 56 : 32, 1, wide ? 64 : 40, 4, 0].entries()) u16(sizes + 2 * i, v);
  const ph = wide ? 64 : 52;
  u32(ph, 1);
  u32(ph + (wide ? 4 : 24), 5);
  word(ph + (wide ? 8 : 4), 0x100);
  word(ph + (wide ? 16 : 8), 0x10000);
  word(ph + (wide ? 32 : 16), 0x300);
  const section = (i: number, type: number, flags: number, address: number, offset: number, size: number, link: number) => {
    const at = 2048 + i * (wide ? 64 : 40);
    u32(at + 4, type);
    word(at + 8, flags);
    word(at + 8 + w, address);
    word(at + 8 + 2 * w, offset);
    word(at + 8 + 3 * w, size);
    u32(at + 8 + 4 * w, link);
  };
  section(1, 1, 6, 0x10000, 0x100, 0x300, 0);
  let strings = '\0';
  const entry = wide ? 24 : 16;
  symbols.forEach((s, i) => {
    const at = 1024 + i * entry;
    u32(at, strings.length);
    strings += `${s.name}\0`;
    data[at + (wide ? 4 : 12)] = (s.bind << 4) | s.type;
    u16(at + (wide ? 6 : 14), s.section ?? 1);
    word(at + (wide ? 8 : 4), s.value);
    word(at + (wide ? 16 : 8), s.size);
  });
  section(2, dynamic ? 11 : 2, 0, 0, 1024, symbols.length * entry, 3);
  section(3, 3, 0, 0, 3000, strings.length, 0);
  data.set(Buffer.from(strings, 'latin1'), 3000);
  return data;
}
