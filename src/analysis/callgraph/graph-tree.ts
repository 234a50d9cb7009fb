// The calling-context tree, unfolded from the call graph on demand. A call graph does not record call paths, so it cannot
// say how much of a callee's cost belongs to which path; a node gets its edge's share:
//   cost(child) = cost(node) * cost(edge) / (self(routine) + sum of its edges to other routines)
// which is exact only as long as there is a single path (the share is 1): all other nodes are marked as estimates. The
// inverted tree splits a routine's cost among its callers in the same way. A routine that is already on the path ends the
// branch: its cost is counted higher up.
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Edges, Totals } from '../costing.ts';
import { addNode, type Roots, type Tree, type TreeNode, type TreeSource } from '../tree.ts';

/** What the tree is unfolded from; costs in `columns` raw columns. */
interface Graph {
  readonly columns: number;
  readonly edges: Edges;
  readonly totals: Totals;
}

export function graphTree(columns: number, edges: Edges, totals: Totals, inverted: boolean): TreeSource {
  const graph = { columns, edges, totals };
  return {
    exact: false,
    roots: (tree, event, most) => graphRoots(tree, graph, inverted, event, most),
    canUnfold: (_, node) => canUnfold(edges, inverted, node),
    unfold: (tree, node) => unfold(tree, graph, node),
  };
}

/**
 * Top-down, the roots are the routines without callers, and the most expensive member of each cycle without callers from
 * outside; inverted, all routines with self cost. Sorted by the event.
 */
function graphRoots(tree: Tree, graph: Graph, inverted: boolean, event: Event, most: number): Roots {
  const { totals } = graph;
  const routines = totals.calls.length;
  const keys: number[] = [];
  if (inverted) {
    for (let r = 0; r < routines; r++) if (totals.self.some((c) => c[r] !== 0)) keys.push(r);
  } else keys.push(...topRoutines(graph, event));
  const costs = inverted ? totals.self : totals.inclusive;
  const value = new Float64Array(routines);
  for (const r of keys) value[r] = eventValue(event, costs, r);
  keys.sort((a, b) => value[b] - value[a]);
  const at = (columns: readonly Float64Array[], row: number) => Float64Array.from(columns, (c) => c[row]);
  const shown = keys.slice(0, most).map((routine) => {
    const cycle = totals.cycles.of[routine];
    const calls = totals.calls[routine];
    if (inverted || cycle === 0)
      return addNode(tree, undefined, { routine, calls, inclusive: at(costs, routine), self: at(totals.self, routine) });
    // A cycle without outside callers starts at one of its members, which carries all of its cost.
    const inclusive = at(totals.cycleInclusive, cycle);
    const { self } = selfShare(graph, routine, inclusive, false);
    return addNode(tree, undefined, { routine, calls, inclusive, self, estimated: true, selfEstimated: true });
  });
  return { shown, leftOut: keys.length - shown.length };
}

function topRoutines({ totals, edges }: Graph, event: Event): number[] {
  const { of, count } = totals.cycles;
  const routines = totals.calls.length;
  const called = new Uint8Array(routines);
  const cycleCalled = new Uint8Array(count + 1);
  for (let e = 0; e < edges.caller.length; e++) {
    const caller = edges.caller[e];
    const callee = edges.callee[e];
    if (caller === callee) continue;
    const cycle = of[callee];
    if (cycle === 0) called[callee] = 1;
    else if (of[caller] !== cycle) cycleCalled[cycle] = 1;
  }
  const out: number[] = [];
  const best = new Int32Array(count + 1).fill(-1);
  for (let r = 0; r < routines; r++) {
    const cycle = of[r];
    if (cycle === 0) {
      if (!called[r]) out.push(r);
    } else if (!cycleCalled[cycle]) {
      const b = best[cycle];
      if (b < 0 || eventValue(event, totals.inclusive, r) > eventValue(event, totals.inclusive, b)) best[cycle] = r;
    }
  }
  for (let c = 1; c <= count; c++) if (best[c] >= 0) out.push(best[c]);
  return out;
}

/** True if a node has or may have children. */
function canUnfold(edges: Edges, inverted: boolean, node: TreeNode): boolean {
  if (node.recursive) return false;
  if (inverted) return edges.into.from[node.routine + 1] > edges.into.from[node.routine];
  return edges.from[node.routine + 1] > edges.from[node.routine];
}

function unfold(tree: Tree, graph: Graph, node: TreeNode): number[] {
  const { edges, totals, columns } = graph;
  const r = node.routine;
  const rows: number[] = [];
  if (tree.inverted) for (let k = edges.into.from[r]; k < edges.into.from[r + 1]; k++) rows.push(edges.into.order[k]);
  else for (let e = edges.from[r]; e < edges.from[r + 1]; e++) rows.push(e);
  const others = rows.filter((e) => edges.caller[e] !== edges.callee[e]);
  // What the node's cost is a share of.
  const whole = new Float64Array(columns);
  for (let c = 0; c < columns; c++) {
    whole[c] = tree.inverted ? 0 : totals.self[c][r];
    for (const e of others) whole[c] += edges.costs[c][e];
  }
  const share = whole.map((w, c) => (w === 0 ? 0 : node.inclusive[c] / w));
  // If all of the routine's cost came by this one path, through exact nodes, the edge's own numbers hold.
  const exact = !node.estimated && (tree.inverted ? others.length <= 1 : share.every((s, c) => s === 1 || whole[c] === 0));
  return others.map((e) => {
    const routine = tree.inverted ? edges.caller[e] : edges.callee[e];
    const inclusive = Float64Array.from(share, (s, c) => s * edges.costs[c][e]);
    const recursive = isAbove(tree, node, routine);
    const own = tree.inverted ? { self: inclusive, whole: exact } : selfShare(graph, routine, inclusive, recursive);
    const calls = exact && !tree.inverted ? edges.count[e] : -1;
    const estimated = !exact;
    return addNode(tree, node, {
      routine,
      calls,
      inclusive,
      self: own.self,
      estimated,
      selfEstimated: estimated || !own.whole,
      recursive,
    });
  });
}

/** The routine's own part of a cost; `whole` is true if no share had to be guessed. */
function selfShare(
  { edges, totals }: Graph,
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
