// The memory of a program at moments of its run, of which only some have stacks.
import type { Invariants } from '../invariants.ts';

/** A row for each snapshot, in their order. */
export interface Snapshots {
  /** The unit of `time`: instructions, ms, or bytes allocated and freed. */
  readonly timeUnit: string;
  /** The file's number. */
  readonly number: Float64Array;
  readonly time: Float64Array;
  /** Bytes on the heap, bytes that the allocator adds to them, and bytes of stacks. */
  readonly heap: Float64Array;
  readonly extra: Float64Array;
  readonly stacks: Float64Array;
  /** The part with its stacks; -1 where it has none. */
  readonly part: Int32Array;
  /** The row of the snapshot that the file calls its peak; -1 for none. */
  readonly peak: number;
}

export function checkSnapshots({ timeUnit: _, peak, ...rows }: Snapshots, parts: number, to: Invariants): void {
  to.checkTable('snapshots', rows, { part: parts });
  to.check(peak >= -1 && peak < rows.part.length, `the peak is snapshot ${peak} of ${rows.part.length}`);
}
