// The call graph: one edge per pair of routines, with the sum of its calls.
import { indexBy } from '../../model/column.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Edges } from '../costing.ts';
import type { Active } from '../once.ts';
import { noEdges } from '../without.ts';

export function callGraph(profile: ProfileOf<'callgraph'>, active: Active): Edges {
  const routines = profile.routines.name.length;
  const { calls, spans } = profile;
  if (!calls) return noEdges(profile.columns, routines);
  const rows = calls.span.length;
  const callers = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    const span = calls.span[i];
    callers[i] = active && !active(spans.part[span]) ? -1 : spans.routine[span];
  }
  const byCaller = indexBy(callers, routines);
  // The edge to each callee, valid only for the caller that stamped it.
  const edgeOf = new Uint32Array(routines);
  const stamp = new Int32Array(routines).fill(-1);
  const edgeOfRow = new Uint32Array(byCaller.order.length);
  const from = new Uint32Array(routines + 1);
  let edges = 0;
  for (let r = 0; r < routines; r++) {
    from[r] = edges;
    for (let k = byCaller.from[r]; k < byCaller.from[r + 1]; k++) {
      const callee = calls.callee[byCaller.order[k]];
      if (stamp[callee] !== r) {
        stamp[callee] = r;
        edgeOf[callee] = edges++;
      }
      edgeOfRow[k] = edgeOf[callee];
    }
  }
  from[routines] = edges;
  const caller = new Uint32Array(edges);
  const callee = new Uint32Array(edges);
  const count = new Float64Array(edges);
  for (let k = 0; k < edgeOfRow.length; k++) {
    const row = byCaller.order[k];
    const e = edgeOfRow[k];
    caller[e] = callers[row];
    callee[e] = calls.callee[row];
    count[e] += calls.count[row];
  }
  const costs = calls.costs.map((column) => {
    const out = new Float64Array(edges);
    for (let k = 0; k < edgeOfRow.length; k++) out[edgeOfRow[k]] += column[byCaller.order[k]];
    return out;
  });
  const guessed = profile.transformed?.estimated?.calls;
  const estimated = guessed && new Uint8Array(edges);
  for (let k = 0; estimated && k < edgeOfRow.length; k++) estimated[edgeOfRow[k]] |= guessed[byCaller.order[k]];
  return { caller, callee, count, costs, from, into: indexBy(callee, routines), ...(estimated ? { estimated } : {}) };
}
