// The numbers of a call graph as the file has them, beside those that count each cost once.
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { findEdge } from '../../src/analysis/answers/callgraph/call-sites.ts';
import type { LineCalls } from '../../src/analysis/answers/costing.ts';

/** The sum of callers' claims on routines beyond what these have: no flow of cost can be nearer to the file's numbers than that. */
export function claimedTooMuch({ edges, totals }: Analysis): number {
  const costs = (edges.recorded ?? edges.costs)[0] ?? new Float64Array(0);
  const more = totals.self[0].slice();
  for (let e = 0; e < costs.length; e++) {
    more[edges.caller[e]] += costs[e];
    more[edges.callee[e]] -= costs[e];
  }
  return more.reduce((sum, cost) => sum + Math.max(0, -cost), 0);
}

/** The part that a row of calls has of what was recorded for its edge in a column. */
export function recordedCost(a: Analysis, caller: number, { callee, costs }: LineCalls, row: number, column: number): number {
  const e = findEdge(a.edges, caller, callee[row]);
  const once = a.edges.costs[column][e];
  const recorded = a.edges.recorded?.[column][e] ?? once;
  return once === recorded ? costs[column][row] : Math.round((costs[column][row] * recorded) / once);
}
