// The tree report: the calling-context tree, depth first.
import { wholeOf } from '../analysis/analysis.ts';
import { routineName } from '../analysis/names.ts';
import { canUnfold, childrenOf, nodeSelf, nodeValue, openTree, type TreeNode } from '../analysis/tree.ts';
import { sortedBy } from '../base/sort.ts';
import { type TreeRow, treeTable } from '../columns/tree.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import { ofAnyKind, type ReportContext, ReportError } from './report.ts';

/** A call graph unfolds to more nodes than anybody reads: paths below this share of the whole are cut off. */
const LEAST_SHARE = 0.0005;
const MOST_ROWS = 100_000;

const SORTS = ['inclusive', 'self', 'calls', 'EVENT', 'routine'] as const;

/** What --sort orders siblings by. */
function siblingKey({ sort, analysis, event }: ReportContext): (node: TreeNode) => number | string {
  const column = sort?.column ?? 'inclusive';
  const named = analysis.events.find((e) => e.name === column);
  if (column === 'inclusive') return (node) => nodeValue(event, node);
  if (column === 'self') return (node) => nodeSelf(event, node);
  if (column === 'calls') return (node) => node.calls;
  if (column === 'routine') return (node) => routineName(analysis.profile, node.routine);
  if (named) return (node) => nodeValue(named, node);
  throw new ReportError(`--sort ${column}: no such column; there are ${SORTS.join(', ')}`);
}

/** Depth first, among siblings the most expensive first unless --sort says otherwise. */
function* walk(context: ReportContext): Generator<{ node: TreeNode; above: TreeNode | undefined; unfolds: boolean }> {
  const { analysis, event, inverted, sort } = context;
  const key = siblingKey(context);
  const inOrder = (ids: readonly number[]) =>
    sort ? sortedBy(ids, (id) => key(tree.nodes[id]), sort.descending ?? sort.column !== 'routine') : ids;
  const tree = openTree(analysis.costing.tree(inverted), inverted, event);
  const least = Math.abs(wholeOf(analysis, event)) * LEAST_SHARE;
  const stack = [...inOrder(tree.roots)].reverse();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const node = tree.nodes[id];
    yield { node, above: tree.nodes[node.parent], unfolds: canUnfold(tree, id) };
    const children = inOrder(childrenOf(tree, node.id, event));
    for (let k = children.length - 1; k >= 0; k--) {
      const child = tree.nodes[children[k]];
      if (Math.abs(nodeValue(event, child)) >= least && nodeValue(event, child) !== 0) stack.push(child.id);
    }
  }
}

export const tree = report<TreeRow, Kind>({
  name: 'tree',
  title: 'calling-context tree: of sampled stacks, or unfolded from the call graph',
  asks: ['calls'],
  sorts: SORTS,
  of: ofAnyKind,
  table: (context) => treeTable('routine', context.inverted),
  *rows(context) {
    const { profile } = context.analysis;
    const numbers = new Map<number, number>();
    for (const { node, above, unfolds } of walk(context)) {
      if (context.filtered && !context.matches(routineName(profile, node.routine))) continue;
      if (numbers.size >= MOST_ROWS) return;
      const id = numbers.size;
      numbers.set(node.id, id);
      yield { node, id, parent: numbers.get(node.parent) ?? null, above, inverted: context.inverted, open: true, unfolds };
    }
  },
  extra: () => ({ leastShare: LEAST_SHARE, mostRows: MOST_ROWS }),
});
