// Sampled stacks: frames, stacks of them with their counts, and the frames' code addresses, if known.
import type { LineTables } from '../callgraph/tables.ts';
import type { Costs } from '../column.ts';
import type { SampleLabels } from './labels.ts';
import type { Markers } from './markers.ts';
import type { Snapshots } from './snapshots.ts';
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
  /** The place of each frame. */
  readonly ofFrame: Uint32Array;
}

/** A function in a stack. Inlined calls give one place several frames. */
export interface Frames {
  readonly routine: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
  /** 1 where the compiler put the function into its caller. Absent: all frames of a place are inlined but the outermost; without places, none. */
  readonly inlined?: Uint8Array;
}

/** Sampled stacks: frames of stack s are frame[start[s]] .. frame[start[s + 1] - 1], the innermost first. */
export interface Stacks {
  readonly start: Uint32Array;
  readonly frame: Uint32Array;
  readonly part: Uint32Array;
  readonly costs: Costs;
}

/** Stacks, and the self cost of their innermost frames as lines. */
export interface StackSamples extends LineTables {
  readonly kind: 'stacks';
  /** Absent if frames are only names. */
  readonly places?: CodeAddresses;
  readonly frames: Frames;
  readonly stacks: Stacks;
  /** Absent if no sample has a label. */
  readonly labels?: SampleLabels;
  /** Absent where the profile does not say when its samples were taken. */
  readonly times?: SampleTimes;
  /** Absent where the file has none, or the samples no times. */
  readonly markers?: Markers;
  /** Absent where the file has no moments besides those of its parts. */
  readonly snapshots?: Snapshots;
}
