// What views and reports ask of a profile, whatever its kind. Each kind answers once, in a folder of its own.
import type { Index } from '../model/column.ts';
import type { Question } from '../model/head.ts';
import type { TreeSource } from './tree.ts';

/** Edges of caller r are [from[r], from[r + 1]); costs are inclusive, by raw column. `into` has the edges by callee. */
export interface Edges {
  readonly caller: Uint32Array;
  readonly callee: Uint32Array;
  readonly count: Float64Array;
  readonly costs: readonly Float64Array[];
  readonly from: Uint32Array;
  readonly into: Index;
}

/** Cycle number of each routine, from 1, in order of the lowest routine number; 0 for routines in none. */
export interface Cycles {
  readonly of: Uint32Array;
  readonly count: number;
}

export interface Totals {
  /** By raw column: the sum of all lines of the active parts. One row. */
  readonly total: readonly Float64Array[];
  /** What percentages are of: the file's summary where it says more than its lines add up to, else the total. One row. */
  readonly whole: readonly Float64Array[];
  /** By raw column and routine. */
  readonly self: readonly Float64Array[];
  readonly inclusive: readonly Float64Array[];
  /** How often each routine was called, its calls of itself too. */
  readonly calls: Float64Array;
  readonly cycles: Cycles;
  /** By raw column and cycle number (row 0 is unused): self of the members, and self plus the calls that leave the cycle. */
  readonly cycleSelf: readonly Float64Array[];
  readonly cycleInclusive: readonly Float64Array[];
}

/** Calls by place: a caller, callee, file, line and address each once, in that order. */
export interface CallSites {
  readonly caller: Uint32Array;
  readonly callee: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
  /** Absent where the profile has no addresses. */
  readonly high?: Uint32Array;
  readonly low?: Uint32Array;
  readonly count: Float64Array;
  readonly costs: readonly Float64Array[];
}

/** Calls that leave a routine; those to and from it; those whose line is in a file; all. */
export type CallSiteQuery = { readonly from: number } | { readonly around: number } | { readonly inFile: number } | 'all';

/** Rows sorted by file, then line. */
export interface MergedLines {
  readonly file: Int32Array;
  readonly line: Uint32Array;
  readonly costs: readonly Float64Array[];
}

/** Lines of a routine: its own file's, and of the files whose code was inlined into it. Or of a file, of all routines in it. */
export type LineQuery = { readonly routine: number } | { readonly file: number };

/** Rows sorted by address. */
export interface MergedInstrs {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
  readonly costs: readonly Float64Array[];
}

export interface Jump {
  readonly file: number;
  readonly line: number;
  readonly high: number;
  readonly low: number;
  readonly targetFile: number;
  readonly targetRoutine: number;
  readonly targetLine: number;
  readonly targetHigh: number;
  readonly targetLow: number;
  readonly conditional: boolean;
  taken: number;
  executed: number;
}

export interface RoutineJumps {
  readonly all: readonly Jump[];
  /** By the address of the jump, where the profile has addresses. */
  readonly byAddress: ReadonlyMap<string, readonly Jump[]>;
}

/** How many rows tables have, by what they are called in JSON. */
export type Counts = Readonly<
  Partial<
    Record<'contexts' | 'points' | 'steps' | 'processes' | 'costLines' | 'callSites' | 'jumps' | 'stacks' | 'addresses', number>
  >
>;

/** Answers for a profile and a choice of its parts. Everything heavy is made on first use. */
export interface Costing {
  /** Which views a profile gets follows from this, never from its format or kind. */
  readonly can: ReadonlySet<Question>;
  readonly counts: Counts;
  totals(): Totals;
  edges(): Edges;
  /** undefined where the profile has no calls of that kind. */
  callSites(of: CallSiteQuery): CallSites | undefined;
  lines(of: LineQuery): MergedLines;
  /**
   * Inclusive cost of the lines of a file, of one routine's code in it or all (-1): self and the calls from the line, but those that stay in
   * the routine or its cycle, which would count twice; of sampled stacks, those that have the line. `sites`: the calls in that file and
   * routine, or undefined.
   */
  inclusiveLines(file: number, routine: number, self: SelfLines, sites: CallSites | undefined): Float64Array[];
  instrs(routine: number): MergedInstrs;
  jumps(routine: number): RoutineJumps;
  tree(inverted: boolean): TreeSource;
}

/** Self cost by line of one file. */
export interface SelfLines {
  /** The row of each line. */
  readonly rowOf: ReadonlyMap<number, number>;
  readonly costs: readonly Float64Array[];
}
