// The calling-context tree, top-down or inverted, unfolded as it is opened: from sampled stacks or recorded contexts, exact;
// else from the call graph, with shares that may be estimates.
import type { Event } from '../model/head.ts';

export interface Roots {
  readonly shown: readonly number[];
  readonly leftOut: number;
}

/** Where a tree's nodes come from. They are made with addNode(). */
export interface TreeSource {
  /** No cost of it is a guess. */
  readonly exact: boolean;
  /** The roots, the most expensive first, `most` of them. */
  roots(tree: Tree, event: Event, most: number): Roots;
  canUnfold(tree: Tree, node: TreeNode): boolean;
  unfold(tree: Tree, node: TreeNode): number[];
}

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
  /** The calling context that it is, where the profile has them. */
  readonly context?: number;
  /** The routine is above itself: not unfolded further. */
  readonly recursive: boolean;
}

export interface Tree {
  readonly inverted: boolean;
  /** Nodes in order of their making; a node's number is its place. */
  readonly nodes: TreeNode[];
  readonly source: TreeSource;
  readonly roots: readonly number[];
  /** Roots beyond the most expensive ones, which nobody would scroll to. */
  readonly rootsLeftOut: number;
  readonly childrenOf: Map<number, readonly number[]>;
}

const MOST_ROOTS = 10_000;

export function openTree(source: TreeSource, inverted: boolean, event: Event): Tree {
  const tree: Tree = { inverted, source, nodes: [], roots: [], rootsLeftOut: 0, childrenOf: new Map() };
  const { shown, leftOut } = source.roots(tree, event, MOST_ROOTS);
  return { ...tree, roots: shown, rootsLeftOut: leftOut };
}

type NewNode = Pick<TreeNode, 'routine' | 'calls' | 'inclusive' | 'self'> &
  Partial<Pick<TreeNode, 'estimated' | 'selfEstimated' | 'recursive' | 'context'>>;

/** Adds a node below a parent, or a root; its number. */
export function addNode(tree: Tree, parent: TreeNode | undefined, node: NewNode): number {
  const id = tree.nodes.length;
  const place = { id, parent: parent?.id ?? -1, depth: parent ? parent.depth + 1 : 0 };
  tree.nodes.push({ estimated: false, selfEstimated: false, recursive: false, ...place, ...node });
  return id;
}

/** Children of a node, made on first use, by the event's cost. */
export function childrenOf(tree: Tree, id: number, event: Event): readonly number[] {
  const known = tree.childrenOf.get(id);
  if (known) return known;
  const node = tree.nodes[id];
  const made = node.recursive ? [] : tree.source.unfold(tree, node);
  made.sort((a, b) => nodeValue(event, tree.nodes[b]) - nodeValue(event, tree.nodes[a]));
  tree.childrenOf.set(id, made);
  return made;
}

/** True where a node has children or may have. */
export function canUnfold(tree: Tree, id: number): boolean {
  return tree.source.canUnfold(tree, tree.nodes[id]);
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
  for (const [factor, column] of event.terms) value += factor * costs[column];
  if (!event.per) return value;
  let below = 0;
  for (const [factor, column] of event.per) below += factor * costs[column];
  return below === 0 ? 0 : value / below;
}
