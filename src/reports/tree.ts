// The tree report: the call graph unfolded, depth first.
import { wholeOf } from '../analysis/analysis.ts';
import { routineName } from '../analysis/names.ts';
import { childrenOf, nodeValue, openTree, type Tree, type TreeNode, termsValue } from '../analysis/tree.ts';
import type { Exact } from '../base/units.ts';
import { formatCost, formatPercent } from '../base/units.ts';
import { type Event, hasCounts } from '../model/profile.ts';
import { callsColumn } from './cells.ts';
import { costOf, type Report, type ReportContext, type Row, routineKey } from './report.ts';

/** A call graph unfolds to more nodes than anybody reads: ways that cost less than this share of the whole end there. */
const LEAST_SHARE = 0.0005;
const MOST_ROWS = 100_000;

function costs(events: readonly Event[], values: Float64Array, estimated: boolean): Record<string, Exact> {
  const out: Record<string, Exact> = {};
  for (const event of events) {
    const value = termsValue(event, values);
    out[event.name] = estimated && !event.per ? Math.round(value) : value;
  }
  return out;
}

/** Depth first, the most expensive child first. */
function* walk(context: ReportContext): Generator<{ tree: Tree; node: TreeNode }> {
  const { analysis, event } = context;
  const tree = openTree(analysis, context.inverted, event);
  const least = Math.abs(wholeOf(analysis, event)) * LEAST_SHARE;
  const stack = [...tree.roots].reverse();
  while (stack.length > 0) {
    const node = tree.nodes[stack.pop()!];
    yield { tree, node };
    const children = childrenOf(tree, node.id, event);
    for (let k = children.length - 1; k >= 0; k--) {
      const child = tree.nodes[children[k]];
      if (Math.abs(nodeValue(event, child)) >= least && nodeValue(event, child) !== 0) stack.push(child.id);
    }
  }
}

export const tree: Report = {
  name: 'tree',
  title: 'calling-context tree: of sampled stacks, or unfolded from the call graph',
  requires: ['calls'],
  sorts: [],
  optional: ['recursive'],
  *rows(context) {
    const { analysis } = context;
    let left = Math.min(context.limit, MOST_ROWS);
    const numbers = new Map<number, number>();
    for (const { node } of walk(context)) {
      if (context.filtered && !context.matches(routineName(analysis.profile, node.routine))) continue;
      if (left-- <= 0) return;
      const id = numbers.size;
      numbers.set(node.id, id);
      const row: Row = {
        id,
        parent: numbers.get(node.parent) ?? null,
        depth: node.depth,
        ...routineKey(analysis, node.routine),
        calls: node.calls < 0 ? null : node.calls,
        self: costs(analysis.events, node.self, node.selfEstimated),
        inclusive: costs(analysis.events, node.inclusive, node.estimated),
        estimated: node.estimated,
        selfEstimated: node.selfEstimated,
        ...(node.recursive ? { recursive: true } : {}),
      };
      yield row;
    }
  },
  extra: () => ({ leastShare: LEAST_SHARE, mostRows: MOST_ROWS }),
  columns: (context) => [
    {
      title: 'inclusive',
      align: 'right',
      cell: (row) => (row['estimated'] ? '≈' : '') + formatCost(costOf(row, 'inclusive', context.event), context.event.unit),
    },
    {
      title: '%',
      align: 'right',
      cell: (row) =>
        context.event.per
          ? ''
          : formatPercent(Number(costOf(row, 'inclusive', context.event)), wholeOf(context.analysis, context.event)),
    },
    {
      title: 'self',
      align: 'right',
      cell: (row) => (row['selfEstimated'] ? '≈' : '') + formatCost(costOf(row, 'self', context.event), context.event.unit),
    },
    ...(hasCounts(context.analysis.profile) ? [callsColumn] : []),
    {
      title: 'routine',
      align: 'left',
      flex: 'end',
      cell: (row) =>
        '  '.repeat(Math.min(row['depth'] as number, 40)) + (row['routine'] || '???') + (row['recursive'] ? ' ↻' : ''),
    },
  ],
};
