// How the cost of each routine, or cycle, arrives: what its callers pay of its inclusive cost, and the rest, with which it
// is a root of the tree. The rests add up to the total self cost:
//   sum(inclusive - paid) = sum(self) + sum(calls made) - sum(calls received) = sum(self)
// A thread's first routine may be called elsewhere too, and a profile may start in the middle of a call: both leave a rest
// in a routine that has callers. In some files (those of pprof; those whose calls were cut off) callers claim more than a
// routine has. Such claims are scaled down, callees first, so that the sums above hold and no rest is below zero. Callgrind
// itself is off by a handful of instructions: up to a thousandth of the total in all, the file's numbers stay as they are.
import { inSlices } from '../../../base/slices.ts';
import type { Edges, Totals } from '../costing.ts';

export interface Arrivals {
  /** The edges with the costs that the tree uses: the file's, or scaled down. */
  readonly edges: Edges;
  /** 1 for edges with a scaled cost, and for routines that have such an edge to a callee, they or their cycle. */
  readonly scaledEdge: Uint8Array;
  readonly scaled: Uint8Array;
  /** Routines in which cost starts; of a cycle, the member that lacks most. */
  readonly starts: readonly number[];
  /** The rest with which a start begins, by raw column. */
  restOf(start: number): Float64Array;
  /** The rests of all starts. */
  readonly rests: readonly Float64Array[];
  /** True if the routine begins with more than its callers pay. */
  startsAt(routine: number): boolean;
}

/** Differences below this share are noise of scaled sums. */
const NOISE = 1e-9;

/** The share of the total by which callers may claim too much, together, before any claim is scaled. */
const TOLERANCE = 0.001;

/** Routines between pauses. */
const SLICE = 1 << 14;

/** Yields between slices of work. */
export function* arrivalsOf(edges: Edges, totals: Totals): Generator<undefined, Arrivals> {
  const { of, count, calleesFirst } = totals.cycles;
  const routines = of.length;
  const groups: Groups = {
    of: of.map((cycle, r) => (cycle === 0 ? r : routines + cycle)),
    count: routines + count + 1,
    order: calleesFirst,
  };
  yield;
  const scaledEdge = new Uint8Array(edges.caller.length);
  const flows: { readonly costs: Float64Array; readonly rest: Float64Array }[] = [];
  for (const [c, given] of edges.costs.entries()) flows.push(yield* flowOf(groups, edges, given, totals.self[c], scaledEdge));
  const scaledGroup = new Uint8Array(groups.count);
  yield* inSlices(scaledEdge.length, (from, to) => {
    for (let e = from; e < to; e++) if (scaledEdge[e] === 1) scaledGroup[groups.of[edges.caller[e]]] = 1;
  });
  const rests = flows.map((f) => f.rest);
  const own = { ...edges, costs: flows.map((f) => f.costs) };
  const starts = yield* startsOf(groups, own, totals, rests);
  const isStart = new Set(starts);
  const scaled = new Uint8Array(routines);
  for (let r = 0; r < routines; r++) scaled[r] = scaledGroup[groups.of[r]];
  yield;
  return {
    edges: own,
    scaledEdge,
    scaled,
    starts,
    rests: rests.map((rest) => Float64Array.from(starts, (start) => rest[groups.of[start]])),
    restOf: (start) => Float64Array.from(rests, (rest) => rest[groups.of[start]]),
    startsAt: (routine) => isStart.has(routine),
  };
}

/** The routines outside cycles, each a group of its own, and the cycles. */
interface Groups {
  /** The group of each routine. */
  readonly of: Uint32Array;
  readonly count: number;
  /** The routines, group by group, those of callees first. */
  readonly order: Uint32Array;
}

/** One raw column: the edges' costs, scaled where they claim too much, and the rest of each group. */
function* flowOf(
  groups: Groups,
  edges: Edges,
  given: Float64Array,
  self: Float64Array,
  scaledEdge: Uint8Array,
): Generator<undefined, { readonly costs: Float64Array; readonly rest: Float64Array }> {
  const { of, order } = groups;
  let costs = given;
  let tolerated = TOLERANCE * self.reduce((sum, cost) => sum + cost, 0);
  const rest = new Float64Array(groups.count);
  const paid = new Float64Array(groups.count);
  yield* inSlices(given.length, (from, to) => {
    for (let e = from; e < to; e++) {
      const callee = of[edges.callee[e]];
      if (of[edges.caller[e]] !== callee) paid[callee] += given[e];
    }
  });
  for (let at = 0, paused = 0; at < order.length; ) {
    if (at - paused >= SLICE) {
      paused = at;
      yield;
    }
    const first = at;
    const group = of[order[at]];
    let has = 0;
    for (; at < order.length && of[order[at]] === group; at++) {
      const r = order[at];
      has += self[r];
      for (let e = edges.from[r]; e < edges.from[r + 1]; e++) if (of[edges.callee[e]] !== group) has += costs[e];
    }
    const more = has - paid[group];
    if (Math.abs(more) <= NOISE * Math.abs(has)) continue;
    // A difference of two runs has negative costs: shares of them mean nothing.
    if (more > 0 || has < 0) {
      rest[group] = more;
      continue;
    }
    if (-more <= tolerated) {
      tolerated += more;
      continue;
    }
    if (costs === given) costs = given.slice();
    for (let k = first; k < at; k++) {
      const r = order[k];
      for (let i = edges.into.from[r]; i < edges.into.from[r + 1]; i++) {
        const e = edges.into.order[i];
        if (of[edges.caller[e]] === group) continue;
        costs[e] *= has / paid[group];
        scaledEdge[e] = 1;
      }
    }
  }
  return { costs, rest };
}

/** Groups with a rest, and those that nobody calls. */
function* startsOf(groups: Groups, edges: Edges, totals: Totals, rests: readonly Float64Array[]): Generator<undefined, number[]> {
  const { of, order } = groups;
  const called = new Uint8Array(groups.count);
  yield* inSlices(edges.caller.length, (from, to) => {
    for (let e = from; e < to; e++) {
      const callee = of[edges.callee[e]];
      if (of[edges.caller[e]] !== callee) called[callee] = 1;
    }
  });
  const out: number[] = [];
  for (let at = 0, paused = 0; at < order.length; ) {
    if (at - paused >= SLICE) {
      paused = at;
      yield;
    }
    const first = at;
    const group = of[order[at]];
    while (at < order.length && of[order[at]] === group) at++;
    const column = rests.findIndex((rest) => rest[group] !== 0);
    if (column < 0 && called[group] === 1) continue;
    let start = order[first];
    let most = Number.NEGATIVE_INFINITY;
    for (let k = first; k < at && at - first > 1; k++) {
      const lacks = lackOf(order[k], edges, totals, Math.max(0, column));
      if (lacks <= most) continue;
      most = lacks;
      start = order[k];
    }
    out.push(start);
  }
  return out;
}

/** The cost of a routine minus the cost of all calls to it, those of its cycle too. */
function lackOf(r: number, { caller, callee, costs, from, into }: Edges, totals: Totals, column: number): number {
  if (column >= costs.length) return 0;
  let lacks = totals.self[column][r];
  for (let e = from[r]; e < from[r + 1]; e++) if (callee[e] !== r) lacks += costs[column][e];
  for (let i = into.from[r]; i < into.from[r + 1]; i++) {
    const e = into.order[i];
    if (caller[e] !== r) lacks -= costs[column][e];
  }
  return lacks;
}
