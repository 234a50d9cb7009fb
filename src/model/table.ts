// Tables as objects whose columns have a row each: rows are picked from all of them at once, or added to them. Columns are made one by one
// and by name, which the compiler cannot follow: the casts here, and in compare/merge.ts, say that the table that comes out has the columns
// of the one that went in.
import { atOnce, inSlices } from '../base/slices.ts';
import { Grow, type Numbers, rowsLike } from './column.ts';

/** The columns of a table that is being written. */
export type Done<T> = { [K in keyof T as T[K] extends Grow<Numbers> ? K : never]: T[K] extends Grow<infer A> ? A : never };

/** The growing columns of a table, as they are now. */
export function done<T extends object>(table: T): Done<T> {
  const columns = Object.entries(table).flatMap(([name, column]) => (column instanceof Grow ? [[name, column.done()]] : []));
  return Object.fromEntries(columns) as Done<T>;
}

/** A column of the rows given, or of the first `count` of them. */
export function* picked<A extends Numbers>(
  column: A,
  rows: ArrayLike<number>,
  count: number = rows.length,
): Generator<undefined, A> {
  const out = rowsLike(column, count);
  yield* inSlices(count, (from, to) => {
    for (let k = from; k < to; k++) out[k] = column[rows[k]];
  });
  return out;
}

/** The rows given of every column of a table, or the first `count` of them. */
export function* pickedRows<T extends object>(table: T, rows: ArrayLike<number>, count?: number): Generator<undefined, T> {
  const out: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(table)) {
    if (!Array.isArray(column)) out[name] = column && (yield* picked(column, rows, count));
    else {
      const columns: Numbers[] = [];
      for (const one of column) columns.push(yield* picked(one, rows, count));
      out[name] = columns;
    }
  }
  return out as T;
}

/** The rows given of one column, at once: there may be many small tables. */
export function inOrder<A extends Numbers>(column: A, rows: ArrayLike<number>): A {
  const out = rowsLike(column, rows.length);
  for (let k = 0; k < rows.length; k++) out[k] = column[rows[k]];
  return out;
}

/** The same of every column of a table. */
export function pickRows<T extends object>(table: T, rows: ArrayLike<number>): T {
  return atOnce(pickedRows(table, rows));
}

/** Writes the place of each of the rows to its old number. */
export function placesOf<A extends Numbers>(out: A, rows: ArrayLike<number>): A {
  for (let place = 0; place < rows.length; place++) out[rows[place]] = place;
  return out;
}

/** The column, and values behind it. */
export function longer<A extends Numbers>(column: A, values: ArrayLike<number>): A {
  const out = rowsLike(column, column.length + values.length);
  out.set(column);
  out.set(values, column.length);
  return out;
}

/** The rows of all tables, which have the same columns, one after the other; at least one table. */
export function appended<T extends object>(tables: readonly T[]): T {
  const all = tables.map((table) => Object.entries(table));
  const joined = (columns: readonly Numbers[]) => columns.slice(1).reduce((out, column) => longer(out, column), columns[0]);
  const column = ([name, first]: [string, Numbers | readonly Numbers[]], at: number) => {
    const of = all.map((columns) => columns[at][1]);
    return [name, Array.isArray(first) ? first.map((_, c) => joined(of.map((lists) => lists[c]))) : joined(of)];
  };
  return Object.fromEntries(all[0].map(column)) as T;
}

/** The table with other columns in place of its own; `change` gets each with its name. */
export function withColumns<T extends object>(table: T, change: (column: Numbers, name: string) => Numbers): T {
  return Object.fromEntries(Object.entries(table).map(([name, column]) => [name, change(column, name)])) as T;
}

/** The table, and rows behind it, which say what each of its columns has there. */
export function withRows<T extends object>(table: T, rows: readonly { readonly [C in keyof T]-?: number }[]): T {
  return withColumns(table, (column, name) =>
    longer(
      column,
      rows.map((row) => row[name as keyof T]),
    ),
  );
}

/** The rows of a mask. */
export function* rowsOf(keep: Uint8Array): Generator<undefined, Uint32Array> {
  let n = 0;
  yield* inSlices(keep.length, (from, to) => {
    let sum = 0;
    for (let i = from; i < to; i++) sum += keep[i];
    n += sum;
  });
  const rows = new Uint32Array(n);
  let next = 0;
  yield* inSlices(keep.length, (from, to) => {
    let k = next;
    for (let i = from; i < to; i++) if (keep[i] === 1) rows[k++] = i;
    next = k;
  });
  return rows;
}
