// The questions of views and reports to a profile, whatever its kind. Each kind implements it in its own folder.
import { groupByKey, memo } from '../../base/lists.ts';
import type { Background } from '../../base/slices.ts';
import { formatAddress } from '../../base/units.ts';
import type { Index } from '../../model/column.ts';
import { type Event, type Question, withCalls } from '../../model/head.ts';
import type { TreeSource } from './tree.ts';

/** By row of a comparison: 1 if only this run has it, 2 if only the base has it, 3 if both have. Absent: a single run. */
export type RunMask = Uint8Array;

/**
 * By row: 1 if its cost is an estimate, from a recursion or because a transform split it among callers. Absent if all is exact.
 */
export type EstimateFlags = Uint8Array;

/** A table whose rows hold sums of costs. */
export interface Summed {
  /** By raw column. */
  readonly costs: readonly Float64Array[];
  /** Costs as recorded, which count a cost once for every recursive call. Absent if they equal `costs`. */
  readonly recorded?: readonly Float64Array[];
  readonly sides?: RunMask;
  readonly estimated?: EstimateFlags;
}

/** Edges of caller r are [from[r], from[r + 1]); costs are inclusive, by raw column. `into` has the edges by callee. */
export interface Edges extends Summed {
  readonly caller: Uint32Array;
  readonly callee: Uint32Array;
  readonly count: Float64Array;
  readonly from: Uint32Array;
  readonly into: Index;
  /** By edge: 1 if the callee is always inlined into the caller. Absent if inlining is not recorded. */
  readonly inlined?: Uint8Array;
  /** By caller: 1 if one of its calls claims more than the whole program costs. */
  readonly overclaim?: Uint8Array;
}

/** By routine: its cycle number from 1, in order of the lowest routine number; 0 outside of cycles. */
export interface Cycles {
  readonly of: Uint32Array;
  readonly count: number;
  /** All routines, callees before callers; members of a cycle are adjacent. Empty if cycles are unknown. */
  readonly calleesFirst: Uint32Array;
}

/** The totals that need no inclusive costs of cycles, which take the longest. */
export interface SelfTotals {
  /** The sum of all lines of the active parts, by raw column. The table has one row. */
  readonly total: readonly Float64Array[];
  /** The base of percentages: the file's summary if it exceeds the sum of its lines, else the total. One row. */
  readonly whole: readonly Float64Array[];
  /** Self costs, by raw column and routine. */
  readonly self: readonly Float64Array[];
  /** By routine: 1 if the self cost is an estimate. Absent: all are exact. */
  readonly selfEstimated?: EstimateFlags | undefined;
  /** By raw column and routine: cost that callers paid and that no body explains; part of inclusive costs. Absent: none. */
  readonly unrecorded?: readonly Float64Array[] | undefined;
  /** Self cost plus all calls as recorded; exceeds the inclusive cost if a recursion counts a cost twice. Absent if equal. */
  readonly recorded?: readonly Float64Array[] | undefined;
  /** How often each routine was called, including by itself. */
  readonly calls: Float64Array;
  /** By routine: 1 if it is inlined wherever it occurs. Absent if that is not recorded. */
  readonly inlined?: Uint8Array | undefined;
  readonly cycles: Cycles;
  /** By raw column and cycle number (row 0 is unused): self of the members, and self plus the calls that leave the cycle. */
  readonly cycleSelf: readonly Float64Array[];
  readonly cycleInclusive: readonly Float64Array[];
}

export interface InclusiveTotals {
  /** By raw column and routine. */
  readonly inclusive: readonly Float64Array[];
  /** By routine, `self` as selfEstimated. Undefined: all is exact. */
  readonly estimated?: { readonly self: EstimateFlags; readonly inclusive: EstimateFlags } | undefined;
}

export interface Totals extends SelfTotals, InclusiveTotals {}

/** Totals whose inclusive part is worked out when it is first asked for. */
export function totalsOf(self: SelfTotals, inclusive: () => InclusiveTotals): Totals {
  return {
    ...self,
    self: withCalls(self.self, self.calls),
    get inclusive() {
      return withCalls(inclusive().inclusive, self.calls);
    },
    get estimated() {
      return inclusive().estimated;
    },
  };
}

/**
 * Call sites: each caller, callee, file, line and address once; sorted by caller, file, line, address. Of sampled stacks, and once
 * merged (mergeAddresses()), each caller, callee, file and line once.
 */
export interface CallSites extends Summed, Pick<Edges, 'caller' | 'callee' | 'count' | 'inlined'> {
  readonly file: Int32Array;
  readonly line: Uint32Array;
  /** Addresses, in two halves; absent if the profile has none. */
  readonly high?: Uint32Array;
  readonly low?: Uint32Array;
  /** 1 for rows that merge several addresses; `high` and `low` hold the first. Absent: each row has one address. */
  readonly spread?: Uint8Array;
}

/** Calls from the lines of a file: one row per line and callee, with a separate row for calls that stay in the caller's cycle. */
export interface LineCalls extends Summed, Pick<CallSites, 'line' | 'callee' | 'count'> {
  /** 1 for calls that stay in the calling routine or its cycle. */
  readonly inside: Uint8Array;
  /** The number of call sites that a row stands for: instructions, if addresses are recorded. */
  readonly sites: Uint32Array;
}

/** Which call sites are wanted: calls from a routine, calls to and from it, calls on lines of a file, or all. */
export type CallSiteQuery = { readonly from: number } | { readonly around: number } | { readonly inFile: number } | 'all';

/** Rows sorted by file, then line. */
export interface MergedLines extends Summed {
  readonly file: Int32Array;
  readonly line: Uint32Array;
}

/** Lines of a routine, with code inlined into it from other files; or lines of a file, of all routines in it. */
export type LineQuery = { readonly routine: number } | { readonly file: number };

/** Rows sorted by address. With two runs, rows that only the base has carry its addresses and keep its order. */
export interface MergedInstrs extends Summed, Pick<MergedLines, 'file' | 'line'> {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** Addresses in the base, for rows that the base has. Absent: a single run. */
  readonly highBefore?: Uint32Array;
  readonly lowBefore?: Uint32Array;
  /** The function of each instruction, in code with inlined functions. */
  readonly function?: Uint32Array;
}

/** Addresses by row, in two halves. */
export type Addresses = Pick<MergedInstrs, 'high' | 'low'>;

type JumpPlaces = 'file' | 'line' | 'high' | 'low' | 'targetFile' | 'targetRoutine' | 'targetLine' | 'targetHigh' | 'targetLow';

export interface Jump extends Readonly<Record<JumpPlaces, number>> {
  readonly conditional: boolean;
  taken: number;
  executed: number;
}

export const jumpsByAddress = memo((jumps: readonly Jump[]) => groupByKey(jumps, ({ high, low }) => formatAddress(high, low)));

/** Groups of routines, the most interesting first: `groupOf` is the group of each routine, -1 for none. */
export interface GroupQuery {
  readonly groupOf: Int32Array;
  readonly groups: number;
  readonly columns: readonly number[];
}

/** Inclusive cost of groups: the cost of the group's routines and all they call, each cost once. */
export interface GroupCosts {
  /** By raw column and group: the cost; NaN if unknown or not wanted. */
  readonly costs: readonly Float64Array[];
  /** 1 for groups whose cost is an estimate. */
  readonly estimated: Uint8Array;
}

/** Nodes of paths. Parents come before children; a root has parent -1. `self`: by raw column. `inlined`: into the parent. */
export interface GraphPaths {
  readonly parent: readonly number[];
  readonly routine: readonly number[];
  readonly inlined?: readonly boolean[];
  readonly self: readonly (readonly number[])[];
}

type CountedTable = 'contexts' | 'points' | 'steps' | 'processes' | 'costLines' | 'callSites' | 'jumps' | 'stacks' | 'addresses';

/** Answers about a profile with a selection of its parts. Everything expensive is computed on first use. */
export interface Costing {
  /** The questions that can be answered. They decide which views a profile has; its format or kind does not. */
  readonly can: ReadonlySet<Question>;
  /** Row counts of tables, by their keys in JSON. */
  readonly counts: Readonly<Partial<Record<CountedTable, number>>>;
  totals(): Totals;
  /** Computes the totals in advance. Absent if computing totals is cheap. */
  readonly preparing?: Background<unknown>;
  /** The totals before `preparing` is done: the inclusive costs inside cycles are NaN. Absent if all of them take equally long. */
  readonly totalsSoFar?: (() => Totals) | undefined;
  edges(): Edges;
  /** The call sites of a query; undefined if the profile has no such calls. */
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
  /** The calls of a routine's instructions. Their `line` is the row of the instruction. Undefined if calls have no addresses. */
  instrCalls(routine: number): LineCalls | undefined;
  jumps(routine: number): readonly Jump[];
  /**
   * Instructions, calls and jumps of the routine's whole code, including inlined functions. Absent if such functions are not
   * shown.
   */
  code?(routine: number): Pick<Costing, 'instrs' | 'instrCalls' | 'jumps'>;
  tree(inverted: boolean): TreeSource;
  /**
   * The tree of one routine, by its inclusive cost: what it calls; inverted, its callers up to the roots, each with the part of
   * that cost that came through it. In a recursion, the outermost call counts.
   */
  routineTree(routine: number, inverted: boolean): TreeSource;
  /** Paths with shares of costs, for kinds that record no paths. Paths below `least` or beyond `most` nodes are not unfolded. */
  paths?(event: Event, least: number, most: number): GraphPaths;
  /** The inclusive costs of groups; undefined if the profile has no calls. */
  groups(of: GroupQuery): GroupCosts | undefined;
  /** In a comparison: the mapping of the base's lines, and the costing with another mapping. */
  readonly lineMaps?: LineMaps;
  withLines?(maps: LineMaps): Costing;
}

/** The line map of each file of the base; file -1 is the unknown file. */
export type LineMaps = (file: number) => LineMap;

/**
 * Lines of a file of the base, as lines of this run's file. Never are two old lines one new line, except that of line 0: it means that
 * the line is not known, stays 0, and is what numbers that no file has (2^31 and more) become.
 */
export interface LineMap {
  /** The new line of an old line. Without a counterpart: OLD_LINE_OFFSET (compared/line-map.ts) plus its number. */
  now(line: number): number;
  /** For an old line without a counterpart: the new line that it is listed after; 0 means before the first. */
  after(line: number): number;
  /** The change of a line of either text, with old lines numbered as in `now`; undefined for none. Absent without both texts. */
  change?(line: number): LineChange | undefined;
}

/** How a line has changed. `moved`: its text is elsewhere in the other file. `changed`: it replaced a line that is `gone`. */
export type LineChange = 'new' | 'changed' | 'gone' | 'moved';

export interface SelfLines {
  /** By line: its row in `costs`. */
  readonly rowOf: Pick<ReadonlyMap<number, number>, 'get'>;
  readonly costs: readonly Float64Array[];
}
