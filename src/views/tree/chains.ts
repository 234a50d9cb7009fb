// Chains of the Tree view: nodes with a single child each share one row, until the user splits it.
import { canUnfold, changeOf, childrenOf, nodeSelf, nodeValue, type Tree, type TreeNode } from '../../analysis/answers/tree.ts';
import { divisorTerms, type Event } from '../../model/head.ts';
import type { TreeFilter } from './places.ts';

export const MAX_MERGED_NODES = 1000;

/** Maximum self share of a node that is merged with its child: a function that only calls another has a small self cost. */
const MAX_MERGED_SELF_SHARE = 0.002;

/** Relative differences below this are rounding errors. */
const ROUNDING_SHARE = 1e-9;

/** The inputs that decide which nodes share a row. */
export interface ChainOptions {
  /** The tree that all numbers of nodes belong to. Each analysis and event has its own tree. */
  readonly tree: Tree;
  /** Nodes that do not share a row with their only child, because the user split them or a search found the child. */
  readonly apart: ReadonlySet<number>;
  readonly filter: TreeFilter | undefined;
}

/**
 * The child in the row of its parent: an only child whose parent has almost no self cost. `onlyUnfolded`: no node is unfolded to
 * find out. Roots of inverted trees (each is a routine) and recursive nodes (which have a mark) are never merged.
 */
export function mergedChild(options: ChainOptions, id: number, given: Event, onlyUnfolded = false): number | undefined {
  const event = changeOf(given);
  const { tree, apart, filter } = options;
  const node = tree.nodes[id];
  if (apart.has(id) || node.recursive || (tree.inverted && node.parent < 0)) return undefined;
  // A match of the filter must be the last node of its row, because the name of the last node is always shown.
  if (filter?.hit[node.routine] === 1) return undefined;
  if (!tree.inverted && Math.abs(nodeSelf(event, node)) > MAX_MERGED_SELF_SHARE * Math.abs(nodeValue(event, node)))
    return undefined;
  if (!tree.childrenOf.has(id) && (filter || onlyUnfolded || !canUnfold(tree, id))) return undefined;
  const only = onlyChild(tree, id, event);
  if (!only || only.recursive || only.sides !== node.sides || (tree.inverted && !isWholeCostOf(event, node, only)))
    return undefined;
  if (!filter) return only.id;
  const kept = childrenOf(tree, id, event).filter((child) => filter.kept.has(child));
  return kept.length === 1 && kept[0] === only.id ? only.id : undefined;
}

/** The only child of a node. In a call graph, children without cost do not count: callees come from all paths to the caller. */
function onlyChild(tree: Tree, id: number, event: Event): TreeNode | undefined {
  const children = childrenOf(tree, id, event);
  if (children.length === 1) return tree.nodes[children[0]];
  const columns = [...event.terms, ...divisorTerms(event)].map(([, column]) => column);
  const hasCost = (child: number) => columns.some((column) => tree.nodes[child].inclusive[column] !== 0);
  const first = tree.source.exact ? undefined : children.find(hasCost);
  return first !== undefined && first === children.findLast(hasCost) ? tree.nodes[first] : undefined;
}

/** Whether the complete cost of a node comes from this caller. */
function isWholeCostOf(event: Event, node: TreeNode, caller: TreeNode): boolean {
  const same = ([, c]: readonly [number, number]) =>
    Math.abs(node.inclusive[c] - caller.inclusive[c]) <= ROUNDING_SHARE * Math.abs(node.inclusive[c]);
  return event.terms.every(same) && divisorTerms(event).every(same) && event.per !== 'calls';
}

/** The nodes of the row that begins with node `head`. */
export function chainFrom(options: ChainOptions, head: number, event: Event, onlyUnfolded = false): number[] {
  const chain = [head];
  for (let id: number | undefined = head; chain.length < MAX_MERGED_NODES; chain.push(id)) {
    id = mergedChild(options, id, event, onlyUnfolded);
    if (id === undefined) break;
  }
  return chain;
}

/** The split nodes without those in the chain of this node, so that the chain is merged again. */
export function withoutSplitsAround(options: ChainOptions, id: number, event: Event): Set<number> {
  const apart = new Set(options.apart);
  const { nodes } = options.tree;
  for (let n = nodes[id].parent; n >= 0 && apart.delete(n); n = nodes[n].parent);
  for (let n: number | undefined = id; n !== undefined && apart.delete(n); )
    n = mergedChild({ ...options, apart }, n, event, true);
  return apart;
}
