// Finds starts and ends of functions in .eh_frame (LSB, "Exception Frames"; DWARF 5, 6.4), which stripped programs have, too.
// The table is read once, in pieces, and only functions that contain one of the addresses are kept.
// A pointer that is out of range, or in an encoding that compilers do not use here, excludes only its own function.
import { firstIndexWhere } from '../../base/lists.ts';
import { type Elf, type ElfSection, HeaderFields, segmentAt } from './elf.ts';

export interface CodeRange {
  readonly start: number;
  readonly end: number;
  /** True for the trampoline by which a signal handler returns. */
  readonly isTrampoline: boolean;
}

const CHUNK_BYTES = 1 << 20;
/** Maximum size of the table. The largest programs have tables of 100 MB. */
const MAX_TABLE_BYTES = 256 << 20;
const MAX_RANGES = 1 << 20;
const MAX_CIES = 1 << 12;
/** Maximum bytes of an entry up to and including its addresses. */
const WINDOW_BYTES = 512;

/** The pointer encoding of a group of functions (its CIE). */
interface PointerEncoding {
  readonly pointer: number;
  readonly isTrampoline: boolean;
}

/** For each address (ascending, in the file's address space): the function that contains it; undefined if unknown. */
export function findFunctionRanges(elf: Elf, addresses: Float64Array): (CodeRange | undefined)[] {
  const table = unwindTableOf(elf);
  return table && addresses.length > 0 ? innermostRanges(new EhFrameReader(elf, table, addresses).readRanges(), addresses) : [];
}

type EhFrameTable = Pick<ElfSection, 'offset' | 'address' | 'bytes'>;

/** The unwind table, by its section, else by the program header of its index, since section headers may be stripped. */
function unwindTableOf(elf: Elf): EhFrameTable | undefined {
  const section = elf.sections.find((s) => s.name === '.eh_frame' && s.bytes > 0);
  if (section) return section;
  const index = elf.unwindIndex;
  if (!index) return undefined;
  const raw = elf.bytes.read(index.offset, 12);
  // Version 1. All linkers write the table's address as 32 bits relative to this field.
  if (raw.length < 8 || raw[0] !== 1 || raw[1] !== 0x1b) return undefined;
  const address = index.address + 4 + new DataView(raw.buffer, raw.byteOffset).getInt32(4, elf.isLittleEndian);
  const home = segmentAt(elf, address);
  return home && { offset: address - home.address + home.offset, address, bytes: home.address + home.bytes - address };
}

class EhFrameReader {
  private readonly size: number;
  private readonly codings = new Map<number, PointerEncoding | undefined>();
  private window = new Uint8Array(0);
  private from = 0;

  constructor(
    private readonly elf: Elf,
    private readonly table: EhFrameTable,
    private readonly addresses: Float64Array,
  ) {
    this.size = Math.min(table.bytes, MAX_TABLE_BYTES);
  }

  readRanges(): CodeRange[] {
    const out: CodeRange[] = [];
    for (let at = 0; at + 8 <= this.size && out.length < MAX_RANGES; ) {
      const raw = this.bytesAt(at);
      if (raw.length < 8) break;
      const f = new HeaderFields(raw, this.elf.is64Bit, this.elf.isLittleEndian);
      const wide = f.u32(0) === 0xffffffff;
      const head = wide ? 12 : 4;
      if (wide && raw.length < head + 4) break;
      const length = wide ? f.u64(4) : f.u32(0);
      if (length === 0) break;
      const group = raw.length >= head + 4 ? f.u32(head) : 0;
      // 0 marks a CIE; in a function's entry it is the distance back to its CIE.
      if (group > 0) {
        const coding = this.encodingAt(at + head - group);
        const range = coding && this.parseRange(raw, at, head + 4, coding);
        if (range) out.push(range);
      }
      at += head + Math.max(4, length);
    }
    return out;
  }

  /** Up to WINDOW_BYTES bytes of the table, starting at `at`. */
  private bytesAt(at: number): Uint8Array {
    const to = Math.min(this.size, at + WINDOW_BYTES);
    if (at < this.from || to > this.from + this.window.length) {
      this.window = Uint8Array.from(this.elf.bytes.read(this.table.offset + at, Math.min(CHUNK_BYTES, this.size - at)));
      this.from = at;
    }
    return this.window.subarray(at - this.from, to - this.from);
  }

  private parseRange(raw: Uint8Array, at: number, field: number, { pointer, isTrampoline }: PointerEncoding) {
    const cursor = new DwarfCursor(raw, field, this.elf);
    const start = cursor.readPointer(pointer, this.table.address + at);
    // The length has the same format as the address, but is not relative.
    const length = cursor.readPointer(pointer & 0x0f, 0);
    if (start === undefined || !length) return undefined;
    const end = start + length;
    const k = firstIndexWhere(this.addresses.length, (i) => this.addresses[i] >= start);
    return k < this.addresses.length && this.addresses[k] < end ? { start, end, isTrampoline } : undefined;
  }

  private encodingAt(at: number): PointerEncoding | undefined {
    if (this.codings.has(at)) return this.codings.get(at);
    if (at < 0 || at >= this.size || this.codings.size >= MAX_CIES) return undefined;
    const raw = this.elf.bytes.read(this.table.offset + at, Math.min(WINDOW_BYTES, this.size - at));
    const coding = parseEncoding(raw, this.elf);
    this.codings.set(at, coding);
    return coding;
  }
}

/** Reads DWARF numbers. Beyond the end of the bytes it reads zeros, and `isValid` becomes false. */
class DwarfCursor {
  constructor(
    private readonly raw: Uint8Array,
    public at: number,
    private readonly elf: Elf,
  ) {}

  get isValid(): boolean {
    return this.at <= this.raw.length;
  }

  readByte(): number {
    const value = this.raw[this.at] ?? 0;
    this.at++;
    return value;
  }

  readLeb(signed: boolean): number {
    let value = 0;
    for (let bits = 0; bits < 56; bits += 7) {
      const b = this.readByte();
      value += (b & 0x7f) * 2 ** bits;
      if (b < 0x80) return signed && b >= 0x40 ? value - 2 ** (bits + 7) : value;
    }
    this.at = Number.POSITIVE_INFINITY;
    return 0;
  }

  /** A pointer in this encoding, relative to `base`; undefined if it is truncated or relative to something unknown here. */
  readPointer(encoding: number, base: number): number | undefined {
    const { is64Bit, isLittleEndian } = this.elf;
    const relative = encoding & 0x70;
    if (encoding & 0x80 || (relative !== 0 && relative !== 0x10)) return undefined;
    const address = base + this.at;
    const form = encoding & 0x0f;
    const size = form === 0 ? (is64Bit ? 8 : 4) : { 2: 2, 3: 4, 4: 8, 10: 2, 11: 4, 12: 8 }[form];
    let value: number;
    if (size === undefined) {
      if (form !== 1 && form !== 9) return undefined;
      value = this.readLeb(form === 9);
    } else {
      if (this.at + size > this.raw.length) return undefined;
      const view = new DataView(this.raw.buffer, this.raw.byteOffset + this.at, size);
      const signed = form >= 8;
      if (size === 2) value = signed ? view.getInt16(0, isLittleEndian) : view.getUint16(0, isLittleEndian);
      else if (size === 4) value = signed ? view.getInt32(0, isLittleEndian) : view.getUint32(0, isLittleEndian);
      else
        value = Number(signed || relative === 0x10 ? view.getBigInt64(0, isLittleEndian) : view.getBigUint64(0, isLittleEndian));
      this.at += size;
    }
    if (!this.isValid) return undefined;
    if (relative === 0x10) value += address;
    // 32-bit addresses wrap around.
    if (!is64Bit && relative === 0x10) value = ((value % 2 ** 32) + 2 ** 32) % 2 ** 32;
    return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
  }
}

/** The pointer encoding of a CIE; undefined if the CIE is malformed. */
function parseEncoding(raw: Uint8Array, elf: Elf): PointerEncoding | undefined {
  if (raw.length < 12) return undefined;
  const f = new HeaderFields(raw, elf.is64Bit, elf.isLittleEndian);
  const head = f.u32(0) === 0xffffffff ? 12 : 4;
  if (raw.length < head + 6 || f.u32(head) !== 0) return undefined;
  const c = new DwarfCursor(raw, head + 4, elf);
  const version = c.readByte();
  if (version !== 1 && version !== 3 && version !== 4) return undefined;
  let letters = '';
  for (let b = c.readByte(); b !== 0 && letters.length < 16; b = c.readByte()) letters += String.fromCharCode(b);
  if (version === 4) c.at += 2;
  c.readLeb(false);
  c.readLeb(true);
  if (version === 1) c.readByte();
  else c.readLeb(false);
  if (letters === '') return c.isValid ? { pointer: 0, isTrampoline: false } : undefined;
  if (letters[0] !== 'z') return undefined;
  c.readLeb(false);
  let pointer = 0;
  for (const letter of letters.slice(1)) {
    if (letter === 'R') pointer = c.readByte();
    else if (letter === 'L') c.readByte();
    else if (letter === 'P') {
      // This value is read only to skip it.
      if (c.readPointer(c.readByte() & 0x0f, 0) === undefined) return undefined;
    } else if (letter !== 'S' && letter !== 'B' && letter !== 'G') return undefined;
  }
  return c.isValid ? { pointer, isTrampoline: letters.includes('S') } : undefined;
}

/** For each address, the covering range that starts last. Makes one pass over sorted ranges and addresses. */
function innermostRanges(ranges: CodeRange[], addresses: Float64Array): (CodeRange | undefined)[] {
  ranges.sort((a, b) => a.start - b.start || b.end - a.end);
  const open: CodeRange[] = [];
  let next = 0;
  return Array.from(addresses, (address) => {
    while (next < ranges.length && ranges[next].start <= address) open.push(ranges[next++]);
    // Ranges that ended are dropped, because addresses are ascending.
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= address) open.pop();
    return open.at(-1);
  });
}
