// The cost columns of a table that is being written. A column starts with 32-bit counts, and grows to doubles if needed.
// A value that a double cannot hold is also kept exactly, so nothing is silently rounded.

import { addToList } from '../base/lists.ts';
import { type Costs, growColumn } from './column.ts';

export class CostColumns {
  readonly columns: Costs[number][] = [];
  /** The end of the rows that may already hold values, even beyond the row that is being set. */
  filled = 0;
  /** By column: values beyond 2^53, as pairs of row and exact value. */
  readonly beyond = new Map<number, [row: number, value: bigint][]>();

  /** By column: the sum of the first `summed` rows. */
  private sums: number[] = [];
  private summed = 0;

  constructor(public capacity: number) {}

  ensureColumns(count: number): void {
    while (this.columns.length < count) this.columns.push(new Uint32Array(this.capacity));
  }

  reserve(capacity: number, used: number): void {
    this.capacity = capacity;
    for (const [c, column] of this.columns.entries()) this.columns[c] = growColumn(column, capacity, used);
  }

  /** Clears all values from `row` on, so that rows that are skipped stay 0. */
  clear(row: number): void {
    for (const column of this.columns) column.fill(0, row, this.filled);
    this.filled = 0;
  }

  /**
   * Sums of the first `rows` rows by column, exact below 2^53. Each call resumes from the last: called now and then, it finds the
   * rows still in the cache.
   */
  sumsTo(rows: number): readonly number[] {
    if (rows < this.summed) [this.sums, this.summed] = [[], 0];
    this.sums = this.columns.map((column, k) => (this.sums[k] ?? 0) + sumColumn(column, this.summed, rows));
    this.summed = rows;
    return this.sums;
  }

  /** Writes any value, including fractional, negative and 64-bit ones. */
  set(column: number, row: number, value: number | bigint): void {
    let target = this.columns[column];
    if (typeof value === 'bigint') {
      addToList(this.beyond, column, [row, value]);
      value = Number(value);
    }
    if (target instanceof Uint32Array && value >>> 0 !== value) {
      const wide = new Float64Array(this.capacity);
      wide.set(target.subarray(0, Math.max(row, this.filled)));
      this.columns[column] = target = wide;
    }
    target[row] = value;
  }
}

/** Sums a range with four independent sums, so that no addition waits for another. */
export function sumColumn(column: Costs[number], from = 0, to = column.length): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    a += column[i];
    b += column[i + 1];
    c += column[i + 2];
    d += column[i + 3];
  }
  for (; i < to; i++) a += column[i];
  return a + b + c + d;
}

const TWO_POW_32 = 2 ** 32;

/** Splits a column into exact halves: value = 2^32 * high + low, 0 <= low < 2^32. Rows in `beyond` use their exact values. */
export function splitHalves(column: Costs[number], rows: number, beyond: readonly [row: number, value: bigint][] | undefined) {
  const high = new Float64Array(rows);
  const low = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) {
    const value = column[row];
    const h = Math.floor(value / TWO_POW_32);
    high[row] = h;
    low[row] = value - h * TWO_POW_32;
  }
  for (const [row, value] of beyond ?? []) {
    high[row] = Number(value >> 32n);
    low[row] = Number(value & 0xffffffffn);
  }
  return { high, low };
}
