// Where functions start and end, from .eh_frame (LSB, "Exception Frames"; DWARF 5, 6.4): what unwinders need, so stripped programs have it
// too. The table is read in pieces, once, and only functions that hold one of the addresses are kept. A pointer that does not
// fit, or is encoded in a way that no compiler uses here, leaves out its function only.
import { firstWhere } from '../../base/search.ts';
import { type Elf, Fields, offsetOfAddress } from './elf.ts';

export interface CodeRange {
  readonly start: number;
  readonly end: number;
  /** It is the trampoline by which a signal handler returns. */
  readonly signal: boolean;
}

const CHUNK = 1 << 20;
/** The largest programs have 100 MB of it. */
const MOST_BYTES = 256 << 20;
const MOST_RANGES = 1 << 20;
const MOST_CIES = 1 << 12;
/** No entry needs more than this up to the addresses that it is about. */
const WINDOW = 512;

/** How the pointers of a group of functions are written (its CIE). */
interface Coding {
  readonly pointer: number;
  readonly signal: boolean;
}

/** The function that holds each address (ascending, in the file's own address space); undefined where the table has none. */
export function findRanges(elf: Elf, addresses: Float64Array): (CodeRange | undefined)[] {
  const table = tableOf(elf);
  return table && addresses.length > 0 ? innermost(new Reader(elf, table, addresses).ranges(), addresses) : [];
}

interface Table {
  readonly offset: number;
  readonly address: number;
  readonly bytes: number;
}

/** By its section, else by the program header of its index: section headers can be stripped, too. */
function tableOf(elf: Elf): Table | undefined {
  const section = elf.sections.find((s) => s.name === '.eh_frame' && s.bytes > 0);
  if (section) return section;
  const index = elf.unwindIndex;
  if (!index) return undefined;
  const raw = elf.bytes.read(index.offset, 12);
  // Version 1; every linker writes the table's address as 32 bits that count from here.
  if (raw.length < 8 || raw[0] !== 1 || raw[1] !== 0x1b) return undefined;
  const address = index.address + 4 + new DataView(raw.buffer, raw.byteOffset).getInt32(4, elf.little);
  const offset = offsetOfAddress(elf, address);
  const home = elf.segments.find((s) => address >= s.address && address < s.address + s.bytes);
  return offset === undefined || !home ? undefined : { offset, address, bytes: home.address + home.bytes - address };
}

class Reader {
  private readonly size: number;
  private readonly codings = new Map<number, Coding | undefined>();
  private window = new Uint8Array(0);
  private from = 0;

  constructor(
    private readonly elf: Elf,
    private readonly table: Table,
    private readonly addresses: Float64Array,
  ) {
    this.size = Math.min(table.bytes, MOST_BYTES);
  }

  ranges(): CodeRange[] {
    const out: CodeRange[] = [];
    for (let at = 0; at + 8 <= this.size && out.length < MOST_RANGES; ) {
      const raw = this.piece(at);
      if (raw.length < 8) break;
      const f = new Fields(raw, this.elf.wide, this.elf.little);
      const wide = f.u32(0) === 0xffffffff;
      const head = wide ? 12 : 4;
      if (wide && raw.length < head + 4) break;
      const length = wide ? f.u64(4) : f.u32(0);
      if (length === 0) break;
      const group = raw.length >= head + 4 ? f.u32(head) : 0;
      // 0 marks the head of a group; a function says how far back its head is.
      if (group > 0) {
        const coding = this.codingOf(at + head - group);
        const range = coding && this.range(raw, at, head + 4, coding);
        if (range) out.push(range);
      }
      at += head + Math.max(4, length);
    }
    return out;
  }

  /** Up to WINDOW bytes from there on. */
  private piece(at: number): Uint8Array {
    const to = Math.min(this.size, at + WINDOW);
    if (at < this.from || to > this.from + this.window.length) {
      this.window = Uint8Array.from(this.elf.bytes.read(this.table.offset + at, Math.min(CHUNK, this.size - at)));
      this.from = at;
    }
    return this.window.subarray(at - this.from, to - this.from);
  }

  private range(raw: Uint8Array, at: number, field: number, { pointer, signal }: Coding): CodeRange | undefined {
    const start = new Cursor(raw, field, this.elf).pointer(pointer, this.table.address + at);
    // The length is written like the address, and counts from nowhere.
    const length = start && new Cursor(raw, start.next, this.elf).pointer(pointer & 0x0f, 0);
    if (!start || !length || !(length.value > 0)) return undefined;
    const end = start.value + length.value;
    const k = firstWhere(this.addresses.length, (i) => this.addresses[i] >= start.value);
    return k < this.addresses.length && this.addresses[k] < end ? { start: start.value, end, signal } : undefined;
  }

  private codingOf(at: number): Coding | undefined {
    if (this.codings.has(at)) return this.codings.get(at);
    if (at < 0 || at >= this.size || this.codings.size >= MOST_CIES) return undefined;
    const raw = this.elf.bytes.read(this.table.offset + at, Math.min(WINDOW, this.size - at));
    const coding = codingIn(raw, this.elf);
    this.codings.set(at, coding);
    return coding;
  }
}

/** Reads numbers of DWARF; past the end it reads zeros and is no longer `good`. */
class Cursor {
  constructor(
    private readonly raw: Uint8Array,
    public at: number,
    private readonly elf: Elf,
  ) {}

  get good(): boolean {
    return this.at <= this.raw.length;
  }

  byte(): number {
    const value = this.raw[this.at] ?? 0;
    this.at++;
    return value;
  }

  leb(signed: boolean): number {
    let value = 0;
    for (let bits = 0; bits < 56; bits += 7) {
      const b = this.byte();
      value += (b & 0x7f) * 2 ** bits;
      if (b < 0x80) return signed && b >= 0x40 ? value - 2 ** (bits + 7) : value;
    }
    this.at = Number.POSITIVE_INFINITY;
    return 0;
  }

  /** A pointer in this encoding, at `base` + its place; undefined if it is cut off or relative to what is not known here. */
  pointer(encoding: number, base: number): { readonly value: number; readonly next: number } | undefined {
    const { wide, little } = this.elf;
    const relative = encoding & 0x70;
    if (encoding & 0x80 || (relative !== 0 && relative !== 0x10)) return undefined;
    const place = base + this.at;
    const form = encoding & 0x0f;
    const size = form === 0 ? (wide ? 8 : 4) : { 2: 2, 3: 4, 4: 8, 10: 2, 11: 4, 12: 8 }[form];
    let value: number;
    if (size === undefined) {
      if (form !== 1 && form !== 9) return undefined;
      value = this.leb(form === 9);
    } else {
      if (this.at + size > this.raw.length) return undefined;
      const view = new DataView(this.raw.buffer, this.raw.byteOffset + this.at, size);
      const signed = form >= 8;
      if (size === 2) value = signed ? view.getInt16(0, little) : view.getUint16(0, little);
      else if (size === 4) value = signed ? view.getInt32(0, little) : view.getUint32(0, little);
      else value = Number(signed || relative === 0x10 ? view.getBigInt64(0, little) : view.getBigUint64(0, little));
      this.at += size;
    }
    if (!this.good) return undefined;
    if (relative === 0x10) value += place;
    // 32-bit addresses wrap around.
    if (!wide && relative === 0x10) value = ((value % 2 ** 32) + 2 ** 32) % 2 ** 32;
    return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? { value, next: this.at } : undefined;
  }
}

/** How the group writes pointers; undefined if its head makes no sense. */
function codingIn(raw: Uint8Array, elf: Elf): Coding | undefined {
  if (raw.length < 12) return undefined;
  const f = new Fields(raw, elf.wide, elf.little);
  const head = f.u32(0) === 0xffffffff ? 12 : 4;
  if (raw.length < head + 6 || f.u32(head) !== 0) return undefined;
  const c = new Cursor(raw, head + 4, elf);
  const version = c.byte();
  if (version !== 1 && version !== 3 && version !== 4) return undefined;
  let letters = '';
  for (let b = c.byte(); b !== 0 && letters.length < 16; b = c.byte()) letters += String.fromCharCode(b);
  if (version === 4) c.at += 2;
  c.leb(false);
  c.leb(true);
  if (version === 1) c.byte();
  else c.leb(false);
  if (letters === '') return c.good ? { pointer: 0, signal: false } : undefined;
  if (letters[0] !== 'z') return undefined;
  c.leb(false);
  let pointer = 0;
  for (const letter of letters.slice(1)) {
    if (letter === 'R') pointer = c.byte();
    else if (letter === 'L') c.byte();
    else if (letter === 'P') {
      // Only its size matters; what it counts from does not.
      const skipped = c.pointer(c.byte() & 0x0f, 0);
      if (!skipped) return undefined;
    } else if (letter !== 'S' && letter !== 'B' && letter !== 'G') return undefined;
  }
  return c.good ? { pointer, signal: letters.includes('S') } : undefined;
}

/** The range with the last start around each address, by a sweep over both in order. */
function innermost(ranges: CodeRange[], addresses: Float64Array): (CodeRange | undefined)[] {
  ranges.sort((a, b) => a.start - b.start || b.end - a.end);
  const open: CodeRange[] = [];
  let next = 0;
  return Array.from(addresses, (address) => {
    while (next < ranges.length && ranges[next].start <= address) open.push(ranges[next++]);
    // A range that ended is of no more use; the addresses ascend.
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= address) open.pop();
    return open.at(-1);
  });
}
