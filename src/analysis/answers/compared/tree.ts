// Merges the calling-context trees of two runs: nodes with the same path become one.
// Each run's tree unfolds separately, so shares are estimated within a run before they are compared.
import { pairByKey } from '../../../base/lists.ts';
import type { Event } from '../../../model/head.ts';
import { addNode, openTree, sortByCost, type Tree, type TreeNode, type TreeSource } from '../tree.ts';
import type { ComparedColumns } from './columns.ts';
import { eventInEachRun } from './events.ts';

export function comparedTree(
  now: TreeSource,
  before: TreeSource,
  inverted: boolean,
  join: ComparedColumns,
  sides: Uint8Array,
): TreeSource {
  const sources = [now, before] as const;
  let trees: readonly [Tree, Tree] | undefined;
  /** By node: the ids of its nodes in both trees; -1 if a run lacks the node. */
  const innerIds: (readonly [now: number, before: number])[] = [];
  const add = (tree: Tree, parent: TreeNode | undefined, a: TreeNode | undefined, b: TreeNode | undefined): number => {
    const either = a ?? b;
    if (!either) throw new Error('a node of neither run');
    const id = addNode(tree, parent, {
      routine: either.routine,
      calls: a ? a.calls : 0,
      inclusive: joinCosts(join, a?.inclusive, b?.inclusive, b?.calls ?? 0),
      self: joinCosts(join, a?.self, b?.self, 0),
      estimated: either.estimated,
      selfEstimated: either.selfEstimated,
      ...(b ? { before: { estimated: b.estimated, selfEstimated: b.selfEstimated } } : {}),
      recursive: either.recursive,
      ...(a?.context === undefined ? {} : { context: a.context }),
      ...(either.inlined ? { inlined: true } : {}),
      sides: a && b ? 3 : a ? 1 : 2,
      ...(inverted && parent ? { top: parent.top ?? parent } : {}),
    });
    innerIds[id] = [a?.id ?? -1, b?.id ?? -1];
    return id;
  };
  const pairs = (tree: Tree, parent: TreeNode | undefined, ids: readonly [readonly number[], readonly number[]]): number[] => {
    const [ours, theirs] = ids.map((list, side) => list.flatMap((id) => trees?.[side]?.nodes[id] ?? []));
    return pairedNodes(ours, theirs).map(([a, b]) => add(tree, parent, a, b));
  };
  const innerNodes = (node: TreeNode) => {
    const [a, b] = innerIds[node.id];
    return [trees && a >= 0 ? trees[0].nodes[a] : undefined, trees && b >= 0 ? trees[1].nodes[b] : undefined] as const;
  };
  return {
    exact: now.exact && before.exact,
    roots(tree, event: Event, most) {
      const [ofNow, ofBefore] = eventInEachRun(event);
      const opened = [openTree(now, inverted, ofNow), openTree(before, inverted, ofBefore)] as const;
      trees = opened;
      // A routine that a run lacks is not a root of that run.
      const [ours, theirs] = opened.map((of, side) => of.roots.filter((id) => sides[of.nodes[id].routine] & (side + 1)));
      const roots = sortByCost(tree, pairs(tree, undefined, [ours, theirs]), event);
      const leftOut = Math.max(opened[0].rootsLeftOut, opened[1].rootsLeftOut, roots.length - most);
      return { shown: roots.slice(0, most), leftOut: Math.max(0, leftOut) };
    },
    canUnfold: (_, node) =>
      innerNodes(node).some((n, side) => n !== undefined && trees !== undefined && sources[side].canUnfold(trees[side], n)),
    unfold(tree, node) {
      const [a, b] = innerNodes(node).map((n, side) =>
        n && trees && sources[side].canUnfold(trees[side], n) ? sources[side].unfold(trees[side], n) : [],
      );
      return pairs(tree, node, [a, b]);
    },
  };
}

/** Pairs the child nodes of one parent by routine, in order. */
function pairedNodes(
  now: readonly TreeNode[],
  before: readonly TreeNode[],
): (readonly [now: TreeNode | undefined, before: TreeNode | undefined])[] {
  const { pairs, left } = pairByKey(now, before, (node) => node.routine);
  const counterparts = new Map(pairs);
  return [...now.map((node) => [node, counterparts.get(node)] as const), ...left.map((node) => [undefined, node] as const)];
}

/** The costs of a node in the columns of both runs, and the base's calls. */
function joinCosts(
  join: ComparedColumns,
  now: Float64Array | undefined,
  before: Float64Array | undefined,
  calls: number,
): Float64Array {
  const out = new Float64Array(join.callsBefore + 1);
  if (now) out.set(now);
  if (before) out.set(before, join.callsBefore - before.length);
  out[join.callsBefore] = calls;
  return out;
}
