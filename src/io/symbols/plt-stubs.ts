// Names PLT stubs, such as `memcmp@plt`: the few instructions by which calls leave an object. Stubs have no symbols.
// A stub jumps through its GOT entry, whose relocation names the function, or the code that chooses the function (IFUNC).
// Stubs of x86-64, i386 and AArch64 are supported.
import { withoutVersion } from '../../model/canonical-name.ts';
import { type Elf, type ElfSection, HeaderFields } from './elf.ts';
import { findSymbols, nameAtOffset } from './symbol-table.ts';

const EM_386 = 3;
const EM_X86_64 = 62;
const EM_AARCH64 = 183;
const SHT_RELA = 4;
const SHT_REL = 9;
const CHUNK_BYTES = 1 << 20;
/** Maximum number of relocation tables that are read. An object usually has one for calls and one for data. */
const MAX_RELOCATION_TABLES = 16;

/** A PLT stub: its start, and the GOT entry through which it jumps. */
type PltStub = Readonly<Record<'start' | 'entry', number>>;

/** By address: the PLT stub that contains it. */
export async function findStubs(elf: Elf, addresses: Iterable<number>) {
  const sections = elf.sections.filter((s) => s.executable && /^\.i?plt(\.sec|\.got|\.bnd)?$/.test(s.name));
  const stubs = new Map<number, PltStub>();
  const parseStub = elf.machine === EM_AARCH64 ? parseArmStub : parseIntelStub;
  for (const address of sections.length > 0 ? addresses : []) {
    const section = sections.find((s) => address >= s.address && address < s.address + s.bytes);
    const stub = section && parseStub(elf, section, address);
    if (stub) stubs.set(address, stub);
  }
  const names = await findEntryNames(elf, new Set([...stubs.values()].map((s) => s.entry)));
  return new Map(
    [...stubs].flatMap(([address, { start, entry }]) => {
      const name = names.get(entry);
      return name === undefined ? [] : [[address, { name: `${name}@plt`, start }] as const];
    }),
  );
}

/** Parses a stub of 8 or 16 bytes: `jmp *entry`, in some builds after `endbr` and a prefix. */
function parseIntelStub(elf: Elf, section: ElfSection, address: number): PltStub | undefined {
  if (elf.machine !== EM_X86_64 && elf.machine !== EM_386) return undefined;
  for (const size of [8, 16]) {
    const inside = Math.floor((address - section.address) / size) * size;
    const raw = elf.bytes.read(section.offset + inside, Math.min(16, section.bytes - inside));
    const endbr = raw[0] === 0xf3 && raw[1] === 0x0f && raw[2] === 0x1e && (raw[3] === 0xfa || raw[3] === 0xfb);
    let at = endbr ? 4 : 0;
    if (raw[at] === 0xf2) at++;
    if (raw.length < at + 6 || raw[at] !== 0xff || (raw[at + 1] !== 0x25 && raw[at + 1] !== 0xa3)) continue;
    const start = section.address + inside;
    const offset = new DataView(raw.buffer, raw.byteOffset + at + 2, 4).getInt32(0, true);
    if (elf.machine === EM_X86_64) return raw[at + 1] === 0x25 ? { start, entry: start + at + 6 + offset } : undefined;
    // i386: absolute, or relative to the GOT in position-independent code.
    const table = elf.sections.find((s) => s.name === '.got.plt') ?? elf.sections.find((s) => s.name === '.got');
    return { start, entry: raw[at + 1] === 0x25 ? offset >>> 0 : (table?.address ?? 0) + offset };
  }
  return undefined;
}

/** Parses `adrp x16, page` and `ldr x17, [x16, offset]`, in some builds after `bti c`: up to six instructions. */
function parseArmStub(elf: Elf, section: ElfSection, address: number): PltStub | undefined {
  const inside = Math.floor((address - section.address) / 4) * 4;
  const from = Math.max(0, inside - 20);
  const raw = elf.bytes.read(section.offset + from, Math.min(32, section.bytes - from));
  const code = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  // The search starts at the next instruction, because this one may be `bti c`.
  for (let at = Math.min(inside - from + 4, raw.length - 8); at >= 0; at -= 4) {
    const [adrp, ldr] = [code.getUint32(at, true), code.getUint32(at + 4, true)];
    if ((adrp & 0x9f00001f) >>> 0 !== 0x90000010 || (ldr & 0xffc003ff) >>> 0 !== 0xf9400211) continue;
    const bti = at >= 4 && code.getUint32(at - 4, true) === 0xd503245f;
    const start = section.address + from + at - (bti ? 4 : 0);
    if (start > address) continue;
    const pages = (((adrp >> 5) & 0x7ffff) << 2) | ((adrp >> 29) & 3);
    const page = Math.floor((section.address + from + at) / 4096) + (pages >= 1 << 20 ? pages - (1 << 21) : pages);
    return { start, entry: page * 4096 + ((ldr >> 10) & 0xfff) * 8 };
  }
  return undefined;
}

/** By GOT entry: the function whose address the loader writes there. */
async function findEntryNames(elf: Elf, entries: ReadonlySet<number>): Promise<Map<number, string>> {
  const out = new Map<number, string>();
  /** By GOT entry: the address of the code that chooses the function. */
  const choosers = new Map<number, number>();
  if (entries.size === 0) return out;
  const { is64Bit, isLittleEndian } = elf;
  const tables = elf.sections.filter((s) => (s.type === SHT_RELA || s.type === SHT_REL) && /^\.rela?\./.test(s.name));
  for (const table of tables.slice(0, MAX_RELOCATION_TABLES)) {
    const symbols = elf.sections[table.link];
    const strings = symbols && elf.sections[symbols.link];
    if (!strings) continue;
    const size = (table.type === SHT_RELA ? 3 : 2) * (is64Bit ? 8 : 4);
    const count = Math.floor(table.bytes / size);
    const step = Math.floor(CHUNK_BYTES / size);
    for (let first = 0; first < count && out.size < entries.size; first += step) {
      const raw = elf.bytes.read(table.offset + first * size, Math.min(count - first, step) * size);
      const f = new HeaderFields(raw, is64Bit, isLittleEndian);
      for (let at = 0; at + size <= raw.length; at += size) {
        const entry = f.word(at, at);
        if (!entries.has(entry) || out.has(entry)) continue;
        // The symbol is the upper part of the second word.
        const symbol = is64Bit ? f.u32(at + (isLittleEndian ? 12 : 8)) : f.u32(at + 4) >>> 8;
        const name = symbol === 0 ? '' : symbolNameOf(elf, symbols, strings, symbol);
        if (name !== '') out.set(entry, name);
        else if (symbol === 0 && table.type === SHT_RELA) choosers.set(entry, f.word(at + 8, at + 16));
      }
    }
  }
  const places = Float64Array.from(new Set(choosers.values())).sort();
  const chosen = places.length > 0 ? await findSymbols(elf, places) : [];
  const symbolAt = new Map(chosen.map((symbol, i) => [places[i], symbol]));
  for (const [entry, place] of choosers) {
    const symbol = symbolAt.get(place);
    if (symbol?.start === place) out.set(entry, symbol.name);
  }
  return out;
}

function symbolNameOf(elf: Elf, symbols: ElfSection, strings: ElfSection, symbol: number): string {
  const size = elf.is64Bit ? 24 : 16;
  if ((symbol + 1) * size > symbols.bytes) return '';
  const raw = elf.bytes.read(symbols.offset + symbol * size, size);
  if (raw.length < size) return '';
  return withoutVersion(nameAtOffset(elf, strings, new HeaderFields(raw, elf.is64Bit, elf.isLittleEndian).u32(0)));
}
