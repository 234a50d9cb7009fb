// Reads ELF files as far as symbols need them: program headers, sections, build ID and debug link. Reads only what it needs.
// Any number in a file may be wrong, so every value that does not fit into the file is ignored.
import { closeSync, readSync } from 'node:fs';
import { openRegular } from '../disk/regular.ts';

/** Bytes of a file, read by offset. A read beyond the end returns fewer bytes. */
export interface FileBytes {
  readonly size: number;
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

export interface ElfSegment {
  readonly offset: number;
  readonly address: number;
  readonly bytes: number;
  readonly executable: boolean;
}

export interface ElfSection extends ElfSegment {
  readonly name: string;
  readonly type: number;
  readonly compressed: boolean;
  readonly link: number;
}

export interface Elf {
  readonly bytes: FileBytes;
  readonly is64Bit: boolean;
  readonly isLittleEndian: boolean;
  readonly machine: number;
  readonly segments: readonly ElfSegment[];
  readonly sections: readonly ElfSection[];
  /** The build ID in hexadecimal; null if the file has none. */
  readonly buildId: string | null;
  readonly debugLink: { readonly name: string; readonly crc: number } | null;
  /** The path of a debug file that several objects share (made by dwz). */
  readonly debugAltLink: string | null;
  /** The index of the unwind table, if a program header names it. */
  readonly unwindIndex: { readonly offset: number; readonly address: number } | undefined;
}

const PT_LOAD = 1;
const PT_NOTE = 4;
const PT_GNU_EH_FRAME = 0x6474e550;
const SHT_NOTE = 7;
const NT_GNU_BUILD_ID = 3;
const SHF_EXECINSTR = 4;
const SHF_COMPRESSED = 0x800;
const PF_X = 1;
/** Maximum number of headers. No linker writes more; a file that claims more is corrupt. */
const MAX_HEADERS = 1 << 17;
const MAX_NOTE_BYTES = 1 << 16;
const MAX_TEXT_BYTES = 4096;

/** Opens a regular file for reading by offset. Throws RefusedError for other kinds of files, and system errors unchanged. */
export function openFileBytes(path: string): FileBytes {
  const { fd, stat } = openRegular(path);
  const { size } = stat;
  return {
    size,
    read(offset, length) {
      if (!(offset >= 0) || offset >= size) return new Uint8Array(0);
      const out = new Uint8Array(Math.min(length, size - offset));
      let got = 0;
      while (got < out.length) {
        const n = readSync(fd, out, got, out.length - got, offset + got);
        if (n === 0) break;
        got += n;
      }
      return out.subarray(0, got);
    },
    close: () => closeSync(fd),
  };
}

/** Opens an object, whose bytes the caller closes, or tells why it cannot be used. Throws like openFileBytes(). */
export function openElf(path: string): Elf | string {
  const bytes = openFileBytes(path);
  const elf = readElf(bytes);
  if (typeof elf === 'string') bytes.close();
  return elf;
}

/** Reads header fields in the file's word size and byte order. */
export class HeaderFields {
  readonly view: DataView;
  constructor(
    bytes: Uint8Array,
    private readonly wide: boolean,
    private readonly little: boolean,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  u16(at: number): number {
    return this.view.getUint16(at, this.little);
  }
  u32(at: number): number {
    return this.view.getUint32(at, this.little);
  }
  /** Reads 64 bits as a number, rounded beyond 2^53, which is outside of any file. */
  u64(at: number): number {
    const [a, b] = [this.u32(at), this.u32(at + 4)];
    return this.little ? b * 2 ** 32 + a : a * 2 ** 32 + b;
  }
  /** Reads an address or an offset of 32 or 64 bits. */
  word(at32: number, at64: number): number {
    return this.wide ? this.u64(at64) : this.u32(at32);
  }
}

/** The headers of the file, or why the file cannot be used. */
export function readElf(bytes: FileBytes): Elf | string {
  const head = bytes.read(0, 64);
  if (head.length < 52 || head[0] !== 0x7f || head[1] !== 0x45 || head[2] !== 0x4c || head[3] !== 0x46) return 'not an ELF file';
  if (head[4] !== 1 && head[4] !== 2) return `an ELF file of class ${head[4]}`;
  if (head[5] !== 1 && head[5] !== 2) return `an ELF file of byte order ${head[5]}`;
  const wide = head[4] === 2;
  if (wide && head.length < 64) return 'an ELF file cut off in its header';
  const little = head[5] === 1;
  const f = new HeaderFields(head, wide, little);
  const sections = readSections(bytes, f, wide, little);
  const segments = readSegments(bytes, f, wide, little, sections.info);
  const notes = [...segments.notes, ...sections.list.filter((s) => s.type === SHT_NOTE)];
  const buildIds = notes.slice(0, 16).map((n) => findBuildId(bytes, n.offset, n.bytes, wide, little));
  const link = sections.list.find((s) => s.name === '.gnu_debuglink');
  const shared = sections.list.find((s) => s.name === '.gnu_debugaltlink');
  return {
    bytes,
    is64Bit: wide,
    isLittleEndian: little,
    machine: f.u16(18),
    segments: segments.list,
    sections: sections.list,
    buildId: buildIds.find((id) => id !== null) ?? null,
    debugLink: link ? readDebugLink(bytes, link, little) : null,
    debugAltLink: shared ? textAt(bytes.read(shared.offset, Math.min(shared.bytes, MAX_NOTE_BYTES)), 0) : null,
    unwindIndex: segments.unwindIndex,
  };
}

function readSegments(bytes: FileBytes, f: HeaderFields, wide: boolean, little: boolean, manyInfo: number) {
  const offset = f.word(28, 32);
  const size = f.u16(wide ? 54 : 42);
  let count = f.u16(wide ? 56 : 44);
  // PN_XNUM: the actual count is in section 0.
  if (count === 0xffff) count = manyInfo;
  const list: ElfSegment[] = [];
  const notes: Pick<ElfSegment, 'offset' | 'bytes'>[] = [];
  let unwindIndex: Elf['unwindIndex'];
  if (size < (wide ? 56 : 32)) return { list, notes, unwindIndex };
  for (let i = 0; i < Math.min(count, MAX_HEADERS); i++) {
    const raw = bytes.read(offset + i * size, wide ? 56 : 32);
    if (raw.length < (wide ? 56 : 32)) break;
    const p = new HeaderFields(raw, wide, little);
    const type = p.u32(0);
    const at = p.word(4, 8);
    const length = p.word(16, 32);
    if (type === PT_NOTE) notes.push({ offset: at, bytes: length });
    if (type === PT_GNU_EH_FRAME) unwindIndex = { offset: at, address: p.word(8, 16) };
    if (type === PT_LOAD && at < bytes.size) {
      const executable = (p.u32(wide ? 4 : 24) & PF_X) !== 0;
      list.push({ offset: at, address: p.word(8, 16), bytes: Math.min(length, bytes.size - at), executable });
    }
  }
  return { list, notes, unwindIndex };
}

/** The sections. `info`: that of section 0, with the number of segments if their header field is too small for it. */
function readSections(bytes: FileBytes, f: HeaderFields, wide: boolean, little: boolean): { list: ElfSection[]; info: number } {
  const offset = f.word(32, 40);
  const size = f.u16(wide ? 58 : 46);
  let count = f.u16(wide ? 60 : 48);
  let names = f.u16(wide ? 62 : 50);
  const need = wide ? 64 : 40;
  if (offset === 0 || size < need) return { list: [], info: 0 };
  const at = (i: number) => {
    const raw = bytes.read(offset + i * size, need);
    return raw.length < need ? undefined : new HeaderFields(raw, wide, little);
  };
  const zero = at(0);
  if (!zero) return { list: [], info: 0 };
  if (count === 0) count = zero.word(20, 32);
  if (names === 0xffff) names = zero.u32(wide ? 40 : 24);
  const raw: (Omit<ElfSection, 'name'> & { readonly nameAt: number })[] = [];
  for (let i = 0; i < Math.min(count, MAX_HEADERS); i++) {
    const s = at(i);
    if (!s) break;
    const from = s.word(16, 24);
    const type = s.u32(4);
    // SHT_NOBITS occupies no space in the file.
    const length = type === 8 || from >= bytes.size ? 0 : Math.min(s.word(20, 32), bytes.size - from);
    const flags = s.word(8, 8);
    raw.push({
      nameAt: s.u32(0),
      type,
      executable: (flags & SHF_EXECINSTR) !== 0,
      compressed: (flags & SHF_COMPRESSED) !== 0,
      address: s.word(12, 16),
      offset: from,
      bytes: length,
      link: s.u32(wide ? 40 : 24),
    });
  }
  const strings = raw[names];
  // Section names are a few dozen bytes each, so their whole table is read at once.
  const table = strings ? bytes.read(strings.offset, Math.min(strings.bytes, 1 << 20)) : new Uint8Array(0);
  const list = raw.map(({ nameAt, ...section }) => ({ name: textAt(table, nameAt), ...section }));
  return { list, info: zero.u32(wide ? 44 : 28) };
}

/** Decompressed size of all compressed sections, by their headers (Elf64_Chdr, or `ZLIB` and a size in .zdebug sections). */
export function unpackedBytes({ bytes, sections, is64Bit, isLittleEndian }: Elf): number {
  let sum = 0;
  for (const { name, compressed, offset } of sections) {
    const old = name.startsWith('.zdebug_');
    if (!compressed && !old) continue;
    const head = bytes.read(offset, 24);
    if (head.length < 24) continue;
    const size = old ? new HeaderFields(head, true, false).u64(4) : new HeaderFields(head, is64Bit, isLittleEndian).word(4, 8);
    sum += size;
  }
  return sum;
}

/** The string at `at`, up to a 0 byte or the end of the bytes. */
export function textAt(bytes: Uint8Array, at: number): string {
  if (at >= bytes.length) return '';
  const end = bytes.indexOf(0, at);
  return Buffer.from(bytes.subarray(at, Math.min(end < 0 ? bytes.length : end, at + MAX_TEXT_BYTES))).toString('utf8');
}

function findBuildId(bytes: FileBytes, offset: number, length: number, wide: boolean, little: boolean): string | null {
  const raw = bytes.read(offset, Math.min(length, MAX_NOTE_BYTES));
  const f = new HeaderFields(raw, wide, little);
  const round = (n: number) => (n + 3) & ~3;
  for (let at = 0; at + 12 <= raw.length; ) {
    const [name, size, type] = [f.u32(at), f.u32(at + 4), f.u32(at + 8)];
    if (name > raw.length || size > raw.length) return null;
    const data = at + 12 + round(name);
    const isBuildId = type === NT_GNU_BUILD_ID && textAt(raw.subarray(at + 12, at + 12 + name), 0) === 'GNU';
    if (isBuildId && size > 0 && data + size <= raw.length) return Buffer.from(raw.subarray(data, data + size)).toString('hex');
    at = data + round(size);
  }
  return null;
}

function readDebugLink(bytes: FileBytes, section: ElfSection, little: boolean): { name: string; crc: number } | null {
  const raw = bytes.read(section.offset, Math.min(section.bytes, MAX_NOTE_BYTES));
  const end = raw.indexOf(0);
  const at = (end + 4) & ~3;
  if (end <= 0 || at + 4 > raw.length) return null;
  const name = textAt(raw, 0);
  // Only a name is accepted, not a path: proftui chooses the folders to search.
  if (name.includes('/')) return null;
  return { name, crc: new DataView(raw.buffer, raw.byteOffset).getUint32(at, little) };
}

/** The address of a file offset according to the program headers; undefined if no segment contains it. */
export function addressOfOffset(elf: Elf, offset: number): number | undefined {
  const holds = (s: ElfSegment) => offset >= s.offset && offset < s.offset + s.bytes;
  const found = elf.segments.find((s) => s.executable && holds(s)) ?? elf.segments.find(holds);
  return found && offset - found.offset + found.address;
}

/** The segment of the file that contains an address; undefined if there is none. */
export const segmentAt = ({ segments }: Elf, address: number): ElfSegment | undefined =>
  segments.find((s) => address >= s.address && address < s.address + s.bytes);
