// Finds the load address of an object for profiles with function names but without mappings (perf script).
// Objects are loaded at page boundaries, so a small function determines the address. All addresses of a process must agree.
import { addToList, firstIndexWhere, getOrMake } from '../../base/lists.ts';
import type { Elf, ElfSection } from './elf.ts';
import { identifierOf } from './names-at.ts';
import { forEachSymbol, type RawSymbol, symbolTablesOf } from './symbol-table.ts';

/** An address of a process, and the function name recorded for it. */
export interface RecordedName {
  readonly address: number;
  readonly name: string;
}

/** Start and size of a function, in the object's own addresses. */
type FunctionExtent = Readonly<Pick<RawSymbol, 'start' | 'bytes'>>;

const PAGE_BYTES = 4096;
/** Maximum number of identifiers to look for, most frequent first, and of addresses per identifier that vote in a process. */
const MAX_IDENTIFIERS = 24;
const MAX_VOTING_ADDRESSES = 64;
/** An identifier with more symbols, or a function with more pages, does not determine the load address. */
const MAX_EXTENTS = 512;
const MAX_PAGES = 256;

/**
 * The load bias by process: its addresses minus the object's; NaN if names disagree, none if no name can be compared.
 * `elfs`: the object and its debug file.
 */
export async function findLoadBiases<K>(elfs: readonly Elf[], recorded: ReadonlyMap<K, readonly RecordedName[]>) {
  const identifiers = new Map<string, string | undefined>();
  const voters = new Map([...recorded].map(([process, names]) => [process, votingAddresses(names, identifiers)]));
  const counts = new Map<string, number>();
  for (const own of voters.values())
    for (const [identifier, addresses] of own) counts.set(identifier, (counts.get(identifier) ?? 0) + addresses.length);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_IDENTIFIERS);
  const wanted = frequent.map(([identifier]) => identifier);
  const extents = await findExtents(elfs, wanted);
  const out = new Map<K, number>();
  for (const [process, own] of voters) {
    const bias = electLoadBias(own, extents);
    if (bias !== undefined) out.set(process, bias);
  }
  return out;
}

/** By identifier: the addresses that vote for a load address. `identifiers` caches the identifier of each name. */
function votingAddresses(recorded: readonly RecordedName[], identifiers: Map<string, string | undefined>): Map<string, number[]> {
  const out = new Map<string, number[]>();
  for (const { address, name } of recorded) {
    if (!identifiers.has(name)) identifiers.set(name, name.includes('@') ? undefined : identifierOf(name));
    const identifier = identifiers.get(name);
    if (identifier !== undefined && (out.get(identifier)?.length ?? 0) < MAX_VOTING_ADDRESSES)
      addToList(out, identifier, address);
  }
  return out;
}

function electLoadBias(voters: ReadonlyMap<string, readonly number[]>, extents: ReadonlyMap<string, readonly FunctionExtent[]>) {
  const votes = new Map<number, number>();
  let voting = 0;
  for (const [identifier, addresses] of voters) {
    const own = extents.get(identifier) ?? [];
    if (own.length === 0 || own.length > MAX_EXTENTS) continue;
    for (const address of addresses) {
      const biases = new Set<number>();
      for (const { start, bytes } of own) {
        const most = Math.floor((address - start) / PAGE_BYTES);
        const least = Math.max(Math.floor((address - start - bytes) / PAGE_BYTES) + 1, most - MAX_PAGES);
        for (let page = least; page <= most; page++) biases.add(page * PAGE_BYTES);
      }
      voting++;
      for (const bias of biases) votes.set(bias, (votes.get(bias) ?? 0) + 1);
    }
  }
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  if (voting === 0) return undefined;
  return first && first[1] * 2 > voting && first[1] > (second?.[1] ?? 0) ? first[0] : Number.NaN;
}

async function findExtents(elfs: readonly Elf[], identifiers: readonly string[]): Promise<Map<string, FunctionExtent[]>> {
  const out = new Map<string, FunctionExtent[]>();
  // A debug file has functions that the dynamic symbol table lacks.
  const tables = elfs.flatMap((elf) => symbolTablesOf(elf).map((t) => ({ elf, ...t })));
  const whole = tables.filter(({ isWhole }) => isWhole);
  for (const { elf, table, strings } of whole.length > 0 ? whole.slice(0, 1) : tables) {
    const names = findNamesWith(elf, strings, identifiers);
    await forEachSymbol(elf, table, ({ name, start, bytes }) => {
      const found = names[firstIndexWhere(names.length, (k) => names[k].to >= name)];
      if (!found || found.from > name || bytes === 0) return;
      for (const identifier of found.identifiers)
        if ((out.get(identifier)?.length ?? 0) <= MAX_EXTENTS) addToList(out, identifier, { start, bytes });
    });
  }
  return out;
}

const CHUNK_BYTES = 4 << 20;
const MAX_NAME_BYTES = 1 << 13;
/** An identifier that occurs in more names than this is ignored. */
const MAX_HITS = 1 << 13;

/** The ranges of string table offsets at which a name with some of the identifiers may start. */
function findNamesWith(elf: Elf, strings: ElfSection, identifiers: readonly string[]) {
  const found = new Map<number, { readonly from: number; to: number; readonly identifiers: Set<string> }>();
  const hits = new Map<string, number>();
  for (let at = 0; at < strings.bytes; at += CHUNK_BYTES) {
    const bytes = elf.bytes.read(strings.offset + at, Math.min(CHUNK_BYTES + MAX_NAME_BYTES, strings.bytes - at));
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const identifier of identifiers) {
      let count = hits.get(identifier) ?? 0;
      for (let k = -1; count <= MAX_HITS; count++) {
        k = buffer.indexOf(identifier, k + 1);
        if (k < 0 || k >= CHUNK_BYTES) break;
        const to = lastNameStart(buffer, k, identifier);
        if (to < 0) continue;
        const before = Math.max(0, to - MAX_NAME_BYTES);
        const from = at + before + buffer.subarray(before, to).lastIndexOf(0) + 1;
        const known = getOrMake(found, from, () => ({ from, to: 0, identifiers: new Set<string>() }));
        known.to = Math.max(known.to, at + to);
        known.identifiers.add(identifier);
      }
      hits.set(identifier, count);
    }
  }
  const isRare = (identifier: string) => (hits.get(identifier) ?? 0) <= MAX_HITS;
  return [...found.values()]
    .map((m) => ({ ...m, identifiers: [...m.identifiers].filter(isRare) }))
    .sort((a, b) => a.from - b.from);
}

/** The last possible start of a name with the identifier at k; -1 if the identifier is only a part of a longer one. */
function lastNameStart(buffer: Buffer, k: number, identifier: string): number {
  // A mangled name has the length before the identifier. A C name is the identifier, plus underscores, versions and clones.
  const length = `${identifier.length}`;
  const before = k - length.length;
  if (before >= 0 && buffer.toString('latin1', before, k) === length && !isDigit(buffer[before - 1])) return before;
  const next = buffer[k + identifier.length];
  const ends = next === undefined || next === 0 || next === AT || next === DOT;
  return ends && (k === 0 || buffer[k - 1] === 0 || buffer[k - 1] === UNDERSCORE) ? k : -1;
}

const [AT, DOT, UNDERSCORE] = [64, 46, 95];
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;
