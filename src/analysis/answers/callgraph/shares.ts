// The share of the flow (flow.ts) that passed through a set of routines:
//   below(r) = sum over callers of below(caller) * cost(edge) / into(r), and 1 for members of the set
// Members of a cycle depend on each other, so they are solved by elimination. Shares of 0 and 1 are exact.
import { groupByKey } from '../../../base/lists.ts';
import { runToEnd, SLOW_ROWS_PER_SLICE, type Sliced } from '../../../base/slices.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import type { GroupCosts, GroupQuery, Totals } from '../costing.ts';
import { visitInOrder } from './cycles.ts';
import { type CostFlow, ROUNDING_SHARE } from './flow.ts';
import { levelledName, splitLevel } from './levels.ts';
import { eliminateCycle, type Recursion } from './recursion.ts';

export interface FlowGraph {
  readonly totals: Totals;
  readonly flow: CostFlow;
  /** By raw column and routine: the part of the arriving cost that goes to no callee. */
  readonly leaves: readonly Float64Array[];
  readonly recursion: Recursion;
}

/** Removes the rounding error of a sum of shares: one that differs from 1 by less counts as 1. */
export const roundShare = (share: number) => (1 - share < ROUNDING_SHARE ? 1 : share);

/**
 * By routine, for one raw column: the share of the arriving cost that passed through a routine in `hit`. Yields between slices.
 */
export function* sharesBelow(graph: FlowGraph, hit: Uint8Array, column: number): Sliced<Float64Array> {
  const { totals, flow, leaves, recursion } = graph;
  const { caller, into, costs } = flow.edges;
  const cost = costs[column];
  const rest = flow.rest[column];
  const share = new Float64Array(hit.length);
  const { of } = totals.cycles;
  /** The cost that arrives from callers accepted by `counts`: all of it, and the part that passed through `hit`. */
  const arriving = (r: number, counts: (from: number) => boolean): readonly [all: number, through: number] => {
    let [all, through] = [rest[r], 0];
    for (let k = into.from[r]; k < into.from[r + 1]; k++) {
      const e = into.order[k];
      if (caller[e] === r || !counts(caller[e])) continue;
      all += cost[e];
      through += share[caller[e]] * cost[e];
    }
    return [all, through];
  };
  const visit = (r: number) => {
    const [all, through] = hit[r] === 1 ? [1, 1] : arriving(r, () => true);
    share[r] = all === 0 || through === 0 ? 0 : roundShare(through / all);
  };
  function* visitCycle(cycle: number) {
    const loop = recursion.loops[cycle];
    if (!loop) return;
    for (const r of loop.members) share[r] = hit[r];
    const from = Array.from(loop.members, (r) =>
      hit[r] === 1 ? ([0, 0] as const) : arriving(r, (u) => of[u] !== cycle || hit[u] === 1),
    );
    if (from.every(([, through]) => through === 0)) return;
    const same = from.every(([all, through]) => all === through);
    const x = same
      ? undefined
      : (yield* eliminateCycle(flow.edges, cost, loop, leaves[column], hit)).solveLeft(from.map(([, t]) => t));
    for (const [i, r] of loop.members.entries()) if (hit[r] === 0) share[r] = x ? roundShare(x[i]) : 1;
  }
  yield* visitInOrder(totals.cycles, 'callers', visit, visitCycle);
  return share;
}

/**
 * The lowest recursion level of a set that consists of levels of one routine, if it is on a stack at most once. The others lie
 * below it.
 */
export function outermostLevel(profile: ProfileOf<'callgraph'>, graph: FlowGraph, hits: readonly number[]): number | undefined {
  const { routines, strings, wholes } = profile;
  // The level of an inlined function does not tell where in a routine the call is.
  if (routines.within && hits.some((r) => routines.within?.[r] !== -1)) return undefined;
  const levels = new Map<number, number>();
  const bases = new Set<string>();
  for (const r of hits) {
    // If a routine is split by file, its lines in another file may call the next level.
    if (wholes && wholes[r] !== r) return undefined;
    const [base, level] = splitLevel(stringAt(strings, levelledName(routines, r)));
    levels.set(level, r);
    bases.add(`${routines.object[r]} ${base}`);
    if (bases.size > 1) return undefined;
  }
  const lowest = levels.get(Math.min(...levels.keys()));
  if (lowest === undefined || levels.size < hits.length) return undefined;
  return graph.recursion.once[lowest] === 1 || graph.totals.cycles.of[lowest] === 0 ? lowest : undefined;
}

/** The shares of routines, and of their edges if these differ: the part of each cost that passed through. */
export interface ThroughShares {
  readonly routine: Float64Array;
  readonly edge?: Float64Array;
}

const MAX_BALANCING_ROUNDS = 60;

/**
 * The shares below a routine that is on a stack at most once: the flow comes back to it, as calls never did. So the odds of all shares are
 * multiplied by the one factor with which all self costs below it add up to its inclusive cost, and the calls are scaled until as much
 * arrives in each routine as leaves it.
 */
export function* sharesBelowOutermost(graph: FlowGraph, hit: Uint8Array, alone: number, column: number): Sliced<ThroughShares> {
  const { totals, flow } = graph;
  const below = yield* sharesBelow(graph, hit, column);
  const wanted = totals.inclusive[column][alone];
  const self = graph.leaves[column];
  const odds = (share: number, factor: number) => (share === 1 ? 1 : (share * factor) / (1 + (factor - 1) * share));
  const sum = (factor: number) => below.reduce((all, share, r) => all + odds(share, factor) * self[r], 0);
  if (Math.abs(sum(1) - wanted) <= SUM_TOLERANCE * Math.abs(wanted)) return { routine: below };
  let [low, high] = [-MAX_LOG_FACTOR, MAX_LOG_FACTOR];
  for (let round = 0; round < MAX_BALANCING_ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (sum(2 ** middle) < wanted) low = middle;
    else high = middle;
  }
  yield;
  const routine = below.map((share) => odds(share, 2 ** low));
  return { routine, edge: yield* balanceShares(flow, self, routine, alone, column) };
}

/** Sums of shares that differ by less count as equal. */
const SUM_TOLERANCE = 1e-9;
const MAX_LOG_FACTOR = 40;

/**
 * By edge: the share of its cost that comes through, so that each routine passes on what arrives in it, less its own: one routine after the
 * other, its callers' shares times the factor, and those of its calls divided by it, with which it balances.
 */
function* balanceShares({ edges }: CostFlow, self: Float64Array, routine: Float64Array, alone: number, column: number) {
  const { caller, callee, into, from } = edges;
  const cost = edges.costs[column];
  const isAll = (e: number) => routine[caller[e]] === 1 || routine[callee[e]] === 1;
  const share = Float64Array.from(caller, (u, e) => (callee[e] === alone ? 0 : isAll(e) ? 1 : routine[u]));
  /** By edge: 1 if its share is known. */
  const fixed = Uint8Array.from(caller, (u, e) => Number(u === callee[e] || callee[e] === alone || cost[e] <= 0 || isAll(e)));
  const shared = Array.from(routine.keys()).filter((r) => routine[r] > 0 && routine[r] < 1);
  /** A routine's flow that may be scaled, and its flow that may not. */
  const [arriving, leaving] = [new Float64Array(2), new Float64Array(2)];
  const add = (sums: Float64Array, e: number) => {
    if (caller[e] !== callee[e]) sums[fixed[e]] += share[e] * cost[e];
  };
  const scale = (e: number, factor: number) => {
    if (fixed[e] === 0) share[e] = Math.min(1, share[e] * factor);
  };
  for (let round = 0, worked = 0; round < MAX_BALANCING_ROUNDS; round++)
    for (const r of shared) {
      const [first, last] = [into.from[r], into.from[r + 1]];
      arriving.fill(0);
      leaving.fill(0);
      for (let k = first; k < last; k++) add(arriving, into.order[k]);
      for (let e = from[r]; e < from[r + 1]; e++) add(leaving, e);
      const factor = balancingFactor(arriving[0], arriving[1] - leaving[1] - routine[r] * self[r], leaving[0]);
      for (let k = first; k < last && factor; k++) scale(into.order[k], factor);
      for (let e = from[r]; e < from[r + 1] && factor; e++) scale(e, 1 / factor);
      worked += last - first + from[r + 1] - from[r];
      if (worked < SLOW_ROWS_PER_SLICE) continue;
      worked = 0;
      yield;
    }
  return share;
}

/** The factor f for which arriving * f + fixed = leaving / f. Undefined if there is none. */
function balancingFactor(arriving: number, fixed: number, leaving: number): number | undefined {
  const factor = arriving === 0 ? leaving / fixed : (Math.sqrt(fixed * fixed + 4 * arriving * leaving) - fixed) / (2 * arriving);
  return factor > 0 && Number.isFinite(factor) ? factor : undefined;
}

/** The maximum steps over routines, edges and cycle entries for all groups together. Other groups stay unknown. */
const MAX_STEPS_FOR_GROUPS = 30_000_000;

/**
 * The inclusive cost of groups of routines (a file, a class): everything that runs in them or below them, each cost counted once, as the sum of
 * the shares of all costs that arrive through the group. It is exact if every routine is wholly below the group or not at all. Groups are
 * computed in order until the step limit is reached.
 */
export function graphGroups(profile: ProfileOf<'callgraph'>, of: GroupQuery, graph: FlowGraph): GroupCosts {
  const { groupOf, groups, columns } = of;
  const { inclusive, estimated: guessed } = graph.totals;
  const { leaves } = graph;
  const costs = leaves.map(() => new Float64Array(groups).fill(Number.NaN));
  const estimated = new Uint8Array(groups);
  const members = groupByKey(groupOf.keys(), (r) => groupOf[r]);
  const entries = graph.recursion.loops.reduce((sum, loop) => sum + (loop?.pattern.later.length ?? 0), 0);
  const each = columns.length * (groupOf.length + graph.flow.edges.caller.length + entries);
  for (let g = 0, steps = 0; g < groups && steps < MAX_STEPS_FOR_GROUPS; g++) {
    const own = members.get(g) ?? [];
    const alone = own.length === 1 ? own[0] : outermostLevel(profile, graph, own);
    if (alone !== undefined) {
      for (const c of columns) costs[c][g] = inclusive[c][alone];
      estimated[g] = guessed?.inclusive[alone] ?? 0;
      continue;
    }
    steps += each;
    const hit = Uint8Array.from(groupOf, (group) => Number(group === g));
    for (const c of columns) {
      const below = runToEnd(sharesBelow(graph, hit, c));
      let sum = 0;
      for (let r = 0; r < below.length; r++) {
        if (below[r] === 0) continue;
        sum += below[r] * leaves[c][r];
        if ((below[r] !== 1 || guessed?.self[r] === 1) && leaves[c][r] !== 0) estimated[g] = 1;
      }
      costs[c][g] = sum;
    }
  }
  return { costs, estimated };
}
