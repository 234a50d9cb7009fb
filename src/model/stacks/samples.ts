// Sampled stacks as a loader writes them: code addresses (places), stacks of them with their counts, and the mappings
// that say which file an address belonged to. Names come later, from the file itself or from symbols (io/symbols).

import { firstWhere } from '../../base/search.ts';
import { Grow } from '../column.ts';
import { HashTable } from '../hash-table.ts';

/** A line of the process's memory map: addresses [start, end) held the bytes of `path` from `offset` on. */
export interface Mapping {
  readonly start: bigint;
  readonly end: bigint;
  readonly offset: bigint;
  readonly executable: boolean;
  /** As recorded; null for anonymous memory. */
  readonly path: string | null;
}

/** A function at a place; several where calls were inlined, the innermost first. */
export interface NamedFrame {
  readonly name: string;
  readonly file: string | null;
  /** 0 is unknown. */
  readonly line: number;
  /** Where the code starts that holds the frame, if its name alone does not say which function it is: `operator()`, a lambda. */
  readonly home?: number;
}

export class Samples {
  readonly places = new PlaceTable();
  readonly stacks = new StackTable();
  /** The memory map of each part, as recorded. */
  readonly mappings: Mapping[][] = [];
  /** Sampling period of each part in nanoseconds; 0 if not stated. */
  readonly periods: number[] = [];
  /** The part in which a place was first seen, whose memory map is used for it. */
  readonly partOf = new Grow(Uint32Array);
  /** By place; absent where no symbol is known. */
  readonly names: (readonly NamedFrame[] | undefined)[] = [];
  /** Address in the object file by place, if that file was read: the one that disassemblers and symbol tables use. */
  readonly ownAddress = new Map<number, bigint>();
  /** Where the function starts in the object file, by place, if that is all that is known of it: no symbol names it. */
  readonly starts = new Map<number, bigint>();
  /** Places in the code by which a signal handler returns. */
  readonly trampolines = new Set<number>();
  /** Names of functions that belong to the profiler, not to the program: their frames are left out. */
  hidden: RegExp | undefined;

  /** The place of a code address. For a caller, pass the return address minus 1, which is within the call. */
  place(part: number, high: number, low: number): number {
    const id = this.places.id(high, low);
    if (id === this.partOf.length) this.partOf.push(part);
    return id;
  }

  address(place: number): bigint {
    return (BigInt(this.places.high.data[place]) << 32n) | BigInt(this.places.low.data[place]);
  }

  private readonly sorted = new Map<number, Mapping[]>();

  /** The mapping that contains the place's address, preferring executable ones, since others may overlap them. */
  mappingOf(place: number): Mapping | undefined {
    const address = this.address(place);
    const part = this.partOf.data[place];
    const list = this.mappings[part] ?? [];
    let code = this.sorted.get(part);
    if (!code) {
      code = list.filter((m) => m.executable).sort((a, b) => (a.start < b.start ? -1 : 1));
      this.sorted.set(part, code);
    }
    const byEnd = code;
    const found = code[firstWhere(code.length, (k) => byEnd[k].end > address)];
    if (found && address >= found.start && address < found.end) return found;
    return list.find((m) => address >= m.start && address < m.end);
  }
}

/** Gives equal addresses equal numbers, dense from 0. */
class PlaceTable extends HashTable {
  readonly high = new Grow(Uint32Array, 1 << 10);
  readonly low = new Grow(Uint32Array, 1 << 10);
  /** The address being looked up. */
  private wantedHigh = 0;
  private wantedLow = 0;

  get count(): number {
    return this.high.length;
  }

  id(high: number, low: number): number {
    const known = this.of(high, low);
    if (known >= 0) return known;
    this.high.push(high);
    this.low.push(low);
    return this.insert(placeHash(high, low));
  }

  /** The number of an address; -1 if no stack has it. */
  of(high: number, low: number): number {
    this.wantedHigh = high;
    this.wantedLow = low;
    return this.find(placeHash(high, low));
  }

  protected isWanted(id: number): boolean {
    return this.low.data[id] === this.wantedLow && this.high.data[id] === this.wantedHigh;
  }
}

function placeHash(high: number, low: number): number {
  const h = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  return h ^ (h >>> 15);
}

/** Stacks of places, each once per part; its count is the sum over its records. */
export class StackTable extends HashTable {
  readonly start = new Grow(Uint32Array, 1 << 10);
  readonly place = new Grow(Uint32Array, 1 << 12);
  readonly part = new Grow(Uint32Array, 1 << 10);
  readonly count = new Grow(Float64Array, 1 << 10);
  /** Counts beyond 2^53, exact. */
  readonly beyond = new Map<number, bigint>();
  /** The stack being looked up. */
  private wantedPart = 0;
  private wanted: Uint32Array = new Uint32Array(0);
  private wantedLength = 0;

  constructor() {
    super();
    this.start.push(0);
  }

  get rows(): number {
    return this.part.length;
  }

  /** Adds `count` samples of the stack places[0..n), the innermost first. */
  add(part: number, places: Uint32Array, n: number, count: number | bigint): void {
    const hash = stackHash(part, places, 0, n);
    this.wantedPart = part;
    this.wanted = places;
    this.wantedLength = n;
    const known = this.find(hash);
    if (known >= 0) return this.more(known, count);
    const row = this.insert(hash);
    const to = this.place.length + n;
    if (to > this.place.data.length) this.place.reserve(Math.max(to, this.place.data.length * 2));
    for (let i = 0; i < n; i++) this.place.data[this.place.length + i] = places[i];
    this.place.length = to;
    this.start.push(to);
    this.part.push(part);
    this.count.push(0);
    this.more(row, count);
  }

  private more(row: number, count: number | bigint): void {
    const was = this.count.data[row];
    const sum = typeof count === 'number' ? was + count : Number.NaN;
    if (!this.beyond.has(row) && sum <= Number.MAX_SAFE_INTEGER) {
      this.count.data[row] = sum;
      return;
    }
    const exact = (this.beyond.get(row) ?? BigInt(was)) + BigInt(count);
    this.beyond.set(row, exact);
    this.count.data[row] = Number(exact);
  }

  protected isWanted(row: number): boolean {
    const { wanted, wantedLength } = this;
    const from = this.start.data[row];
    if (this.start.data[row + 1] - from !== wantedLength || this.part.data[row] !== this.wantedPart) return false;
    const mine = this.place.data;
    for (let i = 0; i < wantedLength; i++) if (mine[from + i] !== wanted[i]) return false;
    return true;
  }
}

function stackHash(part: number, places: Uint32Array, from: number, to: number): number {
  let h = 0x811c9dc5 ^ part;
  for (let i = from; i < to; i++) h = Math.imul(h ^ places[i], 0x01000193) ^ (h >>> 13);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}
