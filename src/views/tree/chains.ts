// Chains of the Tree view: a sequence of nodes with a single child each is one row, until the user splits it.
import {
  canUnfold,
  childrenOf,
  costsNothing,
  nodeSelf,
  nodeValue,
  type Tree,
  type TreeNode,
} from '../../analysis/answers/tree.ts';
import type { Event } from '../../model/head.ts';
import type { TreeFilter } from './places.ts';

/** The largest number of nodes in one row. */
export const MOST_MERGED = 1000;

/** A node with a larger share of self cost is not merged with its child. Calling functions has a small cost. */
const MOST_SELF_SHARE = 0.002;

/** Relative differences below this are rounding errors. */
const ROUNDING_SHARE = 1e-9;

/** The inputs that decide which nodes share a row. */
export interface ChainOptions {
  readonly tree: Tree;
  /** Nodes that are split from their only child. */
  readonly apart: ReadonlySet<number>;
  readonly filter: TreeFilter | undefined;
}

/**
 * The child that shares the row of its parent: its only child, if the parent has almost no self cost. `onlyUnfolded`: does not
 * unfold nodes. Roots of inverted trees (a list of routines) and recursive nodes (they have a mark) are never merged.
 */
export function mergedChild(
  { tree, apart, filter }: ChainOptions,
  id: number,
  event: Event,
  onlyUnfolded = false,
): number | undefined {
  const node = tree.nodes[id];
  if (apart.has(id) || node.recursive || (tree.inverted && node.parent < 0)) return undefined;
  // A filter match ends its row, because the last name of a row is always shown.
  if (filter?.hit[node.routine] === 1) return undefined;
  if (!tree.inverted && Math.abs(nodeSelf(event, node)) > MOST_SELF_SHARE * Math.abs(nodeValue(event, node))) return undefined;
  if (!tree.childrenOf.has(id) && (filter || onlyUnfolded || !canUnfold(tree, id))) return undefined;
  const only = onlyChild(tree, id, event);
  if (!only || only.recursive || only.sides !== node.sides || (tree.inverted && !costsTheSame(event, node, only)))
    return undefined;
  if (!filter) return only.id;
  const kept = childrenOf(tree, id, event).filter((child) => filter.kept.has(child));
  return kept.length === 1 && kept[0] === only.id ? only.id : undefined;
}

/** The only child; in a call graph, the only child with a cost: its callees come from all paths to the caller. */
function onlyChild(tree: Tree, id: number, event: Event): TreeNode | undefined {
  const children = childrenOf(tree, id, event);
  if (children.length === 1) return tree.nodes[children[0]];
  if (tree.source.exact) return undefined;
  let only: TreeNode | undefined;
  for (const child of children) {
    if (costsNothing(event, tree.nodes[child].inclusive)) continue;
    if (only) return undefined;
    only = tree.nodes[child];
  }
  return only;
}

/** True if the whole cost of a node comes from this caller. */
function costsTheSame({ terms, per = [] }: Event, node: TreeNode, caller: TreeNode): boolean {
  const same = ([, c]: readonly [number, number]) =>
    Math.abs(node.inclusive[c] - caller.inclusive[c]) <= ROUNDING_SHARE * Math.abs(node.inclusive[c]);
  return terms.every(same) && per.every(same);
}

/** The nodes of the row that starts with `head`. */
export function chainFrom(options: ChainOptions, head: number, event: Event, onlyUnfolded = false): number[] {
  const chain = [head];
  for (let id: number | undefined = head; chain.length < MOST_MERGED; chain.push(id)) {
    id = mergedChild(options, id, event, onlyUnfolded);
    if (id === undefined) break;
  }
  return chain;
}

/** The split nodes, without those that separate this node from its ancestors and descendants. */
export function withoutSplitsAround(options: ChainOptions, id: number, event: Event): Set<number> {
  const apart = new Set(options.apart);
  const { nodes } = options.tree;
  for (let n = nodes[id].parent; n >= 0 && apart.delete(n); n = nodes[n].parent);
  for (let n: number | undefined = id; n !== undefined && apart.delete(n); )
    n = mergedChild({ ...options, apart }, n, event, true);
  return apart;
}
