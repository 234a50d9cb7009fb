// The tree report: the calling-context tree, depth first.
import { wholeOf } from '../analysis/answers/analysis.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import {
  canUnfold,
  childrenOf,
  nodeSelf,
  nodeValue,
  openTree,
  rootsShare,
  type Tree,
  type TreeNode,
  type TreeSource,
} from '../analysis/answers/tree.ts';
import { routineName } from '../analysis/names/names.ts';
import { Heap } from '../base/heap.ts';
import { memo } from '../base/memo.ts';
import { sortedBy } from '../base/sort.ts';
import { formatCount, formatPercent, plural } from '../base/units.ts';
import { type TreeRow, treeTable } from '../columns/tree.ts';
import { eventValue } from '../model/event-value.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import { type ReportContext, ReportError, type ReportSpec } from './report.ts';

/** A call graph unfolds to more nodes than anybody reads: what is below this percentage of the total is left out. */
const USUAL_THRESHOLD = 0.05;
/** No more than this many nodes are made of a tree that is unfolded from a call graph. */
const MOST_UNFOLDED = 100_000;

/** The tree; inverted and with a routine, all callers of that one by its inclusive cost. */
export function sourceOf({ analysis: { costing }, inverted, routine }: ReportContext): TreeSource {
  return inverted && routine !== undefined ? costing.callersOf(routine) : costing.tree(inverted);
}

function thresholdOf(context: ReportContext): number {
  return context.threshold ?? (sourceOf(context).exact ? 0 : USUAL_THRESHOLD);
}

/** A node, and how many of its children are left out. */
interface Walked {
  readonly id: number;
  readonly leftOut: number;
  readonly open: boolean;
}

const SORTS = ['inclusive', 'self', 'calls', 'EVENT', 'routine'] as const;

/** The key that --sort orders siblings by. */
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

const MEASURED = ['now', 'before'] as const;

/** Whether a node costs enough to be a row. */
function worthIn(context: ReportContext, tree: Tree): (id: number) => boolean {
  const threshold = thresholdOf(context);
  const { analysis, event } = context;
  // With two runs, a node that costs enough in one of them: equal large costs differ by nothing.
  const events = analysis.before ? MEASURED.map((measure) => measured(analysis, event, measure)) : [event];
  const least = events.map((e) => (Math.abs(wholeOf(analysis, e)) * threshold) / 100);
  return (id) => {
    if (threshold === 0 && tree.source.exact) return true;
    return events.some((e, i) => {
      const value = Math.abs(nodeValue(e, tree.nodes[id]));
      return value >= least[i] && value !== 0;
    });
  };
}

/** Roots stay whatever they cost, so that every event adds up, unless a threshold was asked for. */
function rootsOf(context: ReportContext, tree: Tree): readonly number[] {
  return context.threshold ? tree.roots.filter(worthIn(context, tree)) : tree.roots;
}

/** The nodes whose children are shown: the costliest of a tree that is unfolded from a call graph; undefined for all. */
function unfoldedIn(context: ReportContext, tree: Tree): ReadonlySet<number> | undefined {
  if (tree.source.exact) return undefined;
  const { event } = context;
  const worth = worthIn(context, tree);
  const out = new Set<number>();
  const waiting = new Heap();
  const wait = (id: number) => waiting.push(-Math.abs(nodeValue(event, tree.nodes[id])), id);
  for (const id of rootsOf(context, tree)) wait(id);
  for (let id = waiting.pop(); id !== undefined && tree.nodes.length < MOST_UNFOLDED; id = waiting.pop()) {
    out.add(id);
    if (canUnfold(tree, id)) for (const child of childrenOf(tree, id, event)) if (worth(child)) wait(child);
  }
  return out;
}

/** A tree, and the nodes of it whose children are shown. */
interface Opened {
  readonly tree: Tree;
  readonly unfolded: ReadonlySet<number> | undefined;
}

/** The rows, and the lines below them, are of one tree. */
const openedIn = memo((context: ReportContext): Opened => {
  const tree = openTree(sourceOf(context), context.inverted, context.event);
  return { tree, unfolded: unfoldedIn(context, tree) };
}, 1);

/** Depth first, among siblings the most expensive first unless --sort says otherwise. */
function* walk(context: ReportContext, { tree, unfolded }: Opened): Generator<Walked> {
  const { event, sort } = context;
  const worth = worthIn(context, tree);
  const key = siblingKey(context);
  const inOrder = (ids: readonly number[]) =>
    sort ? sortedBy(ids, (id) => key(tree.nodes[id]), sort.descending ?? sort.column !== 'routine') : ids;
  const stack = [...inOrder(rootsOf(context, tree))].reverse();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const open = unfolded?.has(id) !== false;
    const children = open && canUnfold(tree, id) ? childrenOf(tree, id, event) : [];
    const shown = inOrder(children.filter(worth));
    // With two runs, those that this one has.
    const here = (list: readonly number[]) => list.filter((k) => tree.nodes[k].sides !== 2).length;
    yield { id, leftOut: here(children) - here(shown), open };
    for (let k = shown.length - 1; k >= 0; k--) stack.push(shown[k]);
  }
}

/** The nodes that match the filter, and those above them. */
function* matching(context: ReportContext, opened: Opened): Generator<Walked> {
  if (!context.filtered) return yield* walk(context, opened);
  const { tree } = opened;
  const all = [...walk(context, opened)];
  const kept = new Set<number>();
  for (const { id } of all) {
    if (!context.matches(routineName(context.analysis.profile, tree.nodes[id].routine))) continue;
    for (let above = id; above >= 0 && !kept.has(above); above = tree.nodes[above].parent) kept.add(above);
  }
  for (const walked of all) if (kept.has(walked.id)) yield walked;
}

/** The tree as rows; the flame graph is the same tree as a picture. */
export const treeSpec: ReportSpec<TreeRow, Kind> = {
  name: 'tree',
  title: 'calling-context tree: of sampled stacks, or unfolded from the call graph',
  asks: ['calls'],
  sorts: SORTS,
  table: (context) => treeTable('routine', context.inverted),
  *rows(context) {
    const { inverted } = context;
    const opened = openedIn(context);
    const { tree } = opened;
    const numbers = new Map<number, number>();
    for (const { id: of, leftOut, open } of matching(context, opened)) {
      const node = tree.nodes[of];
      const id = numbers.size;
      numbers.set(of, id);
      const parent = numbers.get(node.parent) ?? null;
      yield { node, id, parent, above: tree.nodes[node.parent], inverted, open, unfolds: canUnfold(tree, of), leftOut };
    }
  },
  extra: (context) => ({ threshold: thresholdOf(context), leastShare: thresholdOf(context) / 100, mostUnfolded: MOST_UNFOLDED }),
  foot(context) {
    const { analysis, event, inverted } = context;
    const { tree, unfolded } = openedIn(context);
    const share = inverted ? 1 : rootsShare(tree, event, eventValue(event, analysis.totals.total, 0));
    const threshold = thresholdOf(context);
    const roots = tree.roots.length - rootsOf(context, tree).length;
    return [
      ...(tree.nodes.length >= MOST_UNFOLDED && unfolded
        ? [`+…: not unfolded, as the tree has ${formatCount(MOST_UNFOLDED)} costlier nodes`]
        : []),
      ...(threshold > 0
        ? [`+N: N ${inverted ? 'callers' : 'callees'} below ${threshold}% of the total are left out (--threshold PERCENT)`]
        : []),
      ...(roots > 0 ? [`${plural(roots, 'root')} below it, too`] : []),
      ...(Math.abs(share - 1) > 0.001 ? [`the roots add up to ${formatPercent(share, 1)} of the total`] : []),
    ];
  },
};

export const tree = report(treeSpec);
