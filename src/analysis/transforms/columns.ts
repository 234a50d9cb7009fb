// Columns of some of a table's rows, made a slice at a time.
import { inSlices } from '../../base/slices.ts';
import type { Costs } from '../../model/column.ts';

type Column = Uint8Array | Uint32Array | Int32Array | Float64Array;

/** A column of the rows given, or of the first `count` of them. */
export function picked(column: Uint32Array, rows: Uint32Array, count?: number): Generator<undefined, Uint32Array>;
export function picked(column: Int32Array, rows: Uint32Array, count?: number): Generator<undefined, Int32Array>;
export function picked(column: Uint8Array, rows: Uint32Array, count?: number): Generator<undefined, Uint8Array>;
export function picked(column: Float64Array, rows: Uint32Array, count?: number): Generator<undefined, Float64Array>;
export function picked(column: Costs[number], rows: Uint32Array, count?: number): Generator<undefined, Costs[number]>;
export function* picked(column: Column, rows: Uint32Array, count = rows.length): Generator<undefined, Column> {
  const out = emptyLike(column, count);
  yield* inSlices(count, (from, to) => {
    for (let k = from; k < to; k++) out[k] = column[rows[k]];
  });
  return out;
}

function emptyLike(column: Column, rows: number): Column {
  if (column instanceof Float64Array) return new Float64Array(rows);
  if (column instanceof Uint8Array) return new Uint8Array(rows);
  return column instanceof Int32Array ? new Int32Array(rows) : new Uint32Array(rows);
}

/** The same of several columns. */
export function* pickedCosts(costs: Costs, rows: Uint32Array, count = rows.length): Generator<undefined, Costs[number][]> {
  const out: Costs[number][] = [];
  for (const column of costs) out.push(yield* picked(column, rows, count));
  return out;
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
