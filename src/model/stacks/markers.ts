// Markers: events besides samples that a program or its profiler recorded, at a moment or over a range of time.
import { growableTable, type PartId, pickRows, pushRow, type StringId } from '../column.ts';

/** Markers in order of start, in nanoseconds since the first sample. For a moment, `from` equals `to`. */
export interface Markers {
  readonly name: Uint32Array;
  readonly part: Uint32Array;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

export class MarkersWriter {
  private readonly rows = growableTable({ name: Uint32Array, part: Uint32Array, from: Float64Array, to: Float64Array });

  /** Adds a marker. Times are nanoseconds of the samples' clock. */
  add(name: StringId, part: PartId, from: number, to: number): void {
    pushRow(this.rows, { name, part, from, to });
  }

  /** Builds the table; undefined if there are no markers. `first`: the time of the first sample. */
  finish(first: number): Markers | undefined {
    const { rows } = this;
    const [from, to] = [rows.from.done(), rows.to.done()].map((column) => column.map((ns) => ns - first));
    if (from.length === 0) return undefined;
    const order = Uint32Array.from(from.keys()).sort((a, b) => from[a] - from[b] || a - b);
    return pickRows({ name: rows.name.done(), part: rows.part.done(), from, to }, order);
  }
}
