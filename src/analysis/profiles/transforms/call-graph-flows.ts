// Flow shares for transforms: the share of a routine's inflow that came through matching routines, and the part of its cost
// that goes into matches below it. All parts of the profile count together: the shares of the whole apply to the rows of each
// part.
import { runInSlices, type Sliced, type SlicedResult } from '../../../base/slices.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { graphOf as flowGraphOf } from '../../answers/callgraph/costing.ts';
import { visitInOrder } from '../../answers/callgraph/cycles.ts';
import { primaryColumns } from '../../answers/callgraph/flow.ts';
import { eliminateCycle } from '../../answers/callgraph/recursion.ts';
import {
  type FlowGraph,
  outermostLevel,
  roundShare,
  sharesBelow,
  sharesBelowOutermost,
  type ThroughShares,
} from '../../answers/callgraph/shares.ts';
import type { Edges } from '../../answers/costing.ts';

export type GraphProfile = ProfileOf<'callgraph'>;

export interface TransformGraph extends FlowGraph {
  readonly profile: GraphProfile;
  readonly edges: Edges;
  /** By raw column and edge: the cost as recorded in the file. */
  readonly recordedCosts: readonly Float64Array[];
  /** By raw column: the one whose shares it has. Halves of large counts have those of the counts; any other column has its own. */
  readonly leads: readonly number[];
}

export function* buildTransformGraph(profile: GraphProfile): Sliced<TransformGraph> {
  const { totals, flow, leaves, recursion, edges } = yield* flowGraphOf(profile).wait();
  const claims = edges.recorded ?? edges.costs;
  return { profile, totals, flow, leaves, recursion, edges: flow.edges, recordedCosts: claims, leads: primaryColumns(profile) };
}

/** By raw column: the result of `make`, shared by columns that have the same flow. */
function* byPrimaryColumn<T>({ leads }: TransformGraph, make: (column: number) => Sliced<T>) {
  const made = new Map<number, T>();
  const out: T[] = [];
  for (const lead of leads) {
    const known = made.get(lead) ?? (yield* make(lead));
    made.set(lead, known);
    out.push(known);
  }
  return out;
}

/** By raw column and routine: the share of the arriving cost that came through a routine in `hit`. */
export function sharesThrough(graph: TransformGraph, hit: Uint8Array): Sliced<ThroughShares[]> {
  const hits = Array.from(hit.keys()).filter((r) => hit[r] === 1);
  const alone = outermostLevel(graph.profile, graph, hits);
  return byPrimaryColumn(graph, function* (c) {
    if (alone !== undefined) return yield* sharesBelowOutermost(graph, hit, alone, c);
    return { routine: yield* sharesBelow(graph, hit, c) };
  });
}

/** The portion of a cost that goes the way of `part` of `whole`. Exact if that is everything or nothing. */
export function portionOfCost(cost: number, part: number, whole: number): number {
  if (part === 0 || whole === 0) return 0;
  if (cost === whole) return part;
  return part === whole ? cost : cost * Math.min(1, Math.max(0, part / whole));
}

export type MatchOutflow = SlicedResult<typeof matchOutflowOfColumn>;

/** The counterpart of sharesThrough(). `has`: counts cost that came through a match, not the rest. */
export function matchOutflows(graph: TransformGraph, hit: Uint8Array, through: readonly ThroughShares[], has: boolean) {
  return byPrimaryColumn(graph, (c) => matchOutflowOfColumn(graph, hit, c, through[c], has));
}

/**
 * How much of each routine's cost goes into matches. `part`: the part that goes into matching routines, or is their self cost.
 * `costIntoMatches`: the cost that a call brings into them. `isExact`: whether that is exact, not a share of what several calls have.
 */
function* matchOutflowOfColumn(
  { edges, totals, flow, recursion }: TransformGraph,
  hit: Uint8Array,
  c: number,
  { routine, edge }: ThroughShares,
  has: boolean,
) {
  const { caller, callee, from } = edges;
  // Without shares by edge, cost is not split: matches are assumed to receive both kinds of cost in equal proportion.
  const of = (share: number) => (has ? share : 1 - share);
  const cost = edge ? edges.costs[c].map((all, e) => all * of(edge[e])) : edges.costs[c];
  const self = edge ? totals.self[c].map((all, r) => all * (hit[r] === 1 ? 1 : of(routine[r]))) : totals.self[c];
  const cycles = totals.cycles.of;
  /** By routine: its cost, of itself and of its calls of others. */
  const whole = self.slice();
  const arrives = flow.rest[c].slice();
  yield* runInSlices(cost.length, (first, end) => {
    for (let e = first; e < end; e++) {
      if (caller[e] === callee[e]) continue;
      whole[caller[e]] += cost[e];
      arrives[callee[e]] += cost[e];
    }
  });
  const part = new Float64Array(whole.length);
  /** 1 if the part is known exactly, although it is neither everything nor nothing. */
  const exact = new Uint8Array(whole.length);
  const through = (r: number, paid: number) => portionOfCost(paid, part[r], whole[r]);
  const known = (r: number, paid: number) =>
    paid === 0 || part[r] === 0 || part[r] === whole[r] || (exact[r] === 1 && paid === whole[r] && paid === arrives[r]);
  const visit = (r: number) => {
    let sure = true;
    for (let e = from[r]; e < from[r + 1] && hit[r] === 0; e++) {
      if (callee[e] === r) continue;
      part[r] += through(callee[e], cost[e]);
      sure &&= flow.edges.estimated?.[e] !== 1 && known(callee[e], cost[e]);
    }
    if (hit[r] === 1) part[r] = whole[r];
    exact[r] = Number(sure);
  };
  function* visitCycle(cycle: number) {
    const loop = recursion.loops[cycle];
    if (!loop) return;
    for (const r of loop.members) if (hit[r] === 1) part[r] = whole[r];
    const leaves = Array.from(loop.members, (r) => {
      let sum = 0;
      for (let e = from[r]; e < from[r + 1] && hit[r] === 0; e++)
        if (cycles[callee[e]] !== cycle || hit[callee[e]] === 1) sum += through(callee[e], cost[e]);
      return sum;
    });
    if (leaves.every((sum) => sum === 0)) return;
    const share = (yield* eliminateCycle(edges, cost, loop, self, hit)).solve(leaves);
    for (const [i, r] of loop.members.entries()) if (hit[r] === 0) part[r] = portionOfCost(whole[r], roundShare(share[i]), 1);
  }
  yield* visitInOrder(totals.cycles, 'callees', visit, visitCycle);
  return { part, costIntoMatches: through, isExact: known };
}
