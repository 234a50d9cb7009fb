// The tree report: the calling-context tree, depth first.
import { percentageBase } from '../analysis/answers/analysis.ts';
import { eventOfBothRuns } from '../analysis/answers/compared/measure.ts';
import { canUnfold, childrenOf, nodeSelf, nodeValue, openTree, rootsShare, type Tree } from '../analysis/answers/tree.ts';
import { withAncestors } from '../analysis/answers/tree-search.ts';
import { routineName } from '../analysis/names/names.ts';
import { MinHeap } from '../base/heap.ts';
import { memo, sortedByKey } from '../base/lists.ts';
import { noSuchText } from '../base/match.ts';
import { formatCount, formatPercent, plural } from '../base/units.ts';
import { type TreeRow, treeTable } from '../columns/tree.ts';
import { eventValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import { type ReportContext, ReportError, type ReportSpec, routineFilterOf } from './report.ts';

/** Default of --threshold for an unfolded call graph, in percent of the total: such trees have too many nodes to read. */
const DEFAULT_THRESHOLD = 0.05;
const MAX_UNFOLDED = 100_000;

/** The tree to print. With --routine: what the routine calls; inverted, all its callers. */
export const treeSourceOf = ({ analysis: { costing }, inverted, routine }: ReportContext) =>
  routine === undefined ? costing.tree(inverted) : costing.routineTree(routine, inverted);

const thresholdOf = (context: ReportContext): number =>
  context.threshold ?? (treeSourceOf(context).exact ? 0 : DEFAULT_THRESHOLD);

const TREE_SORTS = ['inclusive', 'self', 'calls', 'EVENT', 'routine'] as const;

function siblingKey({ sort, analysis, event }: ReportContext, { nodes }: Tree): (id: number) => number | string {
  const column = sort?.column ?? 'inclusive';
  const sortedEvent = analysis.events.find((e) => e.name === column);
  if (column === 'inclusive') return (id) => nodeValue(event, nodes[id]);
  if (column === 'self') return (id) => nodeSelf(event, nodes[id]);
  if (column === 'calls') return (id) => nodes[id].calls;
  if (column === 'routine') return (id) => routineName(analysis.profile, nodes[id].routine);
  if (sortedEvent) return (id) => nodeValue(sortedEvent, nodes[id]);
  throw new ReportError(`--sort ${column}: ${noSuchText('column', column, TREE_SORTS)}`);
}

/** Returns a predicate that is true for nodes that cost enough to be a row. */
function nodeFilter(context: ReportContext, tree: Tree): (id: number) => boolean {
  const threshold = thresholdOf(context);
  const { analysis, event } = context;
  // With two runs, a node must be costly enough in one of them: equal costs have a difference of zero.
  const shown = analysis.before ? eventOfBothRuns(analysis, event) : [event];
  // A ratio has no shares: those of the cost that it divides decide.
  const events = shown.map(({ per: _, ...cost }) => cost);
  const least = events.map((e) => (Math.abs(percentageBase(analysis, e)) * threshold) / 100);
  return (id) => {
    if (threshold === 0 && tree.source.exact) return true;
    return events.some((e, i) => {
      const value = Math.abs(nodeValue(e, tree.nodes[id]));
      return value >= least[i] && value !== 0;
    });
  };
}

/** The roots to show. Without --threshold these are all roots, so that every event adds up. */
const shownRoots = (context: ReportContext, tree: Tree): readonly number[] =>
  context.threshold ? tree.roots.filter(nodeFilter(context, tree)) : tree.roots;

/** The nodes whose children are shown: for an unfolded call graph only the costliest ones; undefined for all. */
function nodesToUnfold(context: ReportContext, tree: Tree): ReadonlySet<number> | undefined {
  if (tree.source.exact) return undefined;
  const { event } = context;
  const isCostly = nodeFilter(context, tree);
  const out = new Set<number>();
  const queue = new MinHeap();
  const enqueue = (id: number) => queue.push(-Math.abs(nodeValue(event, tree.nodes[id])), id);
  for (const id of shownRoots(context, tree)) enqueue(id);
  for (let id = queue.pop(); id >= 0 && tree.nodes.length < MAX_UNFOLDED; id = queue.pop()) {
    out.add(id);
    if (canUnfold(tree, id)) for (const child of childrenOf(tree, id, event)) if (isCostly(child)) enqueue(child);
  }
  return out;
}

/** The tree, and the nodes whose children are shown. Memoized for the last context, because rows and footer need the same tree. */
const unfoldTree = memo((context: ReportContext) => {
  const tree = openTree(treeSourceOf(context), context.inverted, context.event);
  return { tree, unfolded: nodesToUnfold(context, tree) };
}, 1);

type UnfoldedTree = ReturnType<typeof unfoldTree>;

/**
 * Walks the tree depth first; siblings are in the order of --sort (default: most expensive first). `leftOut`: number of children below the
 * threshold; `open`: the children may be listed.
 */
function* walkTree(context: ReportContext, { tree, unfolded }: UnfoldedTree) {
  const { event, sort } = context;
  const isCostly = nodeFilter(context, tree);
  const key = siblingKey(context, tree);
  const sortSiblings = (ids: readonly number[]) =>
    sort ? sortedByKey(ids, key, sort.descending ?? sort.column !== 'routine') : ids;
  const stack = [...sortSiblings(shownRoots(context, tree))].reverse();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const open = unfolded?.has(id) !== false;
    const children = open && canUnfold(tree, id) ? childrenOf(tree, id, event) : [];
    const shown = sortSiblings(children.filter(isCostly));
    // With two runs, counts only nodes that exist in this run.
    const countInThisRun = (list: readonly number[]) => list.filter((k) => tree.nodes[k].sides !== 2).length;
    yield { id, leftOut: countInThisRun(children) - countInThisRun(shown), open };
    for (let k = shown.length - 1; k >= 0; k--) stack.push(shown[k]);
  }
}

/** The nodes that match the filter, and their ancestors. */
function* matchingNodes(context: ReportContext, unfoldedTree: UnfoldedTree) {
  if (!context.filtered) return yield* walkTree(context, unfoldedTree);
  const { tree } = unfoldedTree;
  const all = [...walkTree(context, unfoldedTree)];
  const passes = routineFilterOf(context);
  const matching = all.flatMap(({ id }) => (passes(tree.nodes[id].routine) ? id : []));
  const kept = withAncestors(tree, matching);
  for (const walked of all) if (kept.has(walked.id)) yield walked;
}

/** The tree as rows; the flame report draws the same tree. */
export const treeSpec = {
  name: 'tree',
  title: 'calling-context tree: of sampled stacks, or unfolded from the call graph',
  requires: ['calls'],
  filtersRoutines: true,
  sorts: TREE_SORTS,
  table: (context) => treeTable('routine', context.inverted),
  *rows(context) {
    const opened = unfoldTree(context);
    const { tree } = opened;
    const numbers = new Map<number, number>();
    for (const { id: of, leftOut, open } of matchingNodes(context, opened)) {
      const node = tree.nodes[of];
      const id = numbers.size;
      numbers.set(of, id);
      const parent = numbers.get(node.parent) ?? null;
      yield { node, id, parent, above: tree.nodes[node.parent], open, canUnfold: canUnfold(tree, of), leftOut };
    }
  },
  extra: (context) => ({ threshold: thresholdOf(context), leastShare: thresholdOf(context) / 100, mostUnfolded: MAX_UNFOLDED }),
  footer(context) {
    const { analysis, event, inverted } = context;
    const { tree, unfolded } = unfoldTree(context);
    const share = inverted ? 1 : rootsShare(tree, event, eventValue(event, analysis.totals.total, 0));
    const threshold = thresholdOf(context);
    const roots = tree.roots.length - shownRoots(context, tree).length;
    return [
      ...(tree.nodes.length >= MAX_UNFOLDED && unfolded
        ? [`+…: not unfolded, as the tree has ${formatCount(MAX_UNFOLDED)} costlier nodes`]
        : []),
      ...(threshold > 0
        ? [`+N: N ${inverted ? 'callers' : 'callees'} below ${threshold}% of the total are left out (--threshold PERCENT)`]
        : []),
      ...(roots > 0 ? [`${plural(roots, 'root')} below it, too`] : []),
      ...(Math.abs(share - 1) > 0.001 ? [`the roots add up to ${formatPercent(share, 1)} of the total`] : []),
    ];
  },
} satisfies ReportSpec<TreeRow, Kind>;

export const tree = makeReport<TreeRow, Kind>(treeSpec);
