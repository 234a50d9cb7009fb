// Finds functions by address in an ELF file's symbol tables. The tables are read in pieces.
// Only symbols that cover one of the addresses are kept, so memory depends on the matches, even for a program of 100 MB.
import { firstIndexWhere } from '../../base/lists.ts';
import { withoutVersion } from '../../model/canonical-name.ts';
import { type Elf, type ElfSection, HeaderFields, textAt } from './elf.ts';

const SHT_SYMTAB = 2;
const SHT_DYNSYM = 11;
const STT_NOTYPE = 0;
const STT_FUNC = 2;
const STT_GNU_IFUNC = 10;
const EM_ARM = 40;
const CHUNK_BYTES = 1 << 20;
/** A normal object has one table of each type; a hostile one may claim thousands, each as large as the file. */
const MAX_TABLES = 4;
const MAX_NAME_BYTES = 1 << 12;
const MAX_ALIASES = 16;

export interface FoundSymbol {
  readonly name: string;
  /** All names of the function, including `name`. */
  readonly names: readonly string[];
  readonly start: number;
  /** True if the table records the symbol's size. Otherwise the symbol extends to the next one. */
  readonly sized: boolean;
}

interface SymbolCandidate {
  readonly start: number;
  readonly end: number;
  readonly sized: boolean;
  readonly rank: number;
  readonly name: number;
  readonly strings: ElfSection;
}

/** The symbol tables of an object, full ones (.symtab) before dynamic ones (.dynsym), each with the section of its names. */
export function symbolTablesOf(elf: Elf) {
  return [SHT_SYMTAB, SHT_DYNSYM].flatMap((type) =>
    elf.sections
      .filter((s) => s.type === type)
      .slice(0, MAX_TABLES)
      .flatMap((table) => {
        const strings = elf.sections[table.link];
        return strings ? [{ table, strings, isWhole: type === SHT_SYMTAB }] : [];
      }),
  );
}

export interface RawSymbol {
  start: number;
  /** Size of the symbol; 0 if the table does not record it. */
  bytes: number;
  isFunction: boolean;
  /** Visibility of the symbol: 0 local, 1 weak, 2 global. */
  rank: number;
  section: number;
  /** Offset of the symbol's name in the string table. */
  name: number;
}

/** Calls `visit` for each code symbol that the object defines. The symbol object is reused. */
export async function forEachSymbol(elf: Elf, table: ElfSection, visit: (symbol: RawSymbol) => void): Promise<void> {
  const { is64Bit, isLittleEndian } = elf;
  const entry = is64Bit ? 24 : 16;
  const count = Math.floor(table.bytes / entry);
  const atOnce = Math.floor(CHUNK_BYTES / entry);
  const symbol: RawSymbol = { start: 0, bytes: 0, isFunction: false, rank: 0, section: 0, name: 0 };
  for (let first = 0; first < count; first += atOnce) {
    const raw = elf.bytes.read(table.offset + first * entry, Math.min(count - first, atOnce) * entry);
    // Waiting lets keys be handled between two pieces.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const f = new HeaderFields(raw, is64Bit, isLittleEndian);
    for (let at = 0; at + entry <= raw.length; at += entry) {
      const info = raw[at + (is64Bit ? 4 : 12)];
      const type = info & 15;
      symbol.section = f.u16(at + (is64Bit ? 6 : 14));
      symbol.isFunction = type === STT_FUNC || type === STT_GNU_IFUNC;
      if (symbol.section === 0 || !(symbol.isFunction || type === STT_NOTYPE)) continue;
      const value = is64Bit ? f.u64(at + 8) : f.u32(at + 4);
      // In ARM the lowest address bit marks a Thumb function.
      symbol.start = elf.machine === EM_ARM && value % 2 === 1 ? value - 1 : value;
      symbol.bytes = is64Bit ? f.u64(at + 16) : f.u32(at + 8);
      symbol.rank = info >> 4 === 0 ? 0 : info >> 4 === 2 ? 1 : 2;
      symbol.name = f.u32(at);
      visit(symbol);
    }
  }
}

/**
 * The symbol for each address (ascending, in the file's own address space), undefined if there is none: from .symtab first,
 * then .dynsym for the rest. Sizes are respected; a symbol without a size extends to the next one, within its section.
 */
export async function findSymbols(elf: Elf, addresses: Float64Array): Promise<(FoundSymbol | undefined)[]> {
  const out = new Array<FoundSymbol | undefined>(addresses.length).fill(undefined);
  for (const { table, strings } of symbolTablesOf(elf)) {
    const best = await findBestSymbols(elf, table, strings, addresses);
    for (const [i, aliases] of best.entries())
      if (out[i] === undefined && aliases.length > 0) out[i] = plainestSymbol(elf, aliases);
  }
  return out;
}

/** For each address: the equally good candidates for its symbol. */
async function findBestSymbols(elf: Elf, table: ElfSection, strings: ElfSection, addresses: Float64Array) {
  const sized: SymbolCandidate[] = [];
  // For each address: the last symbol that starts at or before it, of any size.
  const nearest: (SymbolCandidate | undefined)[] = new Array(addresses.length).fill(undefined);
  await forEachSymbol(elf, table, ({ start, bytes, isFunction, rank, section, name }) => {
    const from = firstIndexWhere(addresses.length, (k) => addresses[k] >= start);
    if (from >= addresses.length) return;
    const covers = bytes > 0 && addresses[from] < start + bytes;
    const before = nearest[from];
    const near = !before || start >= before.start;
    if (!covers && !near) return;
    const home = elf.sections[section];
    const end = bytes > 0 ? start + bytes : home?.executable ? home.address + home.bytes : start;
    const found: SymbolCandidate = { start, end, sized: bytes > 0, rank, name, strings };
    if (covers && isFunction) sized.push(found);
    if (near && (!before || start > before.start || (before.end <= addresses[from] && end > before.end))) nearest[from] = found;
  });
  const best = innermostSymbols(sized, addresses);
  let last: SymbolCandidate | undefined;
  addresses.forEach((address, i) => {
    const here = nearest[i];
    if (here && (!last || here.start >= last.start)) last = here;
    if (best[i].length === 0 && last && address < last.end) best[i] = [last];
  });
  return best;
}

/** For each address, all names of the covering function that starts last. Makes one pass over sorted symbols and addresses. */
function innermostSymbols(symbols: SymbolCandidate[], addresses: Float64Array): SymbolCandidate[][] {
  symbols.sort((a, b) => a.start - b.start || a.rank - b.rank || b.end - a.end);
  const open: SymbolCandidate[] = [];
  let next = 0;
  return Array.from(addresses, (address) => {
    while (next < symbols.length && symbols[next].start <= address) open.push(symbols[next++]);
    while (open.length > 0 && open.at(-1)!.end <= address) open.pop();
    const top = open.at(-1);
    if (!top) return [];
    const aliases = [top];
    for (let k = open.length - 2; k >= 0 && aliases.length < MAX_ALIASES; k--) {
      const other = open[k];
      if (other.start !== top.start) break;
      if (other.end > address) aliases.push(other);
    }
    return aliases;
  });
}

/**
 * A function with the plainest of its names: fewest leading underscores, then most visible, shortest, and alphabetically
 * first. A name that only old programs link with (one @ before its version) comes last.
 */
function plainestSymbol(elf: Elf, aliases: readonly SymbolCandidate[]): FoundSymbol | undefined {
  const named = aliases
    .map(({ rank, ...a }) => {
      const full = nameAtOffset(elf, a.strings, a.name);
      return { name: withoutVersion(full), rank, old: /[^@]@(?!@)/.test(full) };
    })
    // Mapping symbols ($x, $d) are not names.
    .filter((n) => n.name !== '' && !n.name.startsWith('$'));
  named.sort(
    (a, b) =>
      Number(a.old) - Number(b.old) ||
      leadingUnderscores(a.name) - leadingUnderscores(b.name) ||
      b.rank - a.rank ||
      a.name.length - b.name.length ||
      (a.name < b.name ? -1 : 1),
  );
  const [first] = named;
  const { start, sized } = aliases[0];
  return first && { name: first.name, names: named.map((n) => n.name), start, sized };
}

const leadingUnderscores = (name: string) => (/^_Z/.test(name) ? 0 : (/^_*/.exec(name)?.[0].length ?? 0));

/** The name at an offset of a string table; '' if the offset is outside. */
export function nameAtOffset(elf: Elf, strings: ElfSection, name: number): string {
  if (name >= strings.bytes) return '';
  return textAt(elf.bytes.read(strings.offset + name, Math.min(MAX_NAME_BYTES, strings.bytes - name)), 0);
}
