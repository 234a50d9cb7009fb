// The hidden routines of a call graph as knots: one for each hidden routine, or for each cycle of them. By the cost that arrives in a knot from
// outside of it, everything that is spent in it or leaves it is split among those that call it: of a cycle, that is exact wherever it has a
// single way in, however its routines call each other.
import { eachInSlices, inSlices } from '../../../base/slices.ts';
import { Grow, indexInSlices } from '../../../model/column.ts';
import { findCycles } from '../../answers/callgraph/cycles.ts';
import { type Graph, SLICE } from './call-graph-flows.ts';

/** The way into a knot: a row of calls (its number), nothing so far, or several ways. */
export const NO_WAY = -1;
export const SEVERAL = -2;

export interface Knots {
  /** By routine; -1 for those that are not hidden. Callees come before their callers. */
  readonly of: Int32Array;
  readonly count: number;
  /** Edges by the knot of their caller, and by that of their callee; those that stay in a knot are in neither. */
  readonly out: { readonly order: Uint32Array; readonly from: Uint32Array };
  readonly into: { readonly order: Uint32Array; readonly from: Uint32Array };
  /** By column and knot: what arrives in it, and the share of that which no routine that is shown has called. */
  readonly arrives: readonly Float64Array[];
  readonly outside: readonly Float64Array[];
  /** By knot: 1 where what is below it has several ways in, so that nobody knows what came by which, or is an estimate already. */
  readonly tangled: Uint8Array;
  /** By knot: 1 if a routine that is shown calls it, maybe by way of others. */
  readonly entered: Uint8Array;
}

/** Yields between slices of work. */
export function* knotsOf(graph: Graph, hidden: Uint8Array): Generator<undefined, Knots> {
  const { edges, profile } = graph;
  const { caller, callee } = edges;
  const { of, count } = yield* numbered(graph, hidden);
  function* crossing(end: Uint32Array) {
    const knot = new Int32Array(end.length);
    yield* inSlices(end.length, (from, to) => {
      for (let e = from; e < to; e++) knot[e] = of[caller[e]] === of[callee[e]] ? -1 : of[end[e]];
    });
    return yield* indexInSlices(knot, count);
  }
  const out = yield* crossing(caller);
  const into = yield* crossing(callee);
  const starts = startsIn(graph, of, count);
  const arrives = starts.map((column) => column.slice());
  yield;
  for (let c = 0; c < profile.columns; c++) {
    const [cost, sum] = [edges.costs[graph.leads[c]], arrives[c]];
    yield* inSlices(into.order.length, (from, to) => {
      for (let k = from; k < to; k++) sum[of[callee[into.order[k]]]] += cost[into.order[k]];
    });
  }
  const entered = new Uint8Array(count);
  const way = yield* waysIn(graph, of, count);
  const outside = starts.map(() => new Float64Array(count));
  const enter = (k: number) => {
    if (starts.some((column) => column[k] !== 0)) way[k] = SEVERAL;
    const beyond = starts.map((column) => column[k]);
    for (let i = into.from[k]; i < into.from[k + 1]; i++) {
      const e = into.order[i];
      const from = of[caller[e]];
      if (from < 0) {
        entered[k] = 1;
        continue;
      }
      if (entered[from] === 1) entered[k] = 1;
      if (edges.costs.some((column) => column[e] !== 0)) way[k] = joinedWay(way[k], way[from]);
      for (let c = 0; c < beyond.length; c++) beyond[c] += edges.costs[graph.leads[c]][e] * outside[c][from];
    }
    // Unpaid cost begins here.
    for (let c = 0; c < beyond.length; c++) outside[c][k] = arrives[c][k] === 0 ? 1 : beyond[c] / arrives[c][k];
  };
  // Callers first.
  yield* eachInSlices(count, (k) => enter(count - 1 - k), KNOTS);
  const tangled = yield* tangledIn(graph, { of, count, out }, way);
  return { of, count, out, into, arrives, outside, tangled, entered };
}

/** Knots between pauses: each has some edges. */
const KNOTS = 1 << 12;

function* tangledIn(
  { edges, totals }: Graph,
  { of, count, out }: Pick<Knots, 'of' | 'count' | 'out'>,
  way: Int32Array,
): Generator<undefined, Uint8Array> {
  const { caller, callee } = edges;
  const tangled = new Uint8Array(count);
  for (let k = 0; k < count; k++) tangled[k] = Number(way[k] === SEVERAL);
  const guessed = totals.estimated?.self;
  for (let r = 0; guessed && r < guessed.length; r++) if (of[r] >= 0 && guessed[r] === 1) tangled[of[r]] = 1;
  yield;
  if (edges.estimated) for (const e of out.order) if (edges.estimated[e] === 1) tangled[of[caller[e]]] = 1;
  yield;
  // Callees come first.
  const mark = (k: number) => {
    for (let i = out.from[k]; i < out.from[k + 1] && tangled[k] === 0; i++) {
      const knot = of[callee[out.order[i]]];
      if (knot >= 0 && tangled[knot] === 1 && edges.costs.some((column) => column[out.order[i]] !== 0)) tangled[k] = 1;
    }
  };
  yield* eachInSlices(count, mark, KNOTS);
  return tangled;
}

/** The knots, callees first: cycles of what is hidden, by calls among what is hidden. */
function* numbered(
  { edges }: Graph,
  hidden: Uint8Array,
): Generator<undefined, { readonly of: Int32Array; readonly count: number }> {
  const n = hidden.length;
  const from = new Uint32Array(n + 1);
  const inner = new Grow(Uint32Array);
  const collect = (r: number) => {
    for (let e = edges.from[r]; e < edges.from[r + 1] && hidden[r] === 1; e++)
      if (hidden[edges.callee[e]] === 1) inner.push(edges.callee[e]);
    from[r + 1] = inner.length;
  };
  yield* eachInSlices(n, collect, SLICE);
  const cycles = yield* findCycles({ from, callee: inner.done() }, n);
  const of = new Int32Array(n).fill(-1);
  let count = 0;
  let last = -1;
  for (const r of cycles.calleesFirst) {
    if (hidden[r] === 0) continue;
    const together = cycles.of[r] > 0 && last >= 0 && cycles.of[r] === cycles.of[last];
    of[r] = together ? count - 1 : count++;
    last = r;
  }
  return { of, count };
}

/** By column and knot: what starts in its routines. */
function startsIn({ flow, profile, leads }: Graph, of: Int32Array, count: number): Float64Array[] {
  const out = Array.from({ length: profile.columns }, () => new Float64Array(count));
  for (const start of flow.starts)
    for (let c = 0; c < out.length && of[start] >= 0; c++) out[c][of[start]] += Math.max(0, flow.rest[leads[c]][start]);
  return out;
}

/** By knot: the only call of a routine that is shown which leads into it, by itself. */
function* waysIn({ profile: { calls, spans } }: Graph, of: Int32Array, count: number): Generator<undefined, Int32Array> {
  const way = new Int32Array(count).fill(NO_WAY);
  if (!calls) return way;
  const { span, callee, costs } = calls;
  const join = (i: number) => {
    const knot = of[callee[i]];
    if (knot < 0 || of[spans.routine[span[i]]] >= 0 || !costs.some((column) => column[i] !== 0)) return;
    way[knot] = joinedWay(way[knot], i);
  };
  yield* eachInSlices(span.length, join, SLICE);
  return way;
}

const joinedWay = (a: number, b: number) => (a === NO_WAY || a === b ? b : b === NO_WAY ? a : SEVERAL);
