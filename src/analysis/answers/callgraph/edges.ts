// Builds the call graph: one edge per pair of caller and callee, with the sum of its calls.
import { runInSlices, type Sliced } from '../../../base/slices.ts';
import type { Calls } from '../../../model/callgraph/tables.ts';
import { indexInSlices } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Edges } from '../costing.ts';
import type { Active } from '../once.ts';
import { noEdges } from '../without.ts';

/** The number of routines per slice. */
const ROUTINES_PER_SLICE = 1 << 14;

/** Builds the call graph. Yields between slices of work. */
export function* buildCallGraph(profile: ProfileOf<'callgraph'>, active: Active): Sliced<Edges> {
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
  /** Sums a column of the calls by edge. */
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
  const guessed = profile.transformed?.estimated?.calls;
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
  yield* runInSlices(
    routines,
    (first, end) => {
      for (let r = first; r < end; r++) {
        from[r] = edges;
        for (let k = rowsFrom[r]; k < rowsFrom[r + 1]; k++) {
          const to = callee[order[k]];
          if (stamp[to] !== r) {
            stamp[to] = r;
            latest[to] = edges++;
          }
          edgeOf[k] = latest[to];
        }
      }
    },
    ROUTINES_PER_SLICE,
  );
  from[routines] = edges;
  return { edgeOf, from };
}
