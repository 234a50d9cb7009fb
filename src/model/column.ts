// Columns: a table is an object whose columns are arrays of equal length. A row is an index into them.
// Functions of tables pick rows from all columns at once, or append rows to them. They create columns by name, which the compiler cannot
// follow: the casts here and in compare/merge.ts state that a result has the columns of its source. Groups are rows with equal keys.
import { runInSlices, runToEnd, type Sliced } from '../base/slices.ts';

/** A row number of a certain table; -1 means none. */
export type RowId<Table extends string> = number & { readonly table?: Table };
export type RoutineId = RowId<'routines'>;
export type FileId = RowId<'files'>;
export type ObjectId = RowId<'objects'>;
export type StringId = RowId<'strings'>;
export type SpanId = RowId<'spans'>;
export type PartId = RowId<'parts'>;

export type NumericArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;
/** costs[column][row]. A column is a Uint32Array until a value needs more, then a Float64Array (exact to 2^53). */
export type Costs = readonly (Uint32Array | Float64Array)[];

export type ArrayConstructor<A extends NumericArray> = new (length: number) => A;

export const allocateLike = <A extends NumericArray>(column: A, rows: number): A =>
  new (column.constructor as ArrayConstructor<A>)(rows);

/** Copies the first `used` rows of a column to one with at least the given capacity. */
export function growColumn<A extends NumericArray>(column: A, capacity: number, used = column.length): A {
  if (capacity <= column.length) return column;
  const next = allocateLike(column, capacity);
  next.set(used === column.length ? column : column.subarray(0, used));
  return next;
}

/** The maximum number of rows to reserve in advance, because virtual memory is limited. */
export const MAX_RESERVED_ROWS = 1 << 28;

/** A column that is being written. Doubling its capacity is cheap: memory pages cost nothing until they are written. */
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
    this.data = growColumn(this.data, capacity, this.length);
  }

  /** Makes room for so many further values. */
  reserveMore(count: number): void {
    const capacity = this.length + count;
    if (capacity > this.data.length) this.reserve(Math.max(capacity, this.data.length * 2));
  }
  done(): A {
    return this.data.subarray(0, this.length) as A;
  }
}

/** Multiplies the reserved capacity of all growing columns of a table by `times`. */
export function scaleCapacities(table: object, times: number): void {
  for (const column of Object.values(table))
    if (column instanceof GrowableColumn) column.reserve(Math.min(MAX_RESERVED_ROWS, Math.ceil(column.length * times)));
}

/** A column of counts that is being written: 32 bits each until a count needs more, then doubles. */
export class CountColumn extends GrowableColumn<Uint32Array | Float64Array> {
  constructor() {
    super(Uint32Array);
  }

  override push(value: number): void {
    if (value >>> 0 !== value) this.widen();
    super.push(value);
  }

  /** Writes unsigned values, given as raw bits, from `row` on. Rows must be reserved; `length` does not change. */
  writeBits(values: Int32Array, row: number): void {
    this.data.set(new Uint32Array(values.buffer, values.byteOffset, values.length), row);
  }

  set(row: number, value: number): void {
    if (value >>> 0 !== value) this.widen();
    this.data[row] = value;
  }

  private widen(): void {
    if (this.data instanceof Float64Array) return;
    this.data = Float64Array.from(this.data);
  }
}

/** A column in which rows may have no value. It takes no memory until the first value is set, because most files leave some empty. */
export class SparseColumn<A extends Int32Array | Float64Array> {
  private data: A;

  /** Creates a column. `none`: the value of rows that were not set. */
  constructor(
    make: ArrayConstructor<A>,
    private readonly none: number,
  ) {
    this.data = new make(0);
  }

  get(row: number): number {
    return row < this.data.length ? this.data[row] : this.none;
  }

  set(row: number, value: number): void {
    const { data } = this;
    if (row < data.length) data[row] = value;
    else if (value !== this.none && !Number.isNaN(value)) this.growTo(row + 1)[row] = value;
  }

  private growTo(rows: number): A {
    const had = this.data.length;
    this.data = growColumn(this.data, Math.max(256, 2 * rows));
    this.data.fill(this.none, had);
    return this.data;
  }

  /** The first `rows` rows; `empty` if no row has a value. */
  done<E>(rows: number, empty: E): A | E {
    if (this.data.length === 0) return empty;
    const data = this.data.length < rows ? this.growTo(rows) : this.data;
    return data.subarray(0, rows) as A;
  }
}

/** Rows of a table, grouped by a key: the rows of key k are order[from[k]] .. order[from[k + 1] - 1]. */
export type Index = Readonly<Record<'order' | 'from', Uint32Array>>;

/** The rows of a key; none for -1. */
export const rowsOfKey = ({ order, from }: Index, key: number): Uint32Array => order.subarray(from[key], from[key + 1] ?? 0);

/** Groups rows by the key of each, like indexBy(); `order` has the rows, not their positions. */
export function indexRowsBy(rows: Uint32Array, keys: ArrayLike<number>, groups: number): Index {
  const { from, order } = indexBy(keys, groups);
  return { from, order: pickColumn(rows, order) };
}

/** Groups rows by `keys` with a stable counting sort. Keys are 0 .. groups-1; rows with negative keys are left out. */
export const indexBy = (keys: ArrayLike<number>, groups: number): Index => runToEnd(indexInSlices(keys, groups));

export function* indexInSlices(keys: ArrayLike<number>, groups: number): Sliced<Index> {
  const from = new Uint32Array(groups + 1);
  yield* runInSlices(keys.length, (first, end) => {
    for (let i = first; i < end; i++) {
      const k = keys[i];
      if (k >= 0) from[k + 1]++;
    }
  });
  for (let k = 0; k < groups; k++) from[k + 1] += from[k];
  const next = from.slice();
  const order = new Uint32Array(from[groups]);
  yield* runInSlices(keys.length, (first, end) => {
    for (let i = first; i < end; i++) {
      const k = keys[i];
      if (k >= 0) order[next[k]++] = i;
    }
  });
  return { order, from };
}

export function finishColumns<T extends object>(table: T) {
  const columns = Object.entries(table).flatMap(([name, column]) =>
    column instanceof GrowableColumn ? [[name, column.done()]] : [],
  );
  return Object.fromEntries(columns) as {
    [K in keyof T as T[K] extends GrowableColumn<NumericArray> ? K : never]: T[K] extends GrowableColumn<infer A> ? A : never;
  };
}

type ColumnTypes = Readonly<Record<string, ArrayConstructor<NumericArray>>>;

/** A table that is being written, by the types of its columns. */
export function growableTable<T extends ColumnTypes>(types: T): { readonly [C in keyof T]: GrowableColumn<InstanceType<T[C]>> };
export function growableTable(types: ColumnTypes) {
  return Object.fromEntries(Object.entries(types).map(([name, make]) => [name, new GrowableColumn(make)]));
}

/** Adds a row to a table that is being written. Hot loops push to each column themselves. */
export function pushRow<C extends string>(table: Record<C, GrowableColumn<NumericArray>>, row: Readonly<Record<C, number>>) {
  for (const name in row) table[name].push(row[name]);
}

/** Picks the given rows of a column, or the first `count` of them. Yields between slices of work. */
export function* pickColumnInSlices<A extends NumericArray>(column: A, rows: ArrayLike<number>, count = rows.length): Sliced<A> {
  const out = allocateLike(column, count);
  yield* runInSlices(count, (from, to) => {
    for (let k = from; k < to; k++) out[k] = column[rows[k]];
  });
  return out;
}

/** Picks the given rows of every column of a table, or the first `count` of them. Yields between slices of work. */
export function* pickRowsInSlices<T extends object>(table: T, rows: ArrayLike<number>, count?: number): Sliced<T> {
  const out: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(table)) {
    if (!Array.isArray(column)) out[name] = column && (yield* pickColumnInSlices(column, rows, count));
    else {
      const columns: NumericArray[] = [];
      for (const one of column) columns.push(yield* pickColumnInSlices(one, rows, count));
      out[name] = columns;
    }
  }
  return out as T;
}

/** Picks rows of a column without pauses, for many small tables. */
export function pickColumn<A extends NumericArray>(column: A, rows: ArrayLike<number>): A {
  const out = allocateLike(column, rows.length);
  for (let k = 0; k < rows.length; k++) out[k] = column[rows[k]];
  return out;
}

/** Picks the given rows of every column of a table, without pauses. */
export const pickRows = <T extends object>(table: T, rows: ArrayLike<number>): T => runToEnd(pickRowsInSlices(table, rows));

/** Inverts a list of rows: writes the index of each row in the list to out[row]. */
export function invertRows<A extends NumericArray>(out: A, rows: ArrayLike<number>): A {
  for (let index = 0; index < rows.length; index++) out[rows[index]] = index;
  return out;
}

export function appendValues<A extends NumericArray>(column: A, values: ArrayLike<number>): A {
  const out = allocateLike(column, column.length + values.length);
  out.set(column);
  out.set(values, column.length);
  return out;
}

/** Concatenates tables with the same columns; at least one table. */
export function concatTables<T extends object>(tables: readonly T[]): T {
  const all = tables.map((table) => new Map(Object.entries(table)));
  const concatColumns = (columns: readonly NumericArray[]) =>
    columns.slice(1).reduce((out, column) => appendValues(out, column), columns[0]);
  const column = ([name, first]: [string, NumericArray | readonly NumericArray[]]) => {
    const of = all.map((columns) => columns.get(name));
    return [name, Array.isArray(first) ? first.map((_, c) => concatColumns(of.map((lists) => lists[c]))) : concatColumns(of)];
  };
  return Object.fromEntries(Array.from(all[0], column)) as T;
}

/** Replaces each column of a table by the result of `change`. */
export const withColumns = <T extends object>(table: T, change: (column: NumericArray, name: string) => NumericArray): T =>
  Object.fromEntries(Object.entries(table).map(([name, column]) => [name, change(column, name)])) as T;

/** Appends rows to a table. Each row gives the value of every column. */
export function appendRows<T extends object>(table: T, rows: readonly { readonly [C in keyof T]-?: number }[]): T {
  const valuesOf = (name: string) => rows.map((row) => row[name as keyof T]);
  return withColumns(table, (column, name) => appendValues(column, valuesOf(name)));
}

/** The numbers of the rows that a mask selects. */
export function* selectedRows(keep: Uint8Array): Sliced<Uint32Array> {
  let n = 0;
  yield* runInSlices(keep.length, (from, to) => {
    let sum = 0;
    for (let i = from; i < to; i++) sum += keep[i];
    n += sum;
  });
  const rows = new Uint32Array(n);
  let next = 0;
  yield* runInSlices(keep.length, (from, to) => {
    let k = next;
    for (let i = from; i < to; i++) if (keep[i] === 1) rows[k++] = i;
    next = k;
  });
  return rows;
}

/** Sorts rows by the first column, then by the next ones. The sort is stable. */
export function sortRows(rows: readonly number[], ...columns: (ArrayLike<number> | undefined)[]): number[] {
  const given = columns.filter((column) => column !== undefined);
  return [...rows].sort((a, b) => {
    for (const column of given) if (column[a] !== column[b]) return column[a] - column[b];
    return 0;
  });
}

/**
 * The rows by start, then longest first; undefined if they are in order. Merges the runs that are there, of which a trace has few: one for
 * each of its threads, or many short ones where it was written as slices ended. Without durations, equal starts remain in order.
 */
export function mergeRuns(start: Float64Array, duration = start): Uint32Array | undefined {
  const rows = start.length;
  // Merging is stable: earlier runs, and earlier rows of a run, come first.
  const isAfter = (a: number, b: number): boolean => start[a] > start[b] || (start[a] === start[b] && duration[a] < duration[b]);
  let bounds = [0];
  for (let i = 1; i < rows; i++) if (isAfter(i - 1, i)) bounds.push(i);
  if (bounds.length === 1) return undefined;
  bounds.push(rows);
  let from = Uint32Array.from({ length: rows }, (_, i) => i);
  let to = new Uint32Array(rows);
  while (bounds.length > 2) {
    const next = [0];
    for (let b = 0; b + 1 < bounds.length; b += 2) {
      const [first, middle] = [bounds[b], bounds[b + 1]];
      const end = bounds[b + 2] ?? middle;
      let [i, k, at] = [first, middle, first];
      while (i < middle && k < end) to[at++] = isAfter(from[i], from[k]) ? from[k++] : from[i++];
      while (i < middle) to[at++] = from[i++];
      while (k < end) to[at++] = from[k++];
      next.push(end);
    }
    [from, to] = [to, from];
    bounds = next;
  }
  return from;
}

/** Gives keys dense numbers from 0, in order of first appearance. */
export class Numbering<K extends string | number = string | number> extends Map<K, number> {
  /** The number of a key. `addNew`: called when the key gets its number, for a row of a table beside. */
  numberOf(key: K, addNew?: (number: number) => void): number {
    let n = this.get(key);
    if (n === undefined) {
      this.set(key, (n = this.size));
      addNew?.(n);
    }
    return n;
  }
}

/** A table of distinct names that is being written, as string ids. */
export class NameRows {
  readonly name = new GrowableColumn(Uint32Array);
  private readonly known = new Numbering<StringId>();

  /** The row of a name, which is added if it is new. */
  rowOf(name: StringId): number {
    const row = this.known.numberOf(name);
    if (row === this.name.length) this.name.push(name);
    return row;
  }
}

/** Sums a column by the key of each row. Rows with negative keys are left out. */
export function sumByKey(column: ArrayLike<number>, keys: ArrayLike<number>, groups: number): Float64Array {
  const out = new Float64Array(groups);
  for (let row = 0; row < keys.length; row++) if (keys[row] >= 0) out[keys[row]] += column[row];
  return out;
}

/** A grouping: the group of each row, and the first row of each group. */
export class Groups {
  constructor(
    readonly groupOf: Uint32Array,
    readonly first: readonly number[],
  ) {}

  /** Groups rows 0 .. rows-1 by their keys. Groups are in order of first appearance. */
  static groupBy(rows: number, key: (row: number) => string | number): Groups {
    const known = new Numbering();
    const of = new Uint32Array(rows);
    const first: number[] = [];
    for (let row = 0; row < rows; row++) {
      of[row] = known.numberOf(key(row));
      if (of[row] === first.length) first.push(row);
    }
    return new Groups(of, first);
  }

  /** Sorts the groups by the columns' values at their first rows: by the first column, then by the next ones. */
  sortBy(...columns: (ArrayLike<number> | undefined)[]): Groups {
    const first = sortRows(this.first, ...columns);
    const at = invertRows(new Uint32Array(first.length), pickColumn(this.groupOf, first));
    return new Groups(pickColumn(at, this.groupOf), first);
  }

  /** Sums a column for each group. `rows`: the index into the column for each row. */
  sum(column: ArrayLike<number>, rows?: ArrayLike<number>): Float64Array {
    const out = new Float64Array(this.first.length);
    const { groupOf } = this;
    for (let k = 0; k < groupOf.length; k++) out[groupOf[k]] += column[rows ? rows[k] : k];
    return out;
  }

  sums(columns: readonly ArrayLike<number>[], rows?: ArrayLike<number>): Float64Array[] {
    return columns.map((column) => this.sum(column, rows));
  }

  /** Combines the bits of all rows of each group with a bitwise or. */
  combineBits(column: Uint8Array, rows?: ArrayLike<number>): Uint8Array {
    const out = new Uint8Array(this.first.length);
    for (let k = 0; k < this.groupOf.length; k++) out[this.groupOf[k]] |= column[rows ? rows[k] : k];
    return out;
  }
}
