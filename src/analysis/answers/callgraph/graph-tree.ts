// The calling-context tree, unfolded from the call graph on demand. A call graph does not record call paths, so it cannot
// say how much of a callee's cost belongs to which path; a node gets its edge's share:
//   cost(child) = cost(node) * cost(edge) / (self(routine) + sum of its edges to other routines)
// which is exact only as long as there is a single path (the share is 1): all other nodes are marked as estimates. The
// inverted tree splits a routine's cost among its callers in the same way; what no caller pays stays with the routine. A
// routine that is already on the path ends the branch: its cost is counted higher up.
import { eventValue } from '../../../model/event-value.ts';
import type { Event } from '../../../model/head.ts';
import type { Totals } from '../costing.ts';
import { orderByNumber } from '../order.ts';
import { addNode, type Roots, type Tree, type TreeNode, type TreeSource } from '../tree.ts';
import type { Arrivals } from './arrivals.ts';

/** The source of the tree; costs in `columns` raw columns. */
interface Graph {
  readonly columns: number;
  readonly totals: Totals;
  readonly arrivals: Arrivals;
}

export function graphTree(columns: number, totals: Totals, arrivals: Arrivals, inverted: boolean): TreeSource {
  const graph = { columns, totals, arrivals };
  return {
    exact: false,
    roots: (tree, event, most) => (inverted ? routineRoots(tree, graph, event, most) : startRoots(tree, graph, event, most)),
    canUnfold: (_, node) => canUnfold(graph, inverted, node),
    unfold: (tree, node) => (inverted ? callers(tree, graph, node) : callees(tree, graph, node)),
  };
}

/** The callers of one routine, from its inclusive cost, or that of its cycle: what its callers paid for, and what started in it. */
export function graphCallers(columns: number, totals: Totals, arrivals: Arrivals, routine: number): TreeSource {
  const graph = { columns, totals, arrivals };
  return {
    exact: false,
    roots(tree) {
      const cycle = totals.cycles.of[routine];
      const inclusive = cycle === 0 ? at(totals.inclusive, routine) : at(totals.cycleInclusive, cycle);
      const root = addNode(tree, undefined, { routine, calls: totals.calls[routine], inclusive, self: inclusive });
      return { shown: [root], leftOut: 0 };
    },
    canUnfold: (_, node) => canUnfold(graph, true, node),
    unfold: (tree, node) => callers(tree, graph, node),
  };
}

/** The most expensive of the routines first, by the values given. */
function topOf(routines: readonly number[], values: Float64Array, most: number) {
  const top: number[] = [];
  for (const k of orderByNumber(values, true).subarray(0, most)) top.push(routines[k]);
  return { top, leftOut: Math.max(0, routines.length - most) };
}

const at = (columns: readonly Float64Array[], row: number) => Float64Array.from(columns, (c) => c[row]);

/** Inverted: all routines with self cost. */
function routineRoots(tree: Tree, { totals }: Graph, event: Event, most: number): Roots {
  const all: number[] = [];
  for (let r = 0; r < totals.calls.length; r++) if (totals.self.some((c) => c[r] !== 0)) all.push(r);
  const { top, leftOut } = topOf(
    all,
    Float64Array.from(all, (r) => eventValue(event, totals.self, r)),
    most,
  );
  const shown = top.map((routine) => {
    const self = at(totals.self, routine);
    const estimated = totals.estimated?.self[routine] === 1;
    return addNode(tree, undefined, {
      routine,
      calls: totals.calls[routine],
      inclusive: self,
      self,
      estimated,
      selfEstimated: estimated,
    });
  });
  return { shown, leftOut };
}

/** Top-down: where cost starts, with what the callers do not pay; in all, the profile's total. */
function startRoots(tree: Tree, graph: Graph, event: Event, most: number): Roots {
  const { arrivals, totals } = graph;
  const values = Float64Array.from(arrivals.starts.keys(), (k) => eventValue(event, arrivals.rests, k));
  const { top, leftOut } = topOf(arrivals.starts, values, most);
  const shown = top.map((routine) => {
    const inclusive = arrivals.restOf(routine);
    const { self, whole } = selfShare(graph, routine, inclusive, false);
    const scaled = arrivals.scaled[routine] === 1;
    const estimated = scaled || totals.estimated?.inclusive[routine] === 1;
    const selfEstimated = scaled || !whole || totals.estimated?.self[routine] === 1;
    // How many of a routine's calls came from nowhere is not recorded.
    const calls = hasCallers(graph, routine) ? -1 : totals.calls[routine];
    return addNode(tree, undefined, { routine, calls, inclusive, self, estimated, selfEstimated });
  });
  return { shown, leftOut };
}

function hasCallers({ arrivals: { edges } }: Graph, routine: number): boolean {
  for (let k = edges.into.from[routine]; k < edges.into.from[routine + 1]; k++)
    if (edges.caller[edges.into.order[k]] !== routine) return true;
  return false;
}

/** True if a node has or may have children. */
function canUnfold({ arrivals: { edges } }: Graph, inverted: boolean, node: TreeNode): boolean {
  if (node.recursive) return false;
  if (inverted) return edges.into.from[node.routine + 1] > edges.into.from[node.routine];
  return edges.from[node.routine + 1] > edges.from[node.routine];
}

function callees(tree: Tree, graph: Graph, node: TreeNode): number[] {
  const { arrivals, totals, columns } = graph;
  const { edges } = arrivals;
  const r = node.routine;
  const others: number[] = [];
  for (let e = edges.from[r]; e < edges.from[r + 1]; e++) if (edges.callee[e] !== r) others.push(e);
  // The base of the node's share.
  const whole = Float64Array.from(totals.self, (self) => self[r]);
  for (let c = 0; c < columns; c++) for (const e of others) whole[c] += edges.costs[c][e];
  const share = whole.map((w, c) => (w === 0 ? 0 : node.inclusive[c] / w));
  // If all of the routine's cost came by this one path, through exact nodes, the edge's own numbers hold.
  // After transforms, they may be estimates themselves.
  const held = !node.estimated || (totals.estimated !== undefined && arrivals.scaled[r] === 0);
  const single = held && share.every((s, c) => s === 1 || whole[c] === 0);
  return others.map((e) => {
    const routine = edges.callee[e];
    const estimated = !single || arrivals.scaledEdge[e] === 1 || edges.estimated?.[e] === 1;
    const inclusive = Float64Array.from(share, (s, c) => (single ? edges.costs[c][e] : s * edges.costs[c][e]));
    const recursive = isAbove(tree, node, routine);
    const { self, whole: known } = selfShare(graph, routine, inclusive, recursive);
    const calls = single ? edges.count[e] : -1;
    const selfEstimated = estimated || !known || totals.estimated?.self[routine] === 1;
    return addNode(tree, node, { routine, calls, inclusive, self, estimated, selfEstimated, recursive });
  });
}

function callers(tree: Tree, graph: Graph, node: TreeNode): number[] {
  const { arrivals, columns } = graph;
  const { edges } = arrivals;
  const r = node.routine;
  const others: number[] = [];
  for (let k = edges.into.from[r]; k < edges.into.from[r + 1]; k++) {
    const e = edges.into.order[k];
    if (edges.caller[e] !== r) others.push(e);
  }
  // Cost that starts in the routine came from no caller.
  const starts = arrivals.startsAt(r);
  const whole = starts ? arrivals.restOf(r) : new Float64Array(columns);
  for (let c = 0; c < columns; c++) for (const e of others) whole[c] += edges.costs[c][e];
  const single = !node.estimated && others.length === 1 && !starts;
  return others.map((e) => {
    const routine = edges.caller[e];
    const inclusive = single
      ? node.inclusive
      : Float64Array.from(whole, (w, c) => (w === 0 ? 0 : (node.inclusive[c] * edges.costs[c][e]) / w));
    const recursive = isAbove(tree, node, routine);
    const estimated = !single || edges.estimated?.[e] === 1;
    return addNode(tree, node, {
      routine,
      calls: -1,
      inclusive,
      self: inclusive,
      estimated,
      selfEstimated: estimated,
      recursive,
    });
  });
}

/** The routine's own part of a cost; `whole` is true if no share had to be guessed. */
function selfShare(
  { arrivals: { edges }, totals }: Graph,
  routine: number,
  inclusive: Float64Array,
  recursive: boolean,
): { self: Float64Array; whole: boolean } {
  if (recursive) return { self: new Float64Array(inclusive.length), whole: true };
  let all = true;
  const self = inclusive.map((cost, c) => {
    let whole = totals.self[c][routine];
    for (let e = edges.from[routine]; e < edges.from[routine + 1]; e++)
      if (edges.callee[e] !== routine) whole += edges.costs[c][e];
    if (whole === cost) return totals.self[c][routine];
    if (totals.self[c][routine] !== whole) all = false;
    return whole === 0 ? 0 : (cost * totals.self[c][routine]) / whole;
  });
  return { self, whole: all };
}

function isAbove(tree: Tree, node: TreeNode, routine: number): boolean {
  for (let at: TreeNode | undefined = node; at; at = tree.nodes[at.parent]) if (at.routine === routine) return true;
  return false;
}
