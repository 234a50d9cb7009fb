// The calling-context tree, top-down or inverted, unfolded on demand: exact from sampled stacks or recorded contexts, else
// from the call graph, with shares that may be estimates.
import { getOrMake } from '../../base/lists.ts';
import type { Exact } from '../../base/units.ts';
import { divisorTerms, type Event, exactValue, withCalls } from '../../model/head.ts';

export interface TreeRoots {
  readonly shown: readonly number[];
  readonly leftOut: number;
}

/** Creates the nodes of a tree with addNode(). */
export interface TreeSource {
  /** True if no cost is an estimate. */
  readonly exact: boolean;
  /** The roots, the most expensive first, `most` of them. */
  roots(tree: Tree, event: Event, most: number): TreeRoots;
  canUnfold(tree: Tree, node: TreeNode): boolean;
  unfold(tree: Tree, node: TreeNode): number[];
}

export interface TreeNode extends Readonly<Record<'id' | 'parent' | 'depth' | 'routine', number>> {
  /** Calls along this path; -1 if unknown, as for estimates. */
  readonly calls: number;
  /** By raw column. Top-down: inclusive and self. Inverted: both are the part of the root's self cost that came by this path. */
  readonly inclusive: Float64Array;
  readonly self: Float64Array;
  readonly estimated: boolean;
  /** The self cost of a routine reached by several paths is an estimate even if the edge's cost is exact. */
  readonly selfEstimated: boolean;
  /** The node's calling context, if the profile records them. */
  readonly context?: number;
  /** The routine is inlined in all stacks of the node. */
  readonly inlined?: boolean;
  /** The routine is already among the node's ancestors. */
  readonly recursive: boolean;
  /** With two runs side by side: 1 if this run has it, 2 if the base has it, 3 if both have. */
  readonly sides?: number;
  /** The estimated part of the base's costs. */
  readonly before?: { readonly estimated: boolean; readonly selfEstimated: boolean };
  /** With two runs in an inverted tree: the root that the node is below. */
  readonly top?: TreeNode;
}

export interface Tree {
  readonly inverted: boolean;
  /** Nodes in order of creation; a node's id is its index. */
  readonly nodes: TreeNode[];
  readonly source: TreeSource;
  readonly roots: readonly number[];
  /** The number of roots beyond the shown ones. */
  readonly rootsLeftOut: number;
  readonly childrenOf: Map<number, readonly number[]>;
}

const MAX_ROOTS = 10_000;

/** Opens a tree. `most`: the number of roots, the most expensive first. */
export function openTree(source: TreeSource, inverted: boolean, event: Event, most = MAX_ROOTS): Tree {
  const tree: Tree = { inverted, source, nodes: [], roots: [], rootsLeftOut: 0, childrenOf: new Map() };
  const { shown, leftOut } = source.roots(tree, event, most);
  return { ...tree, roots: shown, rootsLeftOut: leftOut };
}

type NewNode = Pick<TreeNode, 'routine' | 'calls' | 'inclusive' | 'self'> &
  Partial<Pick<TreeNode, 'estimated' | 'selfEstimated' | 'recursive' | 'context' | 'inlined' | 'sides' | 'before' | 'top'>>;

/** Adds a node below a parent, or a root; returns its id. */
export function addNode(tree: Tree, parent: TreeNode | undefined, node: NewNode): number {
  const id = tree.nodes.length;
  const position = { id, parent: parent?.id ?? -1, depth: parent ? parent.depth + 1 : 0 };
  tree.nodes.push({ estimated: false, selfEstimated: false, recursive: false, ...position, ...node });
  return id;
}

/** Whether a routine occurs in a node or its ancestors. */
export function isOnPath(tree: Tree, node: TreeNode | undefined, routine: number): boolean {
  for (let at = node; at; at = tree.nodes[at.parent]) if (at.routine === routine) return true;
  return false;
}

/** The routines from the root to a node; [] for a negative one. */
export function routinePathOf({ nodes }: Pick<Tree, 'nodes'>, node: number): number[] {
  const path: number[] = [];
  for (let id = node; id >= 0; id = nodes[id].parent) path.push(nodes[id].routine);
  return path.reverse();
}

/** Children of a node, created on first use: most expensive first; with two runs, most changed first. */
export const childrenOf = (tree: Tree, id: number, event: Event): readonly number[] =>
  getOrMake(tree.childrenOf, id, () => sortByCost(tree, tree.source.unfold(tree, tree.nodes[id]), event));

/** For a change in percent, the change itself: that of one sample may be 100 %. Other events as they are. */
export function changeOf(event: Event): Event {
  if (event.measure !== 'percent') return event;
  const { per, ...change } = event;
  return change;
}

/** Sorts nodes by the size of their cost or change, the largest first. */
export function sortByCost(tree: Tree, ids: number[], event: Event): readonly number[] {
  const by = changeOf(event);
  const size = (id: number) => Math.abs(nodeValue(by, tree.nodes[id]));
  return ids.sort((a, b) => size(b) - size(a));
}

/** True if a node has or may have children. */
export const canUnfold = (tree: Tree, id: number): boolean => tree.source.canUnfold(tree, tree.nodes[id]);

/** The sum of the shown roots, as a share of the profile's total: 1 if none is missing. */
export function rootsShare(tree: Tree, event: Event, total: number): number {
  if (event.per || total === 0) return 1;
  return tree.roots.reduce((sum, id) => sum + nodeValue(event, tree.nodes[id]), 0) / total;
}

export const nodeValue = (event: Event, node: TreeNode): number => termsValue(event, node.inclusive, node.calls);

export const nodeSelf = (event: Event, node: TreeNode): number => termsValue(event, node.self, node.calls);

/** The value of an event in costs by raw column; 0 for a ratio with divisor 0. `calls` below 0 are unknown. */
export function termsValue(event: Event, costs: Float64Array, calls = 0): number {
  let value = 0;
  for (const [factor, column] of event.terms) value += factor * costs[column];
  if (!event.per) return value;
  let below = event.per === 'calls' ? Math.max(calls, 0) : 0;
  for (const [factor, column] of divisorTerms(event)) below += factor * costs[column];
  if (below !== 0) return value / below;
  // As in eventValue(): a change from 0 is infinite.
  return event.measure === 'percent' && value !== 0 ? value * Number.POSITIVE_INFINITY : 0;
}

/** The value of an event as tables have it: a bigint beyond 2^53, except for estimates; NaN for a ratio with divisor 0. */
export function exactTerms(event: Event, costs: Float64Array, calls: number): Exact {
  if (!event.exact && !event.per) return termsValue(event, costs);
  const columns = Array.from(costs, (cost) => [cost]);
  return exactValue(event, withCalls(columns, [Math.max(calls, 0)]), 0);
}
