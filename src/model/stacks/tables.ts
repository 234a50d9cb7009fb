// Sampled stacks: frames, stacks of frames with counts, and the code addresses of frames, if known; and snapshots.
import type { LineTables } from '../callgraph/tables.ts';
import type { Costs } from '../column.ts';
import type { Invariants } from '../invariants.ts';
import type { SampleLabels } from './labels.ts';
import type { Markers } from './markers.ts';
import type { SampleTimes } from './times.ts';

/**
 * A code address of sampled stacks: where it was in memory, the object mapped there (-1 if unknown), and its address in that
 * object's file, or again the one in memory if the file was not read. `named`: a symbol is known for it.
 */
export interface CodeAddresses {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly object: Int32Array;
  readonly ownHigh: Uint32Array;
  readonly ownLow: Uint32Array;
  readonly named: Uint8Array;
  /** By frame: its code address. */
  readonly ofFrame: Uint32Array;
}

/** A table of frames: functions in stacks. Inlined calls give one address several frames. */
export interface Frames {
  readonly routine: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
  /** 1 for frames inlined into their callers. Absent: all frames of an address but the outermost are; none without addresses. */
  readonly inlined?: Uint8Array;
}

/** Sampled stacks: the frames of stack s are frame[start[s]] .. frame[start[s + 1] - 1], innermost first. */
export interface Stacks {
  readonly start: Uint32Array;
  readonly frame: Uint32Array;
  readonly part: Uint32Array;
  readonly costs: Costs;
}

/** Sampled stacks, and the self cost of their innermost frames as lines. */
export interface StackSamples extends LineTables {
  readonly kind: 'stacks';
  /** The code addresses; absent if frames are only names. */
  readonly places?: CodeAddresses;
  readonly frames: Frames;
  readonly stacks: Stacks;
  /** The labels; absent if no sample has any. */
  readonly labels?: SampleLabels;
  /** The times of samples; absent if the profile does not record them. */
  readonly times?: SampleTimes;
  /** The markers; absent if the file has none, or its samples have no times. */
  readonly markers?: Markers;
  /** The snapshots; absent if the file has only its parts. */
  readonly snapshots?: Snapshots;
}

/** Snapshots: a program's memory at moments of its run, one row each, in order. Only some have stacks. */
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
