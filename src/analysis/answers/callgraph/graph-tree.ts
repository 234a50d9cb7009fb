// The calling-context tree of a call graph, unfolded on demand from the flow (flow.ts). Call graphs do not record paths.
// So it is unknown how much of a callee's cost belongs to each path. A node gets the share of its edge:
//   cost(child) = cost(node) * cost(edge) / into(routine), self(node) = cost(node) * self(routine) / into(routine)
// This is exact only if there is a single path (the share is 1). All other nodes are marked as estimates.
// The inverted tree splits a routine's cost among its callers in the same way. Cost without a caller stays with the routine.
// Calls of a routine to itself stay in its node. Other recursions are unfolded until their cost is negligible.
import { type CostTable, type Event, eventValue } from '../../../model/head.ts';
import { calleeEdges, callerEdges } from '../edges.ts';
import { orderByNumber } from '../order.ts';
import { addNode, isOnPath, type Tree, type TreeNode, type TreeRoots, type TreeSource } from '../tree.ts';
import type { CostFlow } from './flow.ts';
import type { FlowGraph } from './shares.ts';

/** The minimum share of the total for a recursion to be unfolded, because it would never end otherwise. */
const MIN_RECURSION_SHARE = 1e-5;

export function graphTree(graph: FlowGraph, inverted: boolean): TreeSource {
  return {
    exact: false,
    roots: (tree, event, most) => (inverted ? routineRoots(tree, graph, event, most) : startRoots(tree, graph, event, most)),
    canUnfold: (tree, node) => canUnfold(graph, inverted, tree, node),
    unfold: (tree, node) => (inverted ? unfoldCallers(tree, graph.flow, node) : unfoldCallees(tree, graph, node)),
  };
}

/**
 * The callees of a routine, or of all nodes of one, or its callers, from its inclusive cost: what its callers paid for, and what started in
 * it. `below`: by raw column, the share of each routine's cost that arrives through one of them. Of a recursion, the outermost call counts,
 * so what lies below them is no caller. `alone`: none of them is above another, or above itself.
 */
export function graphTreeOfRoutines(
  graph: FlowGraph,
  routines: readonly number[],
  alone: boolean,
  below: () => readonly Float64Array[],
  inverted: boolean,
): TreeSource {
  const { totals } = graph;
  let known: CostFlow | undefined;
  const outer = () => (known ??= alone ? graph.flow : flowOutside(graph, routines, below()));
  return {
    ...graphTree(graph, inverted),
    roots(tree) {
      const shown = routines.map((routine) => {
        const inclusive = costsAtRow(routines.length === 1 ? totals.inclusive : outer().into, routine);
        const estimated = totals.estimated?.inclusive[routine] === 1 || (routines.length > 1 && !alone);
        const self = inverted ? { self: inclusive, selfEstimated: estimated } : selfShare(graph, routine, inclusive, estimated);
        return addNode(tree, undefined, { routine, calls: totals.calls[routine], inclusive, estimated, ...self });
      });
      return { shown, leftOut: 0 };
    },
    unfold: (tree, node) => (inverted ? unfoldCallers(tree, outer(), node) : unfoldCallees(tree, graph, node)),
  };
}

/** The flow without the cost that passes through some routines. */
function flowOutside({ flow, recursion }: FlowGraph, routines: readonly number[], below: readonly Float64Array[]): CostFlow {
  const { caller, callee } = flow.edges;
  const whole = routines.length === 1 && recursion.once[routines[0]] === 1;
  const costs = flow.edges.costs.map((column, c) =>
    column.map((cost, e) => (whole && callee[e] === routines[0] ? cost : cost * (1 - below[c][caller[e]]))),
  );
  const into = flow.rest.map((column) => column.slice());
  for (const [c, column] of costs.entries())
    for (let e = 0; e < column.length; e++) if (caller[e] !== callee[e]) into[c][callee[e]] += column[e];
  return { ...flow, edges: { ...flow.edges, costs }, into };
}

export const costsAtRow = (columns: readonly Float64Array[], row: number) => Float64Array.from(columns, (c) => c[row]);

/** The costliest of some routines as roots. `add`: adds the node of one. */
function rootsOf(routines: readonly number[], event: Event, costs: CostTable, most: number, add: (routine: number) => number) {
  const values = Float64Array.from(routines, (r) => eventValue(event, costs, r));
  const shown = Array.from(orderByNumber(values, true).subarray(0, most), (k) => add(routines[k]));
  return { shown, leftOut: Math.max(0, routines.length - most) };
}

/** The roots of the inverted tree: all routines with self cost. */
function routineRoots(tree: Tree, { totals }: FlowGraph, event: Event, most: number): TreeRoots {
  const all: number[] = [];
  for (let r = 0; r < totals.calls.length; r++) if (totals.self.some((c) => c[r] !== 0)) all.push(r);
  return rootsOf(all, event, totals.self, most, (routine) => {
    const self = costsAtRow(totals.self, routine);
    const estimated = totals.selfEstimated?.[routine] === 1;
    const calls = totals.calls[routine];
    return addNode(tree, undefined, { routine, calls, inclusive: self, self, estimated, selfEstimated: estimated });
  });
}

/** The roots of the top-down tree: routines where cost starts without a caller. Together they equal the profile's total. */
function startRoots(tree: Tree, graph: FlowGraph, event: Event, most: number): TreeRoots {
  const { flow, totals } = graph;
  return rootsOf(flow.starts, event, flow.rest, most, (routine) => {
    const inclusive = costsAtRow(flow.rest, routine);
    const scaled = flow.scaled[routine] === 1;
    // The number of calls from outside the graph is not recorded.
    const calls = callerEdges(flow.edges, routine).length > 0 ? -1 : totals.calls[routine];
    const estimated = scaled || (totals.estimated?.inclusive[routine] === 1 && totals.cycles.of[routine] === 0);
    return addNode(tree, undefined, { routine, calls, inclusive, estimated, ...selfShare(graph, routine, inclusive, scaled) });
  });
}

function canUnfold({ flow: { edges }, totals }: FlowGraph, inverted: boolean, { nodes }: Tree, node: TreeNode): boolean {
  if (node.recursive) {
    let outer = nodes[node.parent];
    while (outer.routine !== node.routine) outer = nodes[outer.parent];
    // A circle that nothing enters and that costs nothing itself passes on all that it gets.
    const isAllOf = (cost: number, c: number) => Math.abs(cost) >= (1 - 1e-9) * Math.abs(outer.inclusive[c]);
    const isNegligible = (cost: number, c: number) => Math.abs(cost) <= MIN_RECURSION_SHARE * Math.abs(totals.total[c][0]);
    if (node.inclusive.every((cost, c) => isNegligible(cost, c) || isAllOf(cost, c))) return false;
  }
  return (inverted ? callerEdges : calleeEdges)(edges, node.routine).length > 0;
}

function unfoldCallees(tree: Tree, graph: FlowGraph, node: TreeNode): number[] {
  const { flow } = graph;
  const { edges } = flow;
  const r = node.routine;
  const into = costsAtRow(flow.into, r);
  // If all of the routine's cost arrives by this path, the edge's own numbers hold. After transforms, they may be estimates.
  const held = !node.estimated || flow.scaled[r] === 0;
  const single = held && into.every((all, c) => all === node.inclusive[c] || all === 0);
  return calleeEdges(edges, r).map((e) => {
    const routine = edges.callee[e];
    const estimated = !single || flow.scaledEdge[e] === 1 || edges.estimated?.[e] === 1;
    const inclusive = Float64Array.from(into, (all, c) => {
      const cost = edges.costs[c][e];
      return single ? cost : all === 0 ? 0 : (node.inclusive[c] * cost) / all;
    });
    const calls = single ? edges.count[e] : -1;
    const recursive = isOnPath(tree, node, routine);
    const child = { routine, calls, inclusive, estimated, recursive, ...selfShare(graph, routine, inclusive, estimated) };
    return addNode(tree, node, child);
  });
}

function unfoldCallers(tree: Tree, { edges, into, rest }: CostFlow, node: TreeNode): number[] {
  const r = node.routine;
  const own = callerEdges(edges, r).filter((e) => edges.costs.some((column) => column[e] !== 0));
  // Cost that starts in the routine has no caller.
  const single = !node.estimated && own.length === 1 && rest.every((column) => column[r] === 0);
  return own.map((e) => {
    const routine = edges.caller[e];
    const inclusive = single
      ? node.inclusive
      : node.inclusive.map((cost, c) => (into[c][r] === 0 ? 0 : (cost * edges.costs[c][e]) / into[c][r]));
    const estimated = !single || edges.estimated?.[e] === 1;
    const recursive = isOnPath(tree, node, routine);
    const costs = { inclusive, self: inclusive, estimated, selfEstimated: estimated };
    return addNode(tree, node, { routine, calls: -1, ...costs, recursive });
  });
}

/**
 * The routine's self cost within the cost that arrives by a path. Exact if all of the cost arrives, or if all of it is self
 * cost.
 */
function selfShare({ flow, totals }: FlowGraph, routine: number, inclusive: Float64Array, estimated: boolean) {
  let known = true;
  const self = inclusive.map((cost, c) => {
    const [own, all] = [totals.self[c][routine], flow.into[c][routine]];
    if (all === cost) return own;
    if (own !== 0 && own !== all) known = false;
    return all === 0 ? 0 : (cost * own) / all;
  });
  return { self, selfEstimated: estimated || !known || totals.selfEstimated?.[routine] === 1 };
}
