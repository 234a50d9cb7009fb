// Snapshots: a program's memory at moments of its run. Only some snapshots have stacks.
import type { Invariants } from '../invariants.ts';

/** The snapshots of a run, one row each, in order. */
export interface Snapshots {
  /** The unit of `time`: instructions, ms, or bytes allocated and freed. */
  readonly timeUnit: string;
  /** The number of each snapshot in the file. */
  readonly number: Float64Array;
  readonly time: Float64Array;
  /** Bytes on the heap; bytes that the allocator adds to them (`extra`); bytes of stacks. */
  readonly heap: Float64Array;
  readonly extra: Float64Array;
  readonly stacks: Float64Array;
  /** The part with the stacks of a snapshot; -1 if it has none. */
  readonly part: Int32Array;
  /** The row of the snapshot that the file marks as its peak; -1 for none. */
  readonly peak: number;
}

export function checkSnapshots({ timeUnit: _, peak, ...rows }: Snapshots, parts: number, to: Invariants): void {
  to.checkTable('snapshots', rows, { part: parts });
  to.check(peak >= -1 && peak < rows.part.length, `the peak is snapshot ${peak} of ${rows.part.length}`);
}
