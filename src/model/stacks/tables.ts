// Sampled stacks: frames, stacks of them with their counts, and the code addresses that they were taken at, where those are known.
import type { LineTables } from '../callgraph/tables.ts';
import type { Costs } from '../column.ts';

/**
 * A code address of sampled stacks: where it was in memory, the object that was mapped there (-1 none is known), and its
 * address in that object's file where the file was read, else the one in memory again. `named`: a symbol is known for it.
 */
export interface Places {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly object: Int32Array;
  readonly ownHigh: Uint32Array;
  readonly ownLow: Uint32Array;
  readonly named: Uint8Array;
  /** The place of each frame. */
  readonly ofFrame: Uint32Array;
}

/** A function in a stack. Calls that were inlined make several of one place. */
export interface Frames {
  readonly routine: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
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
  /** Absent where frames are names alone. */
  readonly places?: Places;
  readonly frames: Frames;
  readonly stacks: Stacks;
}
