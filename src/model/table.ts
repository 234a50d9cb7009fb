// Tables as objects with columns of equal length: functions pick rows from all columns at once, or append rows to them.
// Columns are created by name, which the compiler cannot follow.
// So the casts here and in compare/merge.ts state that a result has the columns of its source.
import { runInSlices, runToEnd, type Sliced } from '../base/slices.ts';
import { allocateLike, GrowableColumn, type NumericArray } from './column.ts';

export type FinishedColumns<T> = {
  [K in keyof T as T[K] extends GrowableColumn<NumericArray> ? K : never]: T[K] extends GrowableColumn<infer A> ? A : never;
};

export function finishColumns<T extends object>(table: T): FinishedColumns<T> {
  const columns = Object.entries(table).flatMap(([name, column]) =>
    column instanceof GrowableColumn ? [[name, column.done()]] : [],
  );
  return Object.fromEntries(columns) as FinishedColumns<T>;
}

/** Adds a row to a table that is being written. Hot loops push to each column themselves. */
export function pushRow<C extends string>(
  table: Record<C, GrowableColumn<NumericArray>>,
  row: Readonly<Record<C, number>>,
): void {
  for (const name in row) table[name].push(row[name]);
}

/** Picks the given rows of a column, or the first `count` of them. Yields between slices of work. */
export function* pickColumnInSlices<A extends NumericArray>(
  column: A,
  rows: ArrayLike<number>,
  count: number = rows.length,
): Sliced<A> {
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
