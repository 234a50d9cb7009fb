// A call graph with costs by line, as Callgrind, Cachegrind and gprof record it: spans of rows, calls and jumps.
import type { Costs } from '../column.ts';

/**
 * A span: neighbouring rows of one routine, source file and part. Inlined code gives a routine spans in other files.
 * Line rows of span s are [start[s], start[s + 1]); calls and jumps name their span.
 * `high` is the upper half of every address of the span.
 */
export interface Spans {
  readonly routine: Uint32Array;
  readonly file: Int32Array;
  readonly part: Uint32Array;
  readonly high: Uint32Array;
  readonly start: Uint32Array;
}

/** Self cost as recorded, unmerged and in file order: one row per cost line. Line 0 means unknown. */
export interface Lines {
  readonly line: Uint32Array;
  readonly address?: Uint32Array;
  readonly costs: Costs;
}

/** Calls as recorded, one row each; costs are inclusive. A count of 0 is unknown, or was counted in an earlier part. */
export interface Calls extends Lines {
  readonly span: Uint32Array;
  readonly callee: Uint32Array;
  readonly count: Uint32Array | Float64Array;
}

/**
 * Jumps within or between routines; `executed` is taken + fallen through, the same as `taken` for unconditional ones.
 * targetRoutine is -1 for a jump within its routine, and absent if all are; targetHigh is absent if all targets share the upper half
 * of their span.
 */
export interface Jumps extends Omit<Lines, 'costs'> {
  readonly span: Uint32Array;
  readonly targetFile: Int32Array;
  readonly targetRoutine?: Int32Array;
  readonly targetLine: Uint32Array;
  readonly targetHigh?: Uint32Array;
  readonly targetAddress?: Uint32Array;
  readonly conditional: Uint8Array;
  readonly taken: Uint32Array | Float64Array;
  readonly executed: Uint32Array | Float64Array;
}

/** Lines of a profile from any source: recorded rows, or the innermost frames of sampled stacks. */
export interface LineTables {
  readonly spans: Spans;
  readonly lines: Lines;
}

/** Flags for estimated costs: self and inclusive cost by routine, and cost of the call by row of `calls`. */
export interface Estimated {
  readonly self: Uint8Array;
  readonly inclusive: Uint8Array;
  readonly calls: Uint8Array;
}

/** A call graph: self cost by line, and calls and jumps if the file records them. */
export interface CallGraph extends LineTables {
  readonly kind: 'callgraph';
  readonly calls?: Calls;
  readonly jumps?: Jumps;
  /** Which costs are shares of what several callers cost together. Absent if everything is exact. */
  readonly estimated?: Estimated;
}
