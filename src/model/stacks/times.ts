// The times and order of samples; the stacks only count them.
import { GrowableColumn } from '../column.ts';
import { pickRows } from '../table.ts';

/** Samples in order of time. */
export interface SampleTimes {
  /** The row of stacks that the sample counts in. */
  readonly stack: Uint32Array;
  /** Nanoseconds since the first sample. */
  readonly at: Float64Array;
  /** The column of the stacks' costs that `cost` is a part of. */
  readonly column: Uint16Array;
  readonly cost: Float64Array;
  /** Column 0 counts samples: each is 1 there, whatever it costs. */
  readonly counted: boolean;
}

/** Times of the samples of one file, in its order. */
export class TimesWriter {
  /** A sample without a time, or a second clock, leaves none. */
  isComplete = true;
  /** When the first sample was taken, once all are written: the others count from it. */
  first = 0;
  private readonly stack = new GrowableColumn(Uint32Array);
  private readonly at = new GrowableColumn(Float64Array);
  // 32 bits: a fifth sort of numbers would make push() slow for all columns.
  private readonly kind = new GrowableColumn(Uint32Array);
  private readonly cost = new GrowableColumn(Float64Array);

  /** `kind`: of cost, numbered as in StackTable.sums. */
  add(stack: number, ns: number, kind: number, cost: number): void {
    this.stack.push(stack);
    this.at.push(ns);
    this.kind.push(kind);
    this.cost.push(cost);
  }

  /** undefined where the times of all samples are not known. `columnAt`: the column of the stacks' costs for each kind of cost. */
  finish(counted: boolean, columnAt: readonly number[]): SampleTimes | undefined {
    const [stack, at, cost] = [this.stack.done(), this.at.done(), this.cost.done()];
    const kinds = this.kind.done();
    const column = new Uint16Array(kinds.length);
    for (let i = 0; i < kinds.length; i++) column[i] = columnAt[kinds[i]];
    if (!this.isComplete || at.length === 0) return undefined;
    let first = at[0];
    let isOrdered = true;
    for (let i = 1; i < at.length; i++) {
      isOrdered &&= at[i] >= at[i - 1];
      first = Math.min(first, at[i]);
    }
    for (let i = 0; i < at.length; i++) at[i] -= first;
    this.first = first;
    if (isOrdered) return { stack, at, column, cost, counted };
    const order = Uint32Array.from(at, (_, i) => i).sort((a, b) => at[a] - at[b] || a - b);
    return { ...pickRows({ stack, at, column, cost }, order), counted };
  }
}

/** The costs of stacks that samples [from, to) make, by column. */
export function costsOfSamples(times: SampleTimes, from: number, to: number, columns: number, rows: number): Float64Array[] {
  const costs = Array.from({ length: columns }, () => new Float64Array(rows));
  for (let i = from; i < to; i++) {
    if (times.counted) costs[0][times.stack[i]]++;
    costs[times.column[i]][times.stack[i]] += times.cost[i];
  }
  return costs;
}
