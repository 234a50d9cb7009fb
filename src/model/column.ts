// Columns: a table is a set of arrays of equal length; a row is an index into them.
import { inSlices, runToEnd } from '../base/slices.ts';

/** A row number that knows its table; -1 means none. */
export type Id<Table extends string> = number & { readonly table?: Table };
export type RoutineId = Id<'routines'>;
export type FileId = Id<'files'>;
export type ObjectId = Id<'objects'>;
export type StringId = Id<'strings'>;
export type SpanId = Id<'spans'>;
export type PartId = Id<'parts'>;

export type NumericArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;
/** costs[column][row]: Uint32Array until a value needs more, then Float64Array (exact to 2^53). */
export type Costs = readonly (Uint32Array | Float64Array)[];

type ArrayConstructor<A extends NumericArray> = new (length: number) => A;

/** As many rows of the same sort of numbers. */
export function allocateLike<A extends NumericArray>(column: A, rows: number): A {
  return new (column.constructor as ArrayConstructor<A>)(rows);
}

/** A column with at least the given capacity; the first `used` rows are copied. */
export function growTo<A extends NumericArray>(column: A, capacity: number, used = column.length): A {
  if (capacity <= column.length) return column;
  const next = allocateLike(column, capacity);
  next.set(used === column.length ? column : column.subarray(0, used));
  return next;
}

/** The most rows to reserve in advance: virtual memory has its limits too. */
export const MOST_EXPECTED = 1 << 28;

/** A column that is being written. Doubling is cheap: fresh pages cost no memory until they are written. */
export class GrowableColumn<A extends NumericArray> {
  data: A;
  length = 0;
  constructor(make: ArrayConstructor<A>, capacity = 256) {
    this.data = new make(capacity);
  }
  push(value: number): void {
    if (this.length === this.data.length) this.reserve(this.length * 2);
    this.data[this.length++] = value;
  }
  reserve(capacity: number): void {
    this.data = growTo(this.data, capacity, this.length);
  }
  /** Reserves room for `times` × the current rows. */
  scaleCapacity(times: number): void {
    this.reserve(Math.min(MOST_EXPECTED, Math.ceil(this.length * times)));
  }
  done(): A {
    return this.data.subarray(0, this.length) as A;
  }
}

/** Reserves room for `times` × the current rows in all growing columns of a table. */
export function scaleCapacities(table: object, times: number): void {
  for (const column of Object.values(table))
    if (column instanceof GrowableColumn || column instanceof OptionalColumn) column.scaleCapacity(times);
}

/** Counts that are being written: 32 bits each until one needs more, then doubles. */
export class CountColumn extends GrowableColumn<Uint32Array | Float64Array> {
  constructor() {
    super(Uint32Array);
  }

  override push(value: number): void {
    if (value >>> 0 !== value) this.widen();
    super.push(value);
  }

  /** Writes unsigned values, given as raw bits, from `row` on. Room must be reserved; `length` does not change. */
  writeBits(values: Int32Array, row: number): void {
    this.data.set(new Uint32Array(values.buffer, values.byteOffset, values.length), row);
  }

  /** Writes any count. */
  set(row: number, value: number): void {
    if (value >>> 0 !== value) this.widen();
    this.data[row] = value;
  }

  private widen(): void {
    if (this.data instanceof Float64Array) return;
    this.data = Float64Array.from(this.data);
  }
}

/** A number >= 0 for some rows of a table, -1 for the others. Pages without numbers take no memory. */
export class OptionalColumn {
  /** Each number plus one, since fresh pages are 0. */
  private data = new Int32Array(1 << 10);
  private length = 0;
  /** True once a number was set. */
  hasValues = false;

  get(id: number): number {
    return id < this.data.length ? this.data[id] - 1 : -1;
  }

  set(id: number, value: number): void {
    if (id >= this.length) {
      this.length = id + 1;
      if (id >= this.data.length) this.reserve(Math.max(id + 1, this.data.length * 2));
    }
    this.data[id] = value + 1;
    this.hasValues = true;
  }

  scaleCapacity(times: number): void {
    this.reserve(Math.min(MOST_EXPECTED, Math.ceil(this.length * times)));
  }

  private reserve(capacity: number): void {
    this.data = growTo(this.data, capacity);
  }

  /** The numbers of the first rows. */
  firstRows(rows: number): Int32Array {
    return Int32Array.from({ length: rows }, (_, i) => this.get(i));
  }
}

/** Rows of a table by the value of one of its columns: rows of key k are order[from[k]] .. order[from[k + 1] - 1]. */
export interface Index {
  readonly order: Uint32Array;
  readonly from: Uint32Array;
}

/** Counting sort of the rows of `keys` (each in 0 .. groups-1, or negative: left out); stable. */
export function indexBy(keys: ArrayLike<number>, groups: number): Index {
  return runToEnd(indexInSlices(keys, groups));
}

/** indexBy() in slices. */
export function* indexInSlices(keys: ArrayLike<number>, groups: number): Generator<undefined, Index> {
  const from = new Uint32Array(groups + 1);
  yield* inSlices(keys.length, (first, end) => {
    for (let i = first; i < end; i++) {
      const k = keys[i];
      if (k >= 0) from[k + 1]++;
    }
  });
  for (let k = 0; k < groups; k++) from[k + 1] += from[k];
  const next = from.slice();
  const order = new Uint32Array(from[groups]);
  yield* inSlices(keys.length, (first, end) => {
    for (let i = first; i < end; i++) {
      const k = keys[i];
      if (k >= 0) order[next[k]++] = i;
    }
  });
  return { order, from };
}
