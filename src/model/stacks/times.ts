// The times and order of samples, which stacks only count.
import { finishColumns, growableTable, mergeRuns, pickRows } from '../column.ts';

export interface SampleTimes {
  readonly stack: Uint32Array;
  /** By sample: its time in nanoseconds since the first sample. */
  readonly at: Float64Array;
  /** By sample: the cost column of the stacks that `cost` belongs to. */
  readonly column: Uint16Array;
  readonly cost: Float64Array;
  /** Whether column 0 counts samples: each sample then adds 1 there, whatever its cost. */
  readonly counted: boolean;
}

/** The times of the samples of one file, in file order. */
export class TimesWriter {
  /** False if a sample has no time, or there are several clocks. Then the profile has no times. */
  isComplete = true;
  /** The time of the first sample, set when all are written. Other times count from it. */
  first = 0;
  // 32 bits are enough for the kind: a fifth type of column would make push() slow for all columns.
  private readonly samples = growableTable({ stack: Uint32Array, at: Float64Array, kind: Uint32Array, cost: Float64Array });

  /** Adds a sample. `kind`: the type of cost, numbered as in StackTable.sums. */
  add(stack: number, ns: number, kind: number, cost: number): void {
    const { samples } = this;
    samples.stack.push(stack);
    samples.at.push(ns);
    samples.kind.push(kind);
    samples.cost.push(cost);
  }

  /** Builds the table; undefined unless all times are known. `columnAt`: the stacks' cost column of each type of cost. */
  finish(counted: boolean, columnAt: readonly number[]): SampleTimes | undefined {
    const { stack, at, kind, cost } = finishColumns(this.samples);
    const column = Uint16Array.from(kind, (k) => columnAt[k]);
    if (!this.isComplete || at.length === 0) return undefined;
    let first = at[0];
    for (let i = 1; i < at.length; i++) first = Math.min(first, at[i]);
    for (let i = 0; i < at.length; i++) at[i] -= first;
    this.first = first;
    const samples = { stack, at, column, cost };
    const order = mergeRuns(at);
    return { ...(order ? pickRows(samples, order) : samples), counted };
  }
}

/** By column: the costs of each stack in samples [from, to). */
export function costsOfSamples(times: SampleTimes, from: number, to: number, columns: number, rows: number): Float64Array[] {
  const costs = Array.from({ length: columns }, () => new Float64Array(rows));
  for (let i = from; i < to; i++) {
    if (times.counted) costs[0][times.stack[i]]++;
    costs[times.column[i]][times.stack[i]] += times.cost[i];
  }
  return costs;
}
