// Sampled stacks while a file is read: code addresses (places), stacks of them with counts, and memory mappings.
// Mappings tell which file an address belongs to. Names come later, from the file or from symbols (io/symbols).

import { firstIndexWhere, getOrMake } from '../../base/lists.ts';
import { GrowableColumn } from '../column.ts';
import { HashTable, PairTable } from '../hash-table.ts';
import type { Event } from '../head.ts';

/** A line of a process's memory map: addresses [start, end) contain the bytes of `path` from `offset` on. */
export interface Mapping {
  readonly start: bigint;
  readonly end: bigint;
  readonly offset: bigint;
  readonly executable: boolean;
  /** The mapped file as recorded; null for anonymous memory. */
  readonly path: string | null;
  /** The build id in hexadecimal, which identifies the file that ran. Absent if not recorded. */
  readonly buildId?: string;
  /**
   * Where it is not `start` and `offset` that say where an address is in the file. `unknown`: only the object is known, and the names of its
   * addresses. `begin`: addresses count from where the object begins in memory.
   */
  readonly from?: 'unknown' | 'begin';
}

/** A mapping of all addresses, for profiles that record an object but no memory map. */
export const wholeAddressSpace = (path: string, from: 'unknown' | 'begin'): Mapping => {
  return { start: 0n, end: 1n << 64n, offset: 0n, executable: true, path, from };
};

/** The program of a process: the first file that was mapped; null if there is none. */
export function programOfMappings(mappings: Iterable<Mapping>): string | null {
  for (const { path } of mappings) if (path !== null && !path.startsWith('[')) return path;
  return null;
}

/** A type of cost, and the column that holds it. `factor`: how many of its unit a recorded 1 stands for, if not 1. */
export interface RecordedType extends Pick<Event, 'name' | 'unit' | 'longName' | 'uneven'> {
  readonly column: number;
  readonly factor?: number;
  /** The mean count per sample, before the factor; absent if costs are not sample counts, or the mean is unknown. */
  readonly each?: number;
  /** The number of samples of different costs that all costs are estimated from, in all files so far. */
  readonly ofSamples?: number;
}

/** The object of the kernel's frames, as perf writes it. */
export const KERNEL_OBJECT = '[kernel]';

/** Names that several functions of a file share: debug information omits the scope of lambdas and closures. */
export const SHARED_NAME = /^operator\(\)|[{<(]lambda|\{\{?closure|\$_\d/;

/** A function at an address. Inlined calls give an address several, innermost first. */
export interface NamedFrame {
  readonly name: string;
  readonly file: string | null;
  /** The line of the code; 0 is unknown. */
  readonly line: number;
  /**
   * The compiler inlined the function into its caller, although the two have different addresses. Other inlined frames share
   * one.
   */
  readonly inlined?: true;
  /** The file of the line, if it differs from `file`, the file of the function. */
  readonly lineFile?: string;
  /** The start of the code that contains the frame, if the name is ambiguous: `operator()`, a lambda. */
  readonly home?: number;
}

export interface HiddenFrames {
  readonly names: RegExp;
  /** Drops only innermost frames, up to the first other name. Absent: drops all such frames, and looks for signal handlers. */
  readonly leading?: true;
}

/** Whether a path is that of a map of code that was made at run time (perf-map.ts). */
export const isPerfMap = (path: string): boolean => /(?:^|\/)perf-\d{1,10}\.map$/.test(path);

/** Innermost first. perf-map-agent names code of Java with the functions that were inlined into it, `outer->inner`. */
export const namesOfJitFrame = (name: string): string[] => name.split(/(?<!operator)->(?=.)/).reverse();
export const namesInObject = (name: string, object: string | null): string[] =>
  isPerfMap(object ?? '') ? namesOfJitFrame(name) : [name];

export class Samples {
  readonly addresses = new AddressTable(Uint32Array);
  readonly stacks = new StackTable();
  /** The memory map of each part, as recorded. */
  readonly mappings: Mapping[][] = [];
  /** The part in which a place was first seen, whose memory map is used for it. */
  readonly partOf = new GrowableColumn(Uint32Array);
  /** By address: its names; absent if no symbol is known. */
  readonly names: (readonly NamedFrame[] | undefined)[] = [];
  /** By address: its address in the object file, as disassemblers and symbol tables use it, if that file was read. */
  readonly ownAddress = new Map<number, bigint>();
  /** By address: the start of the function in the object file, if no symbol names it. */
  readonly starts = new Map<number, bigint>();
  /** Addresses of the code that returns from a signal handler. */
  readonly trampolines = new Set<number>();
  /** Functions of the profiler or the allocator, whose frames are left out. */
  hidden: HiddenFrames | undefined;
  /** By row of stacks.element: 0 for frames that the profile itself drops. Rows beyond the end are kept. */
  keep: Uint8Array | undefined;

  /** The number of a code address. For a caller, pass the return address minus 1, which is within the call instruction. */
  addressId(part: number, high: number, low: number): number {
    const id = this.addresses.numberOf(low, high);
    if (id === this.partOf.length) this.partOf.push(part);
    return id;
  }

  /** A new number for any address, because it may be unknown (0), or mean something else in another mapping. */
  newAddressId(part: number, high: number, low: number, mapping: Mapping | undefined): number {
    this.partOf.push(part);
    this.addresses.high.push(high);
    this.addresses.low.push(low);
    const id = this.addresses.size - 1;
    if (mapping) this.recordedMapping.set(id, mapping);
    return id;
  }

  /** The number of an address; -1 if no stack has it. */
  addressIdAt(address: bigint): number {
    return this.addresses.findId(Number(address & 0xffffffffn), Number(address >> 32n));
  }

  address(place: number): bigint {
    return (BigInt(this.addresses.high.data[place]) << 32n) | BigInt(this.addresses.low.data[place]);
  }

  /** By address: its mapping, if the profile records it. */
  readonly recordedMapping = new Map<number, Mapping>();
  private readonly sorted = new Map<number, Mapping[]>();

  /** The mapping that contains an address. Executable mappings are preferred, because others may overlap them. */
  mappingOf(place: number): Mapping | undefined {
    const recorded = this.recordedMapping.get(place);
    if (recorded) return recorded;
    const address = this.address(place);
    const part = this.partOf.data[place];
    const list = this.mappings[part] ?? [];
    const sortCode = () => list.filter((m) => m.executable).sort((a, b) => (a.start < b.start ? -1 : 1));
    const code = getOrMake(this.sorted, part, sortCode);
    const found = code[firstIndexWhere(code.length, (k) => code[k].end > address)];
    if (found && address >= found.start && address < found.end) return found;
    return list.find((m) => address >= m.start && address < m.end);
  }
}

/** Numbers addresses densely from 0; equal addresses get equal numbers. */
class AddressTable extends PairTable<Uint32Array> {
  readonly low = this.first;
  readonly high = this.second;
}

/** By row: the sum of one type of cost. */
class ExactSums {
  readonly sum = new GrowableColumn(Float64Array, 1 << 10);
  /** By row: the exact sum, if it is beyond 2^53. */
  readonly beyond = new Map<number, bigint>();

  add(row: number, count: number | bigint): void {
    const was = this.sum.data[row];
    if (typeof count === 'number' && !this.beyond.has(row)) {
      const sum = was + count;
      // A column with fractions is a column of doubles in any case.
      if (Math.abs(sum) <= Number.MAX_SAFE_INTEGER || !Number.isInteger(was) || !Number.isInteger(count)) {
        this.sum.data[row] = sum;
        return;
      }
    }
    const added = typeof count === 'number' ? BigInt(Math.round(count)) : count;
    const exact = (this.beyond.get(row) ?? BigInt(Math.round(was))) + added;
    this.beyond.set(row, exact);
    this.sum.data[row] = Number(exact);
  }
}

/** Distinct stacks: one row per sequence of addresses, part and label set. A row has the summed costs of its records. */
export class StackTable extends HashTable {
  readonly start = new GrowableColumn(Uint32Array, 1 << 10);
  readonly element = new GrowableColumn(Uint32Array, 1 << 12);
  readonly part = new GrowableColumn(Uint32Array, 1 << 10);
  /** By row: its set of labels; 0 is none. */
  readonly labels = new GrowableColumn(Uint32Array, 1 << 10);
  readonly sums: ExactSums[] = [new ExactSums()];
  /** The stack being looked up. */
  private wantedPart = 0;
  private wantedLabels = 0;
  private wanted: Uint32Array = new Uint32Array(0);
  private wantedLength = 0;

  constructor() {
    super();
    this.start.push(0);
  }

  get rows(): number {
    return this.part.length;
  }

  /** The number of addresses in all rows together. */
  get elementCount(): number {
    return this.start.data[this.rows];
  }

  /** By row: the sum of the first type of cost. */
  get count(): GrowableColumn<Float64Array> {
    return this.sums[0].sum;
  }

  /** Ensures this many types of cost. */
  ensureColumns(columns: number): void {
    while (this.sums.length < columns) {
      const added = new ExactSums();
      for (let row = 0; row < this.rows; row++) added.sum.push(0);
      this.sums.push(added);
    }
  }

  /** Adds `count` samples of the stack places[0..n), innermost first. */
  add(part: number, places: Uint32Array, n: number, count: number | bigint): void {
    this.addTo(0, this.row(part, places, n), count);
  }

  addTo(column: number, row: number, cost: number | bigint): void {
    this.sums[column].add(row, cost);
  }

  /** Finds or adds the row of the stack places[0..n), innermost first. */
  row(part: number, places: Uint32Array, n: number, labels = 0): number {
    const hash = stackHash(part ^ Math.imul(labels, 0x9e3779b1), places, 0, n);
    this.wantedPart = part;
    this.wantedLabels = labels;
    this.wanted = places;
    this.wantedLength = n;
    const known = this.find(hash);
    if (known >= 0) return known;
    const row = this.insert(hash);
    this.element.reserveMore(n);
    for (let i = 0; i < n; i++) this.element.data[this.element.length + i] = places[i];
    this.element.length += n;
    this.push(part, n, labels);
    return row;
  }

  /** Adds a row for a new stack of n addresses, which are written later in the order of rows. */
  newRow(part: number, n: number): number {
    this.push(part, n, 0);
    return this.rowCount++;
  }

  private push(part: number, n: number, labels: number): void {
    this.start.push(this.elementCount + n);
    this.part.push(part);
    this.labels.push(labels);
    for (const { sum } of this.sums) sum.push(0);
  }

  protected isWanted(row: number): boolean {
    const { wanted, wantedLength } = this;
    const from = this.start.data[row];
    if (this.start.data[row + 1] - from !== wantedLength || this.part.data[row] !== this.wantedPart) return false;
    if (this.labels.data[row] !== this.wantedLabels) return false;
    const mine = this.element.data;
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
