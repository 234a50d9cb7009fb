// The inclusive cost of a group of routines (a file, a class): what runs in it or below it, each cost once, however often calls
// leave it and come back: the share of each routine's cost that arrives through the group (flow.ts). It is exact if every routine is
// wholly below the group or not at all.
import type { GroupCosts, GroupQuery, Totals } from '../costing.ts';
import type { Arrivals } from './arrivals.ts';
import { Flow } from './flow.ts';

/** Steps over edges that all groups of a profile may take together; the others stay unknown. */
const MOST_STEPS = 30_000_000;

/** The groups are taken in order, as long as there is time. */
export function graphGroups({ groupOf, groups, columns }: GroupQuery, totals: Totals, arrivals: Arrivals): GroupCosts {
  const costs = totals.self.map(() => new Float64Array(groups).fill(Number.NaN));
  const estimated = new Uint8Array(groups);
  const flows = columns.map((c) => new Flow(totals, arrivals, c));
  let steps = 0;
  for (let g = 0; g < groups && steps < MOST_STEPS; g++) {
    for (const [k, c] of columns.entries()) {
      const below = flows[k].below(groupOf, g);
      let sum = 0;
      for (let r = 0; r < below.length; r++) {
        if (below[r] === 0) continue;
        sum += below[r] * totals.self[c][r];
        if ((below[r] !== 1 || totals.estimated?.self[r] === 1) && totals.self[c][r] !== 0) estimated[g] = 1;
      }
      costs[c][g] = sum;
    }
    steps = flows.reduce((all, flow) => all + flow.steps, 0);
  }
  return { costs, estimated };
}
