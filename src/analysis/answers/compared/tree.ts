// Merges the calling-context trees of two runs: nodes with the same path become one.
// Each run's tree unfolds separately, so shares are estimated within a run before they are compared.
import { pairByKey } from '../../../base/lists.ts';
import type { Event } from '../../../model/head.ts';
import { addNode, canUnfold, openTree, sortByCost, type Tree, type TreeNode, type TreeSource } from '../tree.ts';
import { eventInEachRun } from './events.ts';
import type { CostingPair } from './merge.ts';

export function comparedTree(now: TreeSource, before: TreeSource, inverted: boolean, { join, sides }: CostingPair): TreeSource {
  /** The trees of both runs, once they are open. */
  let trees: readonly Tree[] = [];
  /** By node: its nodes in both trees; undefined if a run lacks the node. */
  const innerOf: (readonly (TreeNode | undefined)[])[] = [];
  /** The costs of a node in the columns of both runs, and the base's calls. */
  const joinCosts = (ours: Float64Array | undefined, theirs: Float64Array | undefined, calls: number): Float64Array => {
    const out = new Float64Array(join.callsBefore + 1);
    if (ours) out.set(ours);
    if (theirs) out.set(theirs, join.callsBefore - theirs.length);
    out[join.callsBefore] = calls;
    return out;
  };
  const add = (tree: Tree, parent: TreeNode | undefined, a: TreeNode | undefined, b: TreeNode | undefined): number => {
    const either = a ?? b;
    if (!either) throw new Error('a node of neither run');
    const id = addNode(tree, parent, {
      routine: either.routine,
      calls: a ? a.calls : 0,
      inclusive: joinCosts(a?.inclusive, b?.inclusive, b?.calls ?? 0),
      self: joinCosts(a?.self, b?.self, 0),
      estimated: either.estimated,
      selfEstimated: either.selfEstimated,
      ...(b ? { before: { estimated: b.estimated, selfEstimated: b.selfEstimated } } : {}),
      recursive: either.recursive,
      ...(a?.context === undefined ? {} : { context: a.context }),
      ...(either.inlined ? { inlined: true } : {}),
      sides: a && b ? 3 : a ? 1 : 2,
      ...(inverted && parent ? { top: parent.top ?? parent } : {}),
    });
    innerOf[id] = [a, b];
    return id;
  };
  const pairs = (tree: Tree, parent: TreeNode | undefined, idsOf: (of: Tree, side: number) => readonly number[]): number[] => {
    const [ours, theirs] = trees.map((of, side) => idsOf(of, side).map((id) => of.nodes[id]));
    const paired = pairByKey(ours, theirs, (node) => node.routine);
    const counterparts = new Map(paired.pairs);
    const ids = ours.map((node) => add(tree, parent, node, counterparts.get(node)));
    return [...ids, ...paired.left.map((node) => add(tree, parent, undefined, node))];
  };
  return {
    exact: now.exact && before.exact,
    roots(tree, event: Event, most) {
      const events = eventInEachRun(event);
      trees = [now, before].map((source, side) => openTree(source, inverted, events[side]));
      // A routine that a run lacks is not a root of that run.
      const ofRun = (of: Tree, side: number) => of.roots.filter((id) => sides[of.nodes[id].routine] & (side + 1));
      const roots = sortByCost(tree, pairs(tree, undefined, ofRun), event);
      const leftOut = Math.max(...trees.map((of) => of.rootsLeftOut), roots.length - most);
      return { shown: roots.slice(0, most), leftOut: Math.max(0, leftOut) };
    },
    canUnfold: (_, { id }) => innerOf[id].some((node, side) => node && canUnfold(trees[side], node.id)),
    unfold: (tree, parent) =>
      pairs(tree, parent, (of, side) => {
        const node = innerOf[parent.id][side];
        return node && canUnfold(of, node.id) ? of.source.unfold(of, node) : [];
      }),
  };
}
