// The inclusive cost of a group of routines (a file, a class): what runs in it or below it, each cost once, however often calls
// leave it and come back. A call graph does not say by which path a cost was reached: a routine that is called from inside and
// from outside gets the share of its callers,
//   below(r) = sum(below(caller) * cost(edge)) / (sum of its edges + what starts in it)
// with below = 1 in the group, so the cost is exact if every routine is wholly below the group or not at all.
import type { GroupCosts, GroupQuery, Totals } from '../costing.ts';
import type { Arrivals } from './arrivals.ts';

/** Steps over edges that all groups of a profile may take together; the others stay unknown. */
const MOST_STEPS = 30_000_000;
/** Members of a cycle depend on each other: their shares are found by going round. */
const MOST_ROUNDS = 20;
const CLOSE = 1e-6;

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
        if (below[r] !== 1 && totals.self[c][r] !== 0) estimated[g] = 1;
      }
      costs[c][g] = sum;
    }
    steps = flows.reduce((all, flow) => all + flow.steps, 0);
  }
  return { costs, estimated };
}

/** One raw column of the call graph. */
class Flow {
  /** Routines and edges looked at so far. */
  steps = 0;
  /** What arrives in each routine, from callers and from nowhere. */
  private readonly all: Float64Array;
  private readonly share: Float64Array;
  private readonly totals: Totals;
  private readonly arrivals: Arrivals;
  private readonly cost: Float64Array;

  constructor(totals: Totals, arrivals: Arrivals, column: number) {
    const { edges } = arrivals;
    this.totals = totals;
    this.arrivals = arrivals;
    this.cost = edges.costs[column];
    this.all = new Float64Array(totals.calls.length);
    this.share = new Float64Array(totals.calls.length);
    for (let e = 0; e < edges.caller.length; e++)
      if (edges.caller[e] !== edges.callee[e]) this.all[edges.callee[e]] += this.cost[e];
    for (const start of arrivals.starts) this.all[start] += arrivals.restOf(start)[column];
  }

  /** The share of each routine's cost that arrives through the group. */
  below(groupOf: Int32Array, group: number): Float64Array {
    const { share, totals } = this;
    const { into } = this.arrivals.edges;
    const { of, calleesFirst } = totals.cycles;
    share.fill(0);
    // Callers first.
    for (let at = calleesFirst.length - 1; at >= 0; ) {
      const cycle = of[calleesFirst[at]];
      const last = at--;
      if (cycle > 0) while (at >= 0 && of[calleesFirst[at]] === cycle) at--;
      for (let round = 0, moved = 1; round < MOST_ROUNDS && moved > CLOSE; round++) {
        moved = 0;
        for (let k = last; k > at; k--) {
          const r = calleesFirst[k];
          this.steps += 1 + into.from[r + 1] - into.from[r];
          const next = groupOf[r] === group ? 1 : this.arriving(r);
          moved = Math.max(moved, Math.abs(next - share[r]));
          share[r] = next;
        }
        if (cycle === 0) break;
      }
    }
    return share;
  }

  private arriving(r: number): number {
    const { caller, into } = this.arrivals.edges;
    const { cost, share } = this;
    let sum = 0;
    let all = 0;
    let some = false;
    for (let k = into.from[r]; k < into.from[r + 1]; k++) {
      const e = into.order[k];
      if (caller[e] === r) continue;
      some ||= share[caller[e]] !== 0;
      if (share[caller[e]] === 1) all += cost[e];
      sum += share[caller[e]] * cost[e];
    }
    if (!some || this.all[r] === 0) return 0;
    // Without rounding, where every caller is wholly below the group.
    return all === this.all[r] ? 1 : Math.min(1, sum / this.all[r]);
  }
}
