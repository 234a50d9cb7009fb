// The cost of each routine. Self cost is the sum of its lines. Inclusive cost adds the calls that leave the routine.
// For members of a cycle, only cost that arrives for the first time counts (recursion.ts), so no cost is counted twice.

import {
  type Background,
  forEachInSlices,
  runInSlices,
  runToEnd,
  SLOW_ROWS_PER_SLICE,
  type Sliced,
  type SlicedResult,
} from '../../../base/slices.ts';
import type { Calls } from '../../../model/callgraph/tables.ts';
import { indexInSlices } from '../../../model/column.ts';
import { withCalls, zeroCosts } from '../../../model/head.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Cycles, Edges, SelfTotals, Totals } from '../costing.ts';
import { percentageBasesOf } from '../differences.ts';
import { staysInside } from '../line-calls.ts';
import { type Active, once } from '../once.ts';
import { noEdges } from '../without.ts';
import { findCycles } from './cycles.ts';
import { computeFlow, exceedsTotal, type FlowTotals, primaryColumns, roundToWhole } from './flow.ts';
import { computeRecursion, countEdgesOnce, inclusiveInCycles, noRecursion } from './recursion.ts';
import type { FlowGraph } from './shares.ts';
import { findUnrecorded, ROUNDING_SHARE } from './unrecorded.ts';

/** The recorded graph, and the sums that need no flow through cycles. */
export interface GraphSums {
  readonly recorded: Edges;
  readonly totals: SelfTotals;
  /** graphTotals() turns the inclusive costs into those with each cost counted once. */
  readonly sums: EdgeSums;
  /** The totals, before those of estimates are rounded: no routine and no call exceeds them. */
  readonly limit: FlowTotals;
}

/** The totals, the edges with each cost counted once, and the flow that both are computed from. */
export interface GraphTotals extends FlowGraph {
  readonly edges: Edges;
}

/**
 * Computes the totals. Yields between slices of work. `source`: the sums of the profile that this is a part or a transform of. Calls of a part may
 * cost what another part records, and a transform loses nothing: where nothing is unrecorded in the source, nothing is here.
 */
export function* graphSums(profile: ProfileOf<'callgraph'>, active: Active, source?: Background<GraphSums>): Sliced<GraphSums> {
  const recorded = yield* buildCallGraph(profile, active);
  const { self, byPart, total } = yield* sumSelfCosts(profile, active);
  const cycles = yield* findCycles(recorded, profile.routines.name.length);
  const whole = percentageBases(profile, byPart, total, active);
  const found = yield* findUnrecorded(profile, active, recorded, self, cycles);
  const unrecorded = found && source && !(yield* source.wait()).totals.unrecorded ? undefined : found;
  for (const [c, column] of unrecorded?.entries() ?? []) {
    total[c][0] += column.reduce((sum, cost) => sum + cost, 0);
    whole[c][0] = Math.max(whole[c][0], total[c][0]);
  }
  const limit = { total, primaryColumns: primaryColumns(profile) };
  const sums = yield* sumEdges(recorded, self, cycles, limit);
  if (unrecorded) addUnrecorded(unrecorded, sums, cycles);
  const totals: SelfTotals = {
    // Fractions of estimates are not significant, so sums are rounded.
    total: profile.estimated ? total.map((sum) => sum.map(Math.round)) : total,
    whole,
    self,
    selfEstimated: profile.estimated?.self,
    unrecorded,
    recorded: sums.inside.length > 0 ? sums.made : undefined,
    calls: sums.calls,
    cycles,
    cycleSelf: sums.cycleSelf,
    cycleInclusive: sums.cycleInclusive,
  };
  return { recorded, totals, sums, limit };
}

/** Adds the cost that no body explains to the inclusive costs. */
function addUnrecorded(unrecorded: readonly Float64Array[], { made, inclusive, cycleInclusive }: EdgeSums, { of }: Cycles): void {
  for (const [c, column] of unrecorded.entries())
    for (let r = 0; r < column.length; r++) {
      made[c][r] += column[r];
      inclusive[c][r] += column[r];
      if (of[r] > 0) cycleInclusive[c][of[r]] += column[r];
    }
}

/** Yields between slices of work. */
export function* graphTotals(profile: ProfileOf<'callgraph'>, known: Background<GraphSums>): Sliced<GraphTotals> {
  const { recorded, totals, sums, limit } = yield* known.wait();
  const routines = profile.routines.name.length;
  const { cycles, self, unrecorded } = totals;
  // A routine keeps its self cost of what arrives, and what is recorded nowhere.
  const leaves = unrecorded ? self.map((column, c) => column.map((cost, r) => cost + unrecorded[c][r])) : self;
  const { inclusive } = sums;
  // Without cycles, only trees and transforms need the flow.
  const flow = cycles.count > 0 ? yield* computeFlow(recorded, leaves, cycles) : undefined;
  const recursion = flow ? yield* computeRecursion(profile, flow, leaves, cycles) : noRecursion(inclusive);
  const estimated = inclusiveInCycles(inclusive, cycles, recursion);
  capInclusive(inclusive, estimated, limit);
  const counted = countEdgesOnce(recorded, flow?.edges ?? recorded, sums, recursion, limit);
  const edges = markOverclaims(counted, inclusive);
  const guessed = profile.estimated;
  for (let r = 0; guessed && r < routines; r++) estimated[r] |= guessed.inclusive[r];
  // Shares of calls that add up to a whole are rounded to it.
  if (guessed) for (const column of inclusive) for (let r = 0; r < routines; r++) column[r] = roundToWhole(column[r]);
  const doubts = guessed || estimated.includes(1);
  const flowLater = once(() => flow ?? runToEnd(computeFlow(recorded, leaves, cycles)));
  return {
    totals: {
      ...totals,
      inclusive,
      ...(doubts ? { estimated: { self: guessed?.self ?? new Uint8Array(routines), inclusive: estimated } } : {}),
    },
    edges,
    leaves,
    recursion,
    get flow() {
      return flowLater();
    },
  };
}

/** Marks calls that cost more than their callee: calls made of samples overlap. */
function markOverclaims(edges: Edges, inclusive: readonly Float64Array[]): Edges {
  const { callee, costs, estimated } = edges;
  const over: number[] = [];
  for (const [c, column] of costs.entries())
    for (let e = 0; e < column.length; e++)
      if (column[e] - inclusive[c][callee[e]] > ROUNDING_SHARE * column[e] && estimated?.[e] !== 1) over.push(e);
  if (over.length === 0) return edges;
  const marked = estimated?.slice() ?? new Uint8Array(callee.length);
  for (const e of over) marked[e] = 1;
  return { ...edges, estimated: marked };
}

/** The totals without the flow through cycles: the inclusive costs of their members are NaN. */
export function totalsSoFar({ totals, sums, limit }: GraphSums): Totals {
  const { of } = totals.cycles;
  const inclusive = sums.inclusive.map((column) => column.map((cost, r) => (of[r] > 0 ? Number.NaN : cost)));
  const estimated = Uint8Array.from(of, (cycle) => (cycle > 0 ? 1 : 0));
  capInclusive(inclusive, estimated, limit);
  return {
    ...totals,
    inclusive: withCalls(inclusive, totals.calls),
    estimated: { self: new Uint8Array(of.length), inclusive: estimated },
  };
}

/** Caps inclusive costs at the program's total: calls that claim more are wrong, and the true cost is unknown. */
function capInclusive(inclusive: readonly Float64Array[], estimated: Uint8Array, { total, primaryColumns: leads }: FlowTotals) {
  for (const [lead, column] of inclusive.entries())
    for (let r = 0; r < column.length && leads[lead] === lead; r++) {
      if (!exceedsTotal(column[r], total[lead][0])) continue;
      for (const [c, out] of inclusive.entries()) if (leads[c] === lead) out[r] = total[c][0];
      estimated[r] = 1;
    }
}

type EdgeSums = SlicedResult<typeof sumEdges>;

/**
 * Sums over the recorded edges. `made`: self and all calls. `inclusive`: self and calls of other routines. `inside`: the edges
 * within cycles, and from routines to themselves. `wrong`: the edges that cost more than the program.
 */
function* sumEdges(
  { caller, callee, costs, count }: Edges,
  self: readonly Float64Array[],
  { of, count: cycles }: Cycles,
  { total, primaryColumns: leads }: FlowTotals,
) {
  const [made, inclusive] = [0, 1].map(() => self.map((column) => column.slice()));
  const [cycleSelf, cycleInclusive] = [0, 1].map(() => zeroCosts(self.length, cycles + 1));
  for (let r = 0; r < of.length && cycles > 0; r++)
    for (let c = 0; c < self.length && of[r] > 0; c++) {
      cycleSelf[c][of[r]] += self[c][r];
      cycleInclusive[c][of[r]] += self[c][r];
    }
  const wrong = new Set<number>();
  for (const [c, cost] of costs.entries()) {
    const most = leads[c] === c ? total[c][0] : Number.POSITIVE_INFINITY;
    const [all, others, cycle] = [made[c], inclusive[c], cycleInclusive[c]];
    yield* runInSlices(cost.length, (from, to) => {
      for (let e = from; e < to; e++) {
        const u = caller[e];
        all[u] += cost[e];
        if (exceedsTotal(cost[e], most)) wrong.add(e);
        if (u !== callee[e]) others[u] += cost[e];
        if (of[u] > 0 && of[u] !== of[callee[e]]) cycle[of[u]] += cost[e];
      }
    });
  }
  const calls = new Float64Array(of.length);
  const inside: number[] = [];
  yield* runInSlices(caller.length, (from, to) => {
    for (let e = from; e < to; e++) {
      calls[callee[e]] += count[e];
      if (staysInside(of, caller[e], callee[e])) inside.push(e);
    }
  });
  return { made, inclusive, cycleSelf, cycleInclusive, calls, inside, wrong };
}

/** By raw column: self cost by routine, by part, and in total. */
function* sumSelfCosts({ spans, lines, columns, routines, parts }: ProfileOf<'callgraph'>, active: Active) {
  const self = zeroCosts(columns, routines.name.length);
  const byPart = zeroCosts(columns, Math.max(1, parts.length));
  const total = zeroCosts(columns, 1);
  for (let c = 0; c < columns; c++) {
    const cost = lines.costs[c];
    const [out, sums, all] = [self[c], byPart[c], total[c]];
    const add = (from: number, to: number) => {
      for (let s = from; s < to; s++) {
        const part = spans.part[s];
        if (active && !active(part)) continue;
        let sum = 0;
        const end = spans.start[s + 1];
        for (let i = spans.start[s]; i < end; i++) sum += cost[i];
        out[spans.routine[s]] += sum;
        sums[part] += sum;
        all[0] += sum;
      }
    };
    yield* runInSlices(spans.routine.length, add, SLOW_ROWS_PER_SLICE);
  }
  return { self, byPart, total };
}

function percentageBases(
  profile: ProfileOf<'callgraph'>,
  byPart: Float64Array[],
  total: readonly Float64Array[],
  active: Active,
): Float64Array[] {
  const { spans, lines } = profile;
  const out = percentageBasesOf(lines.costs, total, (add) => {
    for (let s = 0; s < spans.routine.length; s++) if (!active || active(spans.part[s])) add(spans.start[s], spans.start[s + 1]);
  });
  profile.parts.forEach((part, p) => {
    if (active && !active(p)) return;
    part.summary?.forEach((value, k) => {
      const column = profile.events.find((e) => e.name === part.events[k] && !e.formula)?.terms[0]?.[1];
      if (column === undefined) return;
      const more = Number(value) - byPart[column][p];
      if (more > 0) out[column][0] += more;
    });
  });
  return out;
}

// Builds the call graph: one edge per pair of caller and callee, with the sum of its calls.

function* buildCallGraph(profile: ProfileOf<'callgraph'>, active: Active): Sliced<Edges> {
  const routines = profile.routines.name.length;
  const { calls, spans } = profile;
  if (!calls) return noEdges(profile.columns, routines);
  const rows = calls.span.length;
  const callers = new Int32Array(rows);
  yield* runInSlices(rows, (first, end) => {
    for (let i = first; i < end; i++) {
      const span = calls.span[i];
      callers[i] = active && !active(spans.part[span]) ? -1 : spans.routine[span];
    }
  });
  const { order, from: rowsFrom } = yield* indexInSlices(callers, routines);
  const { edgeOf, from } = yield* numberEdges(calls, order, rowsFrom);
  const edges = from[routines];
  const caller = new Uint32Array(edges);
  const callee = new Uint32Array(edges);
  function* sumByEdge(column: ArrayLike<number>) {
    const out = new Float64Array(edges);
    yield* runInSlices(order.length, (first, end) => {
      for (let k = first; k < end; k++) out[edgeOf[k]] += column[order[k]];
    });
    return out;
  }
  yield* runInSlices(order.length, (first, end) => {
    for (let k = first; k < end; k++) {
      caller[edgeOf[k]] = callers[order[k]];
      callee[edgeOf[k]] = calls.callee[order[k]];
    }
  });
  const count = yield* sumByEdge(calls.count);
  const costs: Float64Array[] = [];
  for (const column of calls.costs) costs.push(yield* sumByEdge(column));
  const guessed = profile.estimated?.calls;
  const estimated = guessed && new Uint8Array(edges);
  for (let k = 0; estimated && k < order.length; k++) estimated[edgeOf[k]] |= guessed[order[k]];
  yield;
  const into = yield* indexInSlices(callee, routines);
  return { caller, callee, count, costs, from, into, ...(estimated ? { estimated } : {}) };
}

/** Numbers the edges: the edge of each call, in order by caller, and the first edge of each caller. */
function* numberEdges({ callee }: Calls, order: Uint32Array, rowsFrom: Uint32Array) {
  const routines = rowsFrom.length - 1;
  // By callee: its edge, valid only for the caller whose stamp it has.
  const latest = new Uint32Array(routines);
  const stamp = new Int32Array(routines).fill(-1);
  const edgeOf = new Uint32Array(order.length);
  const from = new Uint32Array(routines + 1);
  let edges = 0;
  const numberCalls = (r: number) => {
    from[r] = edges;
    for (let k = rowsFrom[r]; k < rowsFrom[r + 1]; k++) {
      const to = callee[order[k]];
      if (stamp[to] !== r) {
        stamp[to] = r;
        latest[to] = edges++;
      }
      edgeOf[k] = latest[to];
    }
  };
  yield* forEachInSlices(routines, numberCalls);
  from[routines] = edges;
  return { edgeOf, from };
}
