// The questions of views and reports to a profile, whatever its kind. Each kind implements it in its own folder.
import type { Index } from '../../model/column.ts';
import type { Event, Question } from '../../model/head.ts';
import type { TreeSource } from './tree.ts';

/** By row, of two runs side by side: 1 if this run has it, 2 if the base has it, 3 if both have. Absent: a single run. */
export type Sides = Uint8Array;

/** By row: 1 where its cost is an estimate: of a recursion, or since transforms split what several callers have. Absent: everything is exact. */
export type Doubts = Uint8Array;

/** A table of rows that are sums, each of something else. */
export interface Summed {
  /** By raw column. */
  readonly costs: readonly Float64Array[];
  /** The costs as the file has them, which count a cost again for each time that a recursion comes by. Absent: they are the same. */
  readonly recorded?: readonly Float64Array[];
  readonly sides?: Sides;
  readonly estimated?: Doubts;
}

/** Edges of caller r are [from[r], from[r + 1]); costs are inclusive, by raw column. `into` has the edges by callee. */
export interface Edges extends Summed {
  readonly caller: Uint32Array;
  readonly callee: Uint32Array;
  readonly count: Float64Array;
  readonly from: Uint32Array;
  readonly into: Index;
  /** 1 where the callee is always inlined into the caller. Absent where that is not recorded. */
  readonly inlined?: Uint8Array;
  /** By caller: 1 where a call claims more than the whole program costs. */
  readonly overclaim?: Uint8Array;
}

/** Cycle number of each routine, from 1, in order of the lowest routine number; 0 for routines in none. */
export interface Cycles {
  readonly of: Uint32Array;
  readonly count: number;
  /** All routines so that callees come before their callers; those of a cycle stand together. Empty where no cycles are known. */
  readonly calleesFirst: Uint32Array;
}

export interface Totals {
  /** By raw column: the sum of all lines of the active parts. One row. */
  readonly total: readonly Float64Array[];
  /** The base of percentages: the file's summary if it exceeds the sum of its lines, else the total. One row. */
  readonly whole: readonly Float64Array[];
  /** By raw column and routine. */
  readonly self: readonly Float64Array[];
  readonly inclusive: readonly Float64Array[];
  /** Self and all calls as the file has them: more than the inclusive cost where a recursion counts a cost again. Absent: they are the same. */
  readonly recorded?: readonly Float64Array[];
  /** How often each routine was called, including by itself. */
  readonly calls: Float64Array;
  /** By routine: 1 if it is inlined wherever it was seen. Absent where that is not recorded. */
  readonly inlined?: Uint8Array;
  readonly cycles: Cycles;
  /** By raw column and cycle number (row 0 is unused): self of the members, and self plus the calls that leave the cycle. */
  readonly cycleSelf: readonly Float64Array[];
  readonly cycleInclusive: readonly Float64Array[];
  /** By routine. Absent: all is exact. */
  readonly estimated?: { readonly self: Doubts; readonly inclusive: Doubts };
}

/**
 * Call sites: each caller, callee, file, line and address once; sorted by caller, file, line, address. Of sampled stacks, and once
 * merged (merged-sites.ts), each caller, callee, file and line once.
 */
export interface CallSites extends Summed {
  readonly caller: Uint32Array;
  readonly callee: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
  /** Absent where the profile has no addresses. */
  readonly high?: Uint32Array;
  readonly low?: Uint32Array;
  /** 1 for rows of several addresses; `high` and `low` have the first of them. Absent: each row is one address. */
  readonly spread?: Uint8Array;
  /** As in Edges. */
  readonly inlined?: Uint8Array;
  readonly count: Float64Array;
}

/** Calls from the lines of a file: each line and callee once, and once more for the calls that stay in the caller or its cycle. */
export interface LineCalls extends Summed {
  readonly line: Uint32Array;
  readonly callee: Uint32Array;
  /** 1 for calls that stay in the calling routine or its cycle. */
  readonly inside: Uint8Array;
  /** How many call sites a row stands for: instructions, where addresses are recorded. */
  readonly sites: Uint32Array;
  readonly count: Float64Array;
}

/** Calls made by a routine; calls to and from it; calls whose line is in a file; all. */
export type CallSiteQuery = { readonly from: number } | { readonly around: number } | { readonly inFile: number } | 'all';

/** Rows sorted by file, then line. */
export interface MergedLines extends Summed {
  readonly file: Int32Array;
  readonly line: Uint32Array;
}

/** Lines of a routine, with code inlined into it from other files; or lines of a file, of all routines in it. */
export type LineQuery = { readonly routine: number } | { readonly file: number };

/** Rows sorted by address. Of two runs, rows of the base alone have its addresses, and lie where they lie between its other rows. */
export interface MergedInstrs extends Summed {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** Addresses in the base, of rows that it has. Absent: a single run. */
  readonly highBefore?: Uint32Array;
  readonly lowBefore?: Uint32Array;
  /** The function of each, in code with functions that are inlined into each other. */
  readonly function?: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
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

/** Groups of routines, the most interesting first: `groupOf` is the group of each routine, -1 for none. */
export interface GroupQuery {
  readonly groupOf: Int32Array;
  readonly groups: number;
  /** The raw columns that are wanted. */
  readonly columns: readonly number[];
}

/** Inclusive cost of groups: what ran in them or below them, each cost once. */
export interface GroupCosts {
  /** By raw column and group; NaN where unknown, and in columns that were not wanted. */
  readonly costs: readonly Float64Array[];
  /** 1 for groups whose cost is a share of what several callers have. */
  readonly estimated: Uint8Array;
}

/** Nodes of paths: parents come before their children; -1 is the parent of a root. `self`: by raw column. `inlined`: into the parent. */
export interface GraphPaths {
  readonly parent: readonly number[];
  readonly routine: readonly number[];
  readonly inlined?: readonly boolean[];
  readonly self: readonly (readonly number[])[];
}

/** Row counts of tables, by their keys in JSON. */
export type Counts = Readonly<
  Partial<
    Record<'contexts' | 'points' | 'steps' | 'processes' | 'costLines' | 'callSites' | 'jumps' | 'stacks' | 'addresses', number>
  >
>;

/** Answers for a profile and a selection of its parts. Everything expensive is computed on first use. */
export interface Costing {
  /** Which views a profile gets follows from this, never from its format or kind. */
  readonly can: ReadonlySet<Question>;
  readonly counts: Counts;
  totals(): Totals;
  /** Works out the totals in advance, and yields between slices of work. Absent where that takes no time. */
  preparing?(): Generator<undefined, unknown>;
  edges(): Edges;
  /** undefined if the profile has no such calls. */
  callSites(of: CallSiteQuery): CallSites | undefined;
  lines(of: LineQuery): MergedLines;
  /**
   * Inclusive cost of the lines of a file, for one routine's code or all (-1): self plus the calls from the line, each cost once; for
   * sampled stacks, the samples that contain the line. `sites`: the calls in that file and routine, if any.
   */
  inclusiveLines(file: number, routine: number, self: SelfLines, sites: CallSites | undefined): Float64Array[];
  /** The calls from the lines of a file, for one routine's code or all (-1). `sites`: the calls in that file and routine. */
  lineCalls(file: number, routine: number, sites: CallSites): LineCalls;
  instrs(routine: number): MergedInstrs;
  /** The calls of a routine's instructions; their `line` is the row of the instruction. Undefined if calls have no addresses. */
  instrCalls(routine: number): LineCalls | undefined;
  jumps(routine: number): RoutineJumps;
  /** The same of a routine's whole code, with what is inlined into it. Absent where no such functions are shown. */
  code?(routine: number): Pick<Costing, 'instrs' | 'instrCalls' | 'jumps'>;
  tree(inverted: boolean): TreeSource;
  /**
   * The inverted tree of one routine by its inclusive cost: below it, who called it, with the part of that cost that came through them,
   * up to the roots. Of a recursion, the outermost call counts.
   */
  callersOf(routine: number): TreeSource;
  /** Paths with shares of costs, of a kind that records none: those below `least` in the event are not unfolded, nor those beyond `most`. */
  paths?(event: Event, least: number, most: number): GraphPaths;
  /** undefined if the profile has no calls. */
  groups(of: GroupQuery): GroupCosts | undefined;
  /** With two runs side by side: where the base's lines are now, and the same answers with other maps of them. */
  readonly lineMaps?: LineMaps;
  withLines?(maps: LineMaps): Costing;
}

/** Where the lines of the base's files are now, by file; -1 is the unknown file. */
export type LineMaps = (file: number) => LineMap;

/**
 * Lines of a file of the base, as lines of this run's file. Never are two old lines one new line, except that of line 0: it means that
 * the line is not known, stays 0, and is what numbers that no file has (2^31 and more) become.
 */
export interface LineMap {
  /** The line that an old line is now; if it is none, one beyond those of any file: OLD_LINES (compared/line-map.ts) plus its number. */
  now(line: number): number;
  /** For an old line without a counterpart: the new line below which it is listed, 0 for above the first. That of the nearest line above that has one. */
  after(line: number): number;
  /** The change of a line of either text, of the base's by the number that `now` has for it; undefined for none. Absent without both texts. */
  change?(line: number): LineChange | undefined;
}

/** `moved`: a line of the same text is elsewhere in the other file. */
export type LineChange = 'new' | 'gone' | 'moved';

/** Self cost by line of one file. */
export interface SelfLines {
  /** The row of each line. */
  readonly rowOf: Pick<ReadonlyMap<number, number>, 'get'>;
  readonly costs: readonly Float64Array[];
}
