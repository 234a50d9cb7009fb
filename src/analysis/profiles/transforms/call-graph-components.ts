// Groups hidden routines by strongly connected component, and splits each component's cost among its callers. The split is by
// the cost that enters the component. For a cycle with a single entry it is exact, however its routines call each other.
import { fillInSlices, forEachInSlices, runInSlices, type SlicedResult } from '../../../base/slices.ts';
import { GrowableColumn, type Index, indexInSlices } from '../../../model/column.ts';
import { findCycles } from '../../answers/callgraph/cycles.ts';
import { combineEntries, NO_ENTRY, SEVERAL_ENTRIES } from '../../answers/callgraph/recursion.ts';
import type { TransformGraph } from './call-graph-flows.ts';

export type HiddenComponents = SlicedResult<typeof findHiddenComponents>;

/**
 * Yields between slices of work. `componentOf`: by routine; -1 for those that are not hidden. Callees come before their callers. `out`: edges
 * between components, by the caller's component. By column and component, `inflow`: the cost that enters it; `outsideShare`: the share of it that
 * no visible routine called. By component, `inexact`: 1 if its split is an estimate, as it has several entries, contains estimates, or calls such
 * a component; `reached`: 1 if a visible routine calls it, directly or indirectly.
 */
export function* findHiddenComponents(graph: TransformGraph, hidden: Uint8Array) {
  const { edges, profile, flow, leads } = graph;
  const { caller, callee } = edges;
  const { of, count } = yield* numberComponents(graph, hidden);
  function* crossing(end: Uint32Array) {
    const componentAt = (e: number) => (of[caller[e]] === of[callee[e]] ? -1 : of[end[e]]);
    return yield* indexInSlices(yield* fillInSlices(new Int32Array(end.length), componentAt), count);
  }
  const out = yield* crossing(caller);
  const into = yield* crossing(callee);
  /** By column and component: the cost that starts in its routines. */
  const starts = Array.from({ length: profile.columns }, () => new Float64Array(count));
  for (const start of flow.starts)
    for (let c = 0; c < starts.length && of[start] >= 0; c++) starts[c][of[start]] += Math.max(0, flow.rest[leads[c]][start]);
  const arrives = starts.map((column) => column.slice());
  yield;
  for (let c = 0; c < profile.columns; c++) {
    const [cost, sum] = [edges.costs[leads[c]], arrives[c]];
    yield* runInSlices(into.order.length, (from, to) => {
      for (let k = from; k < to; k++) sum[of[callee[into.order[k]]]] += cost[into.order[k]];
    });
  }
  const entered = new Uint8Array(count);
  const way = yield* findEntries(graph, of, count);
  const outside = starts.map(() => new Float64Array(count));
  const visitComponent = (k: number) => {
    if (starts.some((column) => column[k] !== 0)) way[k] = SEVERAL_ENTRIES;
    const beyond = starts.map((column) => column[k]);
    for (let i = into.from[k]; i < into.from[k + 1]; i++) {
      const e = into.order[i];
      const from = of[caller[e]];
      if (from < 0) {
        entered[k] = 1;
        continue;
      }
      if (entered[from] === 1) entered[k] = 1;
      if (edges.costs.some((column) => column[e] !== 0)) way[k] = combineEntries(way[k], way[from]);
      for (let c = 0; c < beyond.length; c++) beyond[c] += edges.costs[leads[c]][e] * outside[c][from];
    }
    // A component without inflow counts as called from outside.
    for (let c = 0; c < beyond.length; c++) outside[c][k] = arrives[c][k] === 0 ? 1 : beyond[c] / arrives[c][k];
  };
  // Components are visited callers first.
  yield* forEachInSlices(count, (k) => visitComponent(count - 1 - k));
  const tangled = yield* findInexact(graph, of, out, way);
  return { componentOf: of, count, out, inflow: arrives, outsideShare: outside, inexact: tangled, reached: entered };
}

function* findInexact({ edges, totals }: TransformGraph, of: Int32Array, out: Index, way: Int32Array) {
  const { caller, callee } = edges;
  const tangled = Uint8Array.from(way, (entry) => Number(entry === SEVERAL_ENTRIES));
  const guessed = totals.selfEstimated;
  for (let r = 0; guessed && r < guessed.length; r++) if (of[r] >= 0 && guessed[r] === 1) tangled[of[r]] = 1;
  yield;
  if (edges.estimated) for (const e of out.order) if (edges.estimated[e] === 1) tangled[of[caller[e]]] = 1;
  yield;
  // Components are visited callees first.
  const mark = (k: number) => {
    for (let i = out.from[k]; i < out.from[k + 1] && tangled[k] === 0; i++) {
      const component = of[callee[out.order[i]]];
      if (component >= 0 && tangled[component] === 1 && edges.costs.some((column) => column[out.order[i]] !== 0)) tangled[k] = 1;
    }
  };
  yield* forEachInSlices(way.length, mark);
  return tangled;
}

/** Numbers the components, callees first. Only calls among hidden routines count. */
function* numberComponents({ edges }: TransformGraph, hidden: Uint8Array) {
  const n = hidden.length;
  const from = new Uint32Array(n + 1);
  const inner = new GrowableColumn(Uint32Array);
  const collect = (r: number) => {
    for (let e = edges.from[r]; e < edges.from[r + 1] && hidden[r] === 1; e++)
      if (hidden[edges.callee[e]] === 1) inner.push(edges.callee[e]);
    from[r + 1] = inner.length;
  };
  yield* forEachInSlices(n, collect);
  const cycles = yield* findCycles({ from, callee: inner.done() }, n);
  const of = new Int32Array(n).fill(-1);
  let count = 0;
  let last = -1;
  for (const r of cycles.calleesFirst) {
    if (hidden[r] === 0) continue;
    const isSameCycle = cycles.of[r] > 0 && last >= 0 && cycles.of[r] === cycles.of[last];
    of[r] = isSameCycle ? count - 1 : count++;
    last = r;
  }
  return { of, count };
}

/** By component: the only call by which a visible routine enters it directly. */
function* findEntries({ profile: { calls, spans } }: TransformGraph, of: Int32Array, count: number) {
  const way = new Int32Array(count).fill(NO_ENTRY);
  if (!calls) return way;
  const { span, callee, costs } = calls;
  const join = (i: number) => {
    const component = of[callee[i]];
    if (component < 0 || of[spans.routine[span[i]]] >= 0 || !costs.some((column) => column[i] !== 0)) return;
    way[component] = combineEntries(way[component], i);
  };
  yield* forEachInSlices(span.length, join);
  return way;
}
