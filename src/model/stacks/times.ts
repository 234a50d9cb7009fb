// The times and order of samples, which stacks only count. Markers: events besides samples that a program or its profiler recorded.
import { finishColumns, growableTable, mergeRuns, type PartId, pickRows, pushRow, type StringId } from '../column.ts';

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

/** Markers in order of start, in nanoseconds since the first sample. For a moment, `from` equals `to`. */
export interface Markers {
  readonly name: Uint32Array;
  readonly part: Uint32Array;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** The times of the samples and markers of one file, in file order. */
export class TimesWriter {
  /** False if a sample has no time, or there are several clocks. Then the profile has no times. */
  isComplete = true;
  // 32 bits are enough for the kind: a fifth type of column would make push() slow for all columns.
  private readonly samples = growableTable({ stack: Uint32Array, at: Float64Array, kind: Uint32Array, cost: Float64Array });
  private readonly markers = growableTable({ name: Uint32Array, part: Uint32Array, from: Float64Array, to: Float64Array });

  /** Adds a sample. `kind`: the type of cost, numbered as in StackTable.sums. */
  add(stack: number, ns: number, kind: number, cost: number): void {
    const { samples } = this;
    samples.stack.push(stack);
    samples.at.push(ns);
    samples.kind.push(kind);
    samples.cost.push(cost);
  }

  /** Adds a marker. Times are nanoseconds of the samples' clock. */
  addMarker(name: StringId, part: PartId, from: number, to: number): void {
    pushRow(this.markers, { name, part, from, to });
  }

  /**
   * Builds the tables of times, and of markers if there are any; none unless all times are known. `columnAt`: the stacks' cost column of
   * each type of cost.
   */
  finish(counted: boolean, columnAt: readonly number[]): { readonly times?: SampleTimes; readonly markers?: Markers } {
    const { stack, at, kind, cost } = finishColumns(this.samples);
    if (!this.isComplete || at.length === 0) return {};
    const markers = finishColumns(this.markers);
    const { from, to } = markers;
    let first = at[0];
    for (let i = 1; i < at.length; i++) first = Math.min(first, at[i]);
    for (const column of [at, from, to]) for (let i = 0; i < column.length; i++) column[i] -= first;
    const samples = { stack, at, column: Uint16Array.from(kind, (k) => columnAt[k]), cost };
    const order = mergeRuns(at);
    const times = { ...(order ? pickRows(samples, order) : samples), counted };
    const byStart = Uint32Array.from(from.keys()).sort((a, b) => from[a] - from[b] || a - b);
    return byStart.length === 0 ? { times } : { times, markers: pickRows(markers, byStart) };
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
