// Merges several trees into one: each tree unfolds separately, and nodes of the same routine are summed.
// Threads and dumps do not call each other, so a path that is the only one in its part keeps its exact costs.
// If routines stand for several nodes of a graph, nodes of a routine with the same parent are also summed.
import { groupByKey } from '../../../base/lists.ts';
import { addNode, canUnfold, isOnPath, openTree, sortByCost, type Tree, type TreeNode, type TreeSource } from '../tree.ts';

interface SourceNode {
  readonly of: Tree;
  readonly node: TreeNode;
}

/** The routine shown for each node, and whether the node is inlined. */
export interface ShownRoutines {
  readonly routineOf: ArrayLike<number>;
  readonly inlined: (node: number) => boolean;
}

export function summedTree(sources: readonly TreeSource[], inverted: boolean, shown?: ShownRoutines): TreeSource {
  /** By node of the merged tree: its source nodes. */
  const innerOf: (readonly SourceNode[])[] = [];
  const nodesOf = (of: Tree, ids: readonly number[]) => ids.map((id): SourceNode => ({ of, node: of.nodes[id] }));
  const add = (tree: Tree, parent: TreeNode | undefined, found: readonly SourceNode[]): number[] => {
    const byRoutine = groupByKey(found, ({ node }) => shown?.routineOf[node.routine] ?? node.routine);
    return Array.from(byRoutine, ([routine, inner]) => {
      const sum = sumNodes(inner.map(({ node }) => node));
      const seen = sum.recursive || (shown !== undefined && isOnPath(tree, parent, routine));
      const isInlined = shown !== undefined && inner.every(({ node }) => shown.inlined(node.routine));
      const marks = isInlined ? { inlined: true, calls: -1 } : {};
      const id = addNode(tree, parent, { ...sum, routine, recursive: seen, ...marks });
      innerOf[id] = inner;
      return id;
    });
  };
  return {
    exact: sources.every(({ exact }) => exact),
    roots(tree, event, most) {
      const trees = sources.map((source) => openTree(source, inverted, event));
      const found = trees.flatMap((of) => nodesOf(of, of.roots));
      const roots = sortByCost(tree, add(tree, undefined, found), event);
      const leftOut = trees.reduce((sum, of) => sum + of.rootsLeftOut, Math.max(0, roots.length - most));
      return { shown: roots.slice(0, most), leftOut };
    },
    canUnfold: (_, { id }) => innerOf[id].some(({ of, node }) => canUnfold(of, node.id)),
    unfold(tree, parent) {
      const inner = innerOf[parent.id].filter(({ of, node }) => canUnfold(of, node.id));
      const below = inner.flatMap(({ of, node }) => nodesOf(of, of.source.unfold(of, node)));
      return add(tree, parent, below);
    },
  };
}

/** Sums nodes of one routine. The number of calls is known only if it is known for all nodes. */
function sumNodes(nodes: readonly TreeNode[]) {
  const sum = (of: (node: TreeNode) => Float64Array) =>
    of(nodes[0]).map((_, c) => nodes.reduce((all, node) => all + of(node)[c], 0));
  const some = (is: (node: TreeNode) => boolean) => nodes.some(is);
  return {
    calls: some(({ calls }) => calls < 0) ? -1 : nodes.reduce((all, { calls }) => all + calls, 0),
    inclusive: sum(({ inclusive }) => inclusive),
    self: sum(({ self }) => self),
    estimated: some(({ estimated }) => estimated),
    selfEstimated: some(({ selfEstimated }) => selfEstimated),
    recursive: some(({ recursive }) => recursive),
  };
}
