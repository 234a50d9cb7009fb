// The calling-context tree, unfolded from the call graph as it is opened. A call graph cannot say how much of a callee's
// cost belongs to which of the ways that lead to its caller; a node gets its edge's share:
//   cost(child) = cost(node) * cost(edge) / (self(routine) + sum of its edges to other routines)
// which is exact only as long as there was one way (the share is 1): all other nodes are marked as estimates. The inverted
// tree takes the callers' shares of the calls into a routine the same way. A routine that is already above itself ends the
// branch: its cost is counted there.
import { eventValue } from '../model/event-value.ts';
import type { Event } from '../model/profile.ts';
import type { Analysis } from './analysis.ts';

export interface TreeNode {
  readonly id: number;
  readonly parent: number;
  readonly depth: number;
  readonly routine: number;
  /** Calls on this way; unknown (-1) where it is an estimate. */
  readonly calls: number;
  /** By raw column. Top-down: inclusive and self. Inverted: the part of the root's self cost that came this way, twice. */
  readonly inclusive: Float64Array;
  readonly self: Float64Array;
  readonly estimated: boolean;
  /** Self of a routine that is reached in several ways is an estimate even where the edge's cost is exact. */
  readonly selfEstimated: boolean;
  /** The routine is above itself: not unfolded further. */
  readonly recursive: boolean;
}

export interface Tree {
  readonly analysis: Analysis;
  readonly inverted: boolean;
  /** Nodes in order of their making; a node's number is its place. */
  readonly nodes: TreeNode[];
  readonly roots: readonly number[];
  /** Roots beyond the most expensive ones, which nobody would scroll to. */
  readonly rootsLeftOut: number;
  readonly childrenOf: Map<number, readonly number[]>;
}

const MOST_ROOTS = 10_000;

/**
 * Top-down, the roots are the routines that nobody calls, and the most expensive member of each cycle that nobody calls
 * from outside; inverted, all routines with self cost. Sorted by the event.
 */
export function openTree(analysis: Analysis, inverted: boolean, event: Event): Tree {
  const tree: Tree = { analysis, inverted, nodes: [], roots: [], rootsLeftOut: 0, childrenOf: new Map() };
  const { totals, profile } = analysis;
  const routines = profile.routines.name.length;
  const keys: number[] = [];
  if (inverted) {
    for (let r = 0; r < routines; r++) if (totals.self.some((c) => c[r] !== 0)) keys.push(r);
  } else keys.push(...topRoutines(analysis, event));
  const costs = inverted ? totals.self : totals.inclusive;
  const value = new Float64Array(routines);
  for (const r of keys) value[r] = eventValue(event, costs, r);
  keys.sort((a, b) => value[b]! - value[a]!);
  const roots = keys.slice(0, MOST_ROOTS).map((r) => {
    const cycle = totals.cycles.of[r]!;
    if (inverted || cycle === 0) {
      const inclusive = Float64Array.from(costs, (c) => c[r]!);
      return addNode(
        tree,
        -1,
        0,
        r,
        totals.calls[r]!,
        inclusive,
        Float64Array.from(totals.self, (c) => c[r]!),
        false,
        false,
        false,
      );
    }
    // A cycle that nobody calls starts at one of its members: all of its cost is below that one.
    const inclusive = Float64Array.from(totals.cycleInclusive, (c) => c[cycle]!);
    return addNode(tree, -1, 0, r, totals.calls[r]!, inclusive, selfShare(tree, r, inclusive, false).self, true, true, false);
  });
  return { ...tree, roots, rootsLeftOut: Math.max(0, keys.length - MOST_ROOTS) };
}

function topRoutines(analysis: Analysis, event: Event): number[] {
  const { totals, edges, profile } = analysis;
  const { of, count } = totals.cycles;
  const routines = profile.routines.name.length;
  const called = new Uint8Array(routines);
  const cycleCalled = new Uint8Array(count + 1);
  for (let e = 0; e < edges.caller.length; e++) {
    const caller = edges.caller[e]!;
    const callee = edges.callee[e]!;
    if (caller === callee) continue;
    const cycle = of[callee]!;
    if (cycle === 0) called[callee] = 1;
    else if (of[caller] !== cycle) cycleCalled[cycle] = 1;
  }
  const out: number[] = [];
  const best = new Int32Array(count + 1).fill(-1);
  for (let r = 0; r < routines; r++) {
    const cycle = of[r]!;
    if (cycle === 0) {
      if (!called[r]) out.push(r);
    } else if (!cycleCalled[cycle]) {
      const b = best[cycle]!;
      if (b < 0 || eventValue(event, totals.inclusive, r) > eventValue(event, totals.inclusive, b)) best[cycle] = r;
    }
  }
  for (let c = 1; c <= count; c++) if (best[c]! >= 0) out.push(best[c]!);
  return out;
}

function addNode(
  tree: Tree,
  parent: number,
  depth: number,
  routine: number,
  calls: number,
  inclusive: Float64Array,
  self: Float64Array,
  estimated: boolean,
  selfEstimated: boolean,
  recursive: boolean,
): number {
  const id = tree.nodes.length;
  tree.nodes.push({ id, parent, depth, routine, calls, inclusive, self, estimated, selfEstimated, recursive });
  return id;
}

/** Children of a node, made on first use, by the event's cost. */
export function childrenOf(tree: Tree, id: number, event: Event): readonly number[] {
  const known = tree.childrenOf.get(id);
  if (known) return known;
  const node = tree.nodes[id]!;
  const made = node.recursive ? [] : unfold(tree, node);
  made.sort((a, b) => nodeValue(event, tree.nodes[b]!) - nodeValue(event, tree.nodes[a]!));
  tree.childrenOf.set(id, made);
  return made;
}

/** True where a node has children or may have. */
export function canUnfold(tree: Tree, id: number): boolean {
  const node = tree.nodes[id]!;
  if (node.recursive) return false;
  const { edges } = tree.analysis;
  if (tree.inverted) return edges.into.from[node.routine + 1]! > edges.into.from[node.routine]!;
  return edges.from[node.routine + 1]! > edges.from[node.routine]!;
}

function unfold(tree: Tree, node: TreeNode): number[] {
  const { edges, totals, profile } = tree.analysis;
  const r = node.routine;
  const columns = profile.columns;
  const rows: number[] = [];
  if (tree.inverted) for (let k = edges.into.from[r]!; k < edges.into.from[r + 1]!; k++) rows.push(edges.into.order[k]!);
  else for (let e = edges.from[r]!; e < edges.from[r + 1]!; e++) rows.push(e);
  const others = rows.filter((e) => edges.caller[e] !== edges.callee[e]);
  // What the node's cost is divided over.
  const whole = new Float64Array(columns);
  for (let c = 0; c < columns; c++) {
    whole[c] = tree.inverted ? 0 : totals.self[c]![r]!;
    for (const e of others) whole[c]! += edges.costs[c]![e]!;
  }
  const share = whole.map((w, c) => (w === 0 ? 0 : node.inclusive[c]! / w));
  // The only way here, from nodes that are exact, and nothing of its cost elsewhere: then the edge's own numbers hold.
  const exact = !node.estimated && (tree.inverted ? others.length <= 1 : share.every((s, c) => s === 1 || whole[c] === 0));
  return others.map((e) => {
    const routine = tree.inverted ? edges.caller[e]! : edges.callee[e]!;
    const inclusive = Float64Array.from(share, (s, c) => s * edges.costs[c]![e]!);
    const recursive = isAbove(tree, node, routine);
    const own = tree.inverted ? { self: inclusive, whole: exact } : selfShare(tree, routine, inclusive, recursive);
    const calls = exact && !tree.inverted ? edges.count[e]! : -1;
    return addNode(tree, node.id, node.depth + 1, routine, calls, inclusive, own.self, !exact, !exact || !own.whole, recursive);
  });
}

/** The part of a cost that is the routine's own; `whole` where that is all of it, so that no share was guessed. */
function selfShare(
  tree: Tree,
  routine: number,
  inclusive: Float64Array,
  recursive: boolean,
): { self: Float64Array; whole: boolean } {
  const { edges, totals } = tree.analysis;
  if (recursive) return { self: new Float64Array(inclusive.length), whole: true };
  let all = true;
  const self = inclusive.map((cost, c) => {
    let whole = totals.self[c]![routine]!;
    for (let e = edges.from[routine]!; e < edges.from[routine + 1]!; e++)
      if (edges.callee[e] !== routine) whole += edges.costs[c]![e]!;
    if (whole === cost) return totals.self[c]![routine]!;
    if (totals.self[c]![routine] !== whole) all = false;
    return whole === 0 ? 0 : (cost * totals.self[c]![routine]!) / whole;
  });
  return { self, whole: all };
}

function isAbove(tree: Tree, node: TreeNode, routine: number): boolean {
  for (let at: TreeNode | undefined = node; at; at = tree.nodes[at.parent]) if (at.routine === routine) return true;
  return false;
}

/** Inclusive cost of a node in an event. */
export function nodeValue(event: Event, node: TreeNode): number {
  return termsValue(event, node.inclusive);
}

export function nodeSelf(event: Event, node: TreeNode): number {
  return termsValue(event, node.self);
}

/** The value of an event in costs by raw column. */
export function termsValue(event: Event, costs: Float64Array): number {
  let value = 0;
  for (const [factor, column] of event.terms) value += factor * costs[column]!;
  if (!event.per) return value;
  let below = 0;
  for (const [factor, column] of event.per) below += factor * costs[column]!;
  return below === 0 ? 0 : value / below;
}
