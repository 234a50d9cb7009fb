// The call graph: one edge a pair of routines, with the sum of its calls.
import { type Index, indexBy } from '../model/column.ts';
import type { Profile } from '../model/profile.ts';

/** Edges of caller r are [from[r], from[r + 1]); costs are inclusive, by raw column. `into` has the edges by callee. */
export interface Edges {
  readonly caller: Uint32Array;
  readonly callee: Uint32Array;
  readonly count: Float64Array;
  readonly costs: readonly Float64Array[];
  readonly from: Uint32Array;
  readonly into: Index;
}

export type Active = (part: number) => boolean;

export function callGraph(profile: Profile, active?: Active): Edges {
  const routines = profile.routines.name.length;
  const { calls, spans } = profile;
  if (!calls || !spans) return noEdges(profile, routines);
  const rows = calls.span.length;
  const callers = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    const span = calls.span[i];
    callers[i] = active && !active(spans.part[span]) ? -1 : spans.routine[span];
  }
  const byCaller = indexBy(callers, routines);
  // Where the edge to a callee stands, valid for the caller whose stamp it has.
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
  return { caller, callee, count, costs, from, into: indexBy(callee, routines) };
}

export function noEdges(profile: Profile, routines: number): Edges {
  return {
    caller: new Uint32Array(0),
    callee: new Uint32Array(0),
    count: new Float64Array(0),
    costs: Array.from({ length: profile.columns }, () => new Float64Array(0)),
    from: new Uint32Array(routines + 1),
    into: { order: new Uint32Array(0), from: new Uint32Array(routines + 1) },
  };
}
