// The columns of the calling-context tree: one row per node.
import { callsScale, measured, shownCount } from '../analysis/compare/measure.ts';
import { routinePlace } from '../analysis/names.ts';
import { nodeSelf, nodeValue, type TreeNode, termsValue } from '../analysis/tree.ts';
import type { Cell } from '../base/style.ts';
import { formatCount } from '../base/units.ts';
import type { Event } from '../model/head.ts';
import { type Column, type ColumnContext, type Json, onScreen, type Table } from './column.ts';
import { callsTitle, countText, showsChange, stateColumn } from './compared.ts';
import { changeCell, costRoom, costText, shareCell, shareColumn } from './costs.ts';
import { inlinedColumn, inlinedMark, nameCell, namesakeColumn, routineKey } from './names.ts';

export interface TreeRow {
  readonly node: TreeNode;
  /** Ids of this row and its parent's in JSON; the latter is null for roots. */
  readonly id: number;
  readonly parent: number | null;
  /** The node above; undefined for roots. */
  readonly above: TreeNode | undefined;
  readonly inverted: boolean;
  readonly open: boolean;
  /** It has or may have children. */
  readonly unfolds: boolean;
  /** Children that are not shown, because they cost too little. */
  readonly leftOut?: number;
}

function costs(events: readonly Event[], values: Float64Array, estimated: boolean): Json {
  return Object.fromEntries(
    events.map((event) => {
      const value = termsValue(event, values);
      return [event.name, estimated && !event.per ? Math.round(value) : value];
    }),
  );
}

const sidesOf = ({ node }: TreeRow) => ({ in: node.sides ?? 3 });

/** `title`: the heading above the names. `inverted`: self equals the cost there, and is not shown on the screen. */
export function treeTable(title: string, inverted: boolean): Table<TreeRow> {
  return {
    sides: (_, r) => sidesOf(r),
    keys: ['id', 'parent', 'depth', 'routine', 'file', 'object', 'calls', 'self', 'inclusive', 'estimated', 'selfEstimated'],
    columns: (c) => [
      ...costColumns(c, inverted),
      ...countColumn(c),
      ...stateColumn<TreeRow>(c, sidesOf),
      ...nameColumns(c, title),
      ...facts(c),
    ],
  };
}

function costColumns(c: ColumnContext, inverted: boolean): Column<TreeRow>[] {
  const { events } = c.analysis;
  const inText = c.medium === 'text';
  // Estimates are rounded in text, as they are in JSON.
  const shown = (v: number, estimated: boolean) => (inText && estimated && !c.event.per ? Math.round(v) : v);
  const doubtful = (node: TreeNode, what: Doubt) =>
    c.event.measure === undefined ? node[what] : node[what] || node.before?.[what] === true;
  const inclusive = (r: TreeRow) => shown(nodeValue(c.event, r.node), doubtful(r.node, 'estimated'));
  const above = (r: TreeRow) => r.above && nodeValue(c.event, r.above);
  const cell = (values: Float64Array, value: number, estimated: boolean): string | Cell => {
    const text = costText(c, value, estimated);
    if (c.event.measure !== 'delta') return text;
    const side = (measure: 'now' | 'before') => termsValue(measured(c.analysis, c.event, measure), values);
    return changeCell(c, text, side('now'), side('before'));
  };
  const self = (r: TreeRow) => shown(nodeSelf(c.event, r.node), doubtful(r.node, 'selfEstimated'));
  return [
    {
      // One cell more for the mark before an estimate.
      ...costRoom(c, onScreen(c, inverted ? 'cost' : 'incl', 'inclusive'), c.event, 1),
      id: 'inclusive',
      rank: 9,
      measured: true,
      value: (r) => costs(events, r.node.inclusive, estimatedIn(c, r.node, 'estimated')),
      text: (r) => cell(r.node.inclusive, inclusive(r), doubtful(r.node, 'estimated')),
    },
    ...shareColumn<TreeRow>(c, '%', (r) => shareCell(c, inclusive(r), above(r)), {
      title: onScreen(c, c.percent === 'parent' ? '%parent' : '%', '%'),
    }),
    {
      ...costRoom(c, 'self', c.event, 1),
      id: 'self',
      rank: 4,
      measured: true,
      value: (r) => costs(events, r.node.self, estimatedIn(c, r.node, 'selfEstimated')),
      text: c.medium === 'screen' && inverted ? undefined : (r) => cell(r.node.self, self(r), doubtful(r.node, 'selfEstimated')),
    },
  ];
}

type Doubt = 'estimated' | 'selfEstimated';

/** Whether a cost of the context's run is an estimate. */
const estimatedIn = (c: ColumnContext, node: TreeNode, what: Doubt): boolean =>
  c.side === 'before' ? node.before?.[what] === true : node[what];

function countColumn(c: ColumnContext): Column<TreeRow>[] {
  const counts = c.analysis.costing.can.has('counts');
  const text = ({ node }: TreeRow) => {
    const before = node.inclusive.at(-1) ?? 0;
    if (node.calls < 0 || (c.analysis.before && before < 0)) return '?';
    const none = !showsChange(c) && shownCount(c.analysis, c.event.measure, node.calls, before) === 0;
    return none && c.medium === 'screen' ? '' : countText(c, node.calls, before);
  };
  return [
    {
      id: 'calls',
      title: callsTitle(c),
      width: showsChange(c) ? 10 : 8,
      align: 'right',
      rank: 3,
      measured: true,
      value: ({ node }) => {
        const calls = c.side === 'before' ? node.inclusive[node.inclusive.length - 1] * callsScale(c.analysis) : node.calls;
        return calls < 0 ? null : calls;
      },
      text: counts ? text : undefined,
    },
  ];
}

function nameColumns(c: ColumnContext, title: string): Column<TreeRow>[] {
  const { analysis } = c;
  const { profile } = analysis;
  const key = (r: TreeRow) => routineKey(analysis, r.node.routine);
  const text = ({ node, leftOut }: TreeRow) =>
    nameCell(c, node.routine, {
      before: '  '.repeat(Math.min(node.depth, 40)),
      after: inlinedMark(node.inlined) + (node.recursive ? ' ↻' : '') + (leftOut ? ` +${formatCount(leftOut)}` : ''),
    });
  return [
    {
      id: 'routine',
      title: onScreen(c, title, 'routine'),
      width: 30,
      flex: 4,
      cut: profile.grain === 'line' ? 'place' : 'end',
      rank: 9,
      value: (r) => key(r).routine,
      text: onScreen(
        c,
        (r) => nameCell(c, r.node.routine, { before: `${indentOf(r, c)}${markOf(r, c)} `, after: inlinedMark(r.node.inlined) }),
        text,
      ),
    },
    {
      id: 'file',
      title: 'file',
      width: 12,
      flex: 1,
      cut: 'start',
      rank: 1,
      style: 'dim',
      value: (r) => key(r).file,
      only: 'screen',
      text: (r) => routinePlace(profile, r.node.routine),
    },
    { id: 'object', title: 'object', value: (r) => key(r).object },
  ];
}

/** Deep trees: the depth becomes a number once the indent would push the name off the screen. */
function indentOf({ node }: TreeRow, c: ColumnContext): string {
  const most = Math.max(4, Math.floor(c.width / 4));
  if (node.depth <= most) return ' '.repeat(node.depth);
  return `${' '.repeat(Math.max(0, most - 5))}${c.ascii ? '..' : '⋯'}${node.depth} `;
}

function markOf(r: TreeRow, c: ColumnContext): string {
  if (r.node.recursive) return c.ascii ? '@' : '↻';
  if (!r.unfolds) return ' ';
  if (r.open) return c.ascii ? '-' : '▾';
  return c.ascii ? '+' : '▸';
}

function facts(c: ColumnContext): Column<TreeRow>[] {
  return [
    { id: 'id', title: 'id', value: (r) => r.id },
    { id: 'parent', title: 'parent', value: (r) => r.parent },
    { id: 'depth', title: 'depth', value: (r) => r.node.depth },
    { id: 'estimated', title: 'estimated', value: (r) => r.node.estimated },
    { id: 'selfEstimated', title: 'self estimated', value: (r) => r.node.selfEstimated },
    { id: 'leftOut', title: 'left out', optional: true, value: (r) => r.leftOut || undefined },
    { id: 'recursive', title: 'recursive', optional: true, value: (r) => (r.node.recursive ? true : undefined) },
    ...namesakeColumn<TreeRow>(c, (r) => r.node.routine),
    ...inlinedColumn<TreeRow>(c.analysis.totals.inlined !== undefined, (r) => r.node.inlined),
  ];
}
