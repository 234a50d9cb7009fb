// The inclusive cost of a group of routines (a file, a class): everything that runs in it or below it, each cost counted once.
// It is the sum of the shares of all routines' costs that arrive through the group (shares.ts).
// It is exact if every routine is wholly below the group or not at all.
import { groupByKey } from '../../../base/lists.ts';
import { runToEnd } from '../../../base/slices.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { GroupCosts, GroupQuery } from '../costing.ts';
import { type FlowGraph, outermostLevel, sharesBelow } from './shares.ts';

/** The maximum steps over routines, edges and cycle entries for all groups together. Other groups stay unknown. */
const MAX_STEPS_FOR_GROUPS = 30_000_000;

/** Computes groups in order until the step limit is reached. */
export function graphGroups(
  profile: ProfileOf<'callgraph'>,
  { groupOf, groups, columns }: GroupQuery,
  graph: FlowGraph,
): GroupCosts {
  const { inclusive, estimated: guessed } = graph.totals;
  const { leaves } = graph;
  const costs = leaves.map(() => new Float64Array(groups).fill(Number.NaN));
  const estimated = new Uint8Array(groups);
  const members = groupByKey(groupOf.keys(), (r) => groupOf[r]);
  const { edges } = graph.flow;
  const entries = graph.recursion.loops.reduce((sum, loop) => sum + (loop?.pattern.later.length ?? 0), 0);
  const each = columns.length * (groupOf.length + edges.caller.length + entries);
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
