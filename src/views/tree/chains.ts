// Chains of the Tree view: nodes without branches, one below another, are one row until the user takes them apart.
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

/** Nodes of one row, at most. */
export const MOST_JOINED = 1000;

/** The share of its cost that a node may have for itself and still be joined with the only node below it: what calls functions costs a little. */
const LITTLE = 0.002;

/** Differences of costs below this share come from rounding. */
const NOISE = 1e-9;

/** The settings that decide which nodes are joined. */
export interface Joining {
  readonly tree: Tree;
  /** Nodes that are not joined with their only child, though they could be. */
  readonly apart: ReadonlySet<number>;
  readonly filter: TreeFilter | undefined;
}

/**
 * The child that stands in the row of its parent: the only one, where hardly any cost ends at the parent. `known`: only of what has been unfolded.
 * A root of an inverted tree stands alone, since those rows are a list of routines; so does a recursive node, which has a mark.
 */
export function joinedTo({ tree, apart, filter }: Joining, id: number, event: Event, known = false): number | undefined {
  const node = tree.nodes[id];
  if (apart.has(id) || node.recursive || (tree.inverted && node.parent < 0)) return undefined;
  // A match of the filter is the last name of its row, which is not left out.
  if (filter?.hit[node.routine] === 1) return undefined;
  if (!tree.inverted && Math.abs(nodeSelf(event, node)) > LITTLE * Math.abs(nodeValue(event, node))) return undefined;
  if (!tree.childrenOf.has(id) && (filter || known || !canUnfold(tree, id))) return undefined;
  const only = onlyChild(tree, id, event);
  if (!only || only.recursive || only.sides !== node.sides || (tree.inverted && !costsTheSame(event, node, only)))
    return undefined;
  if (!filter) return only.id;
  const kept = childrenOf(tree, id, event).filter((child) => filter.kept.has(child));
  return kept.length === 1 && kept[0] === only.id ? only.id : undefined;
}

/** In a call graph, the only child that costs anything: calls there are those of all paths to their caller. */
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

/** True if all of a node's cost came through its caller: nothing starts in it. */
function costsTheSame({ terms, per = [] }: Event, node: TreeNode, caller: TreeNode): boolean {
  const same = ([, c]: readonly [number, number]) =>
    Math.abs(node.inclusive[c] - caller.inclusive[c]) <= NOISE * Math.abs(node.inclusive[c]);
  return terms.every(same) && per.every(same);
}

/** The nodes of a row, from its first one on. */
export function chainFrom(joining: Joining, head: number, event: Event, known = false): number[] {
  const chain = [head];
  for (let id: number | undefined = head; chain.length < MOST_JOINED; chain.push(id)) {
    id = joinedTo(joining, id, event, known);
    if (id === undefined) break;
  }
  return chain;
}

/** Without what keeps a node's neighbours in rows of their own. */
export function joinedAgain(joining: Joining, id: number, event: Event): Set<number> {
  const apart = new Set(joining.apart);
  const { nodes } = joining.tree;
  for (let n = nodes[id].parent; n >= 0 && apart.delete(n); n = nodes[n].parent);
  for (let n: number | undefined = id; n !== undefined && apart.delete(n); ) n = joinedTo({ ...joining, apart }, n, event, true);
  return apart;
}
