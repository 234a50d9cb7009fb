// The columns of the calling-context tree: one row per node.

import { hasChanged } from '../analysis/answers/compared/drift.ts';
import { callsScale, measured, shownCount } from '../analysis/answers/compared/measure.ts';
import { exactTerms, nodeValue, type TreeNode, termsValue } from '../analysis/answers/tree.ts';
import type { Cell } from '../base/style.ts';
import { formatCount } from '../base/units.ts';
import type { Event } from '../model/head.ts';
import { barColumn, data, shown } from './builders.ts';
import { chainCell } from './chain-names.ts';
import { type Column, type ColumnContext, type Json, onScreen, type Table } from './column.ts';
import { callsTitle, countText, showsChange, stateColumn } from './compared.ts';
import { changeCell, costRoom, costText, shareCell, shareColumn } from './costs.ts';
import { inlinedColumn, inlinedMark, nameCell, namesakeColumn, placeColumn, routineKey } from './names.ts';

export interface TreeRow {
  readonly node: TreeNode;
  /** On the screen, all nodes of the row, of which `node` is the first: no cost ends between them. */
  readonly chain?: readonly TreeNode[];
  /** On the screen, how many rows it lies below. */
  readonly level?: number;
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
      const value = exactTerms(event, values);
      return [event.name, estimated && !event.per && typeof value === 'number' ? Math.round(value) : value];
    }),
  );
}

const sidesOf = ({ node }: TreeRow) => ({ in: node.sides ?? 3 });

/** Cells that names should have on the screen behind indent and mark, and how many are too few. */
const NAME = 36;
const FEW = 30;
/** Below this width the numbers are short, so that there is room for names. */
const NARROW = 100;

/** Cells of the percentage and the count of calls, each with the gap before it. */
const PERCENT = 8;
const CALLS = 9;

/** The screen's room, in a tree with rows at these levels: short costs or whole ones, and the least width of names. */
function roomFor(c: ColumnContext, inverted: boolean, levels: readonly number[]): readonly [c: ColumnContext, names: number] {
  const deepest = levels.reduce((most, level) => Math.max(most, level), 0);
  const indent = Math.min(deepest, mostIndent(c)) + 2;
  const cost = (of: ColumnContext) => (costRoom(of, 'incl', c.event, 1).width ?? 0) + 1;
  const others = cost(c) * (inverted ? 1 : 2) + PERCENT + CALLS;
  const fits = c.width >= NARROW && c.width - 1 - others - indent >= FEW;
  const own = fits || c.medium === 'text' ? c : { ...c, shortCosts: true };
  // Self and calls give way to the name; the percentage does not.
  return [own, Math.max(30, Math.min(NAME + indent, c.width - 1 - cost(own) - PERCENT))];
}

/**
 * `title`: the heading above the names. `inverted`: both costs are that of the path, and only one is shown. `levels`: those of all rows,
 * for the screen; `most`: the largest cost of them.
 */
export function treeTable(title: string, inverted: boolean, levels: readonly number[] = [], most = 0): Table<TreeRow> {
  return {
    sides: (_, r) => sidesOf(r),
    keys: ['id', 'parent', 'depth', 'routine', 'file', 'object', 'calls', 'self', 'inclusive', 'estimated', 'selfEstimated'],
    columns(given) {
      const [c, room] = roomFor(given, inverted, levels);
      return [
        ...costColumns(c, inverted, most),
        ...countColumn(c),
        ...stateColumn<TreeRow>(c, sidesOf),
        ...nameColumns(c, title, room),
        ...facts(c),
      ];
    },
  };
}

function costColumns(c: ColumnContext, inverted: boolean, most: number): Column<TreeRow>[] {
  const { events } = c.analysis;
  const inText = c.medium === 'text';
  // Estimates are rounded in text, as they are in JSON.
  const shown = (v: number, estimated: boolean) => (inText && estimated && !c.event.per ? Math.round(v) : v);
  const doubtful = (node: TreeNode, what: Doubt) =>
    c.event.measure === undefined ? node[what] : node[what] || node.before?.[what] === true;
  const changed = (what: 'self' | 'inclusive') => (node: TreeNode) =>
    !showsChange(c) || hasChanged(c.analysis, c.event, node, what);
  const inclusive = ({ node }: TreeRow) =>
    changed('inclusive')(node) ? shown(nodeValue(c.event, node), doubtful(node, 'estimated')) : 0;
  const above = ({ above }: TreeRow) => above && ((event: Event) => nodeValue(event, above));
  const cell = (values: Float64Array, value: number, estimated: boolean): string | Cell => {
    const text = costText(c, value === 0 || estimated ? value : exactTerms(c.event, values), estimated);
    if (c.event.measure !== 'delta' || value === 0) return text;
    const side = (measure: 'now' | 'before') => termsValue(measured(c.analysis, c.event, measure), values);
    return changeCell(c, text, side('now'), side('before'));
  };
  const doubtsSelf = ({ node, chain = [node] }: TreeRow) => chain.some((one) => doubtful(one, 'selfEstimated'));
  const shownSelf = (r: TreeRow) =>
    (r.chain ?? [r.node]).some(changed('self')) ? shown(termsValue(c.event, selfOf(r)), doubtsSelf(r)) : 0;
  return [
    {
      // One cell more for the mark before an estimate.
      ...costRoom(c, inverted ? 'cost' : onScreen(c, 'incl', 'inclusive'), c.event, 1),
      id: 'inclusive',
      rank: 9,
      measured: true,
      value: (r) => costs(events, r.node.inclusive, estimatedIn(c, r.node, 'estimated')),
      text: (r) => cell(r.node.inclusive, inclusive(r), doubtful(r.node, 'estimated')),
    },
    ...shareColumn<TreeRow>(c, '%', (r) => shareCell(c, inclusive(r), above(r)), {
      title: onScreen(c, c.percent === 'parent' ? '%parent' : '%', '%'),
    }),
    ...(showsChange(c) ? [] : barColumn<TreeRow>(c, inclusive, most)),
    data('self', (r) => costs(events, r.node.self, estimatedIn(c, r.node, 'selfEstimated')), {
      ...costRoom(c, 'self', c.event, 1),
      rank: 4,
      measured: true,
      text: inverted ? undefined : (r) => cell(selfOf(r), shownSelf(r), doubtsSelf(r)),
    }),
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
    data(
      'calls',
      ({ node }) => {
        const calls = c.side === 'before' ? node.inclusive[node.inclusive.length - 1] * callsScale(c.analysis) : node.calls;
        return calls < 0 ? null : calls;
      },
      {
        title: callsTitle(c),
        width: showsChange(c) ? 10 : 8,
        align: 'right',
        rank: 3,
        measured: true,
        text: counts ? text : undefined,
      },
    ),
  ];
}

/** The sum of the self costs of the nodes of a row. */
function selfOf({ node, chain = [node] }: TreeRow): Float64Array {
  if (chain.length === 1) return node.self;
  return Float64Array.from(node.self, (_, c) => chain.reduce((sum, one) => sum + one.self[c], 0));
}

/** The node of a row where the cost goes on. */
const lastOf = ({ node, chain }: TreeRow): TreeNode => chain?.at(-1) ?? node;

function nameColumns(c: ColumnContext, title: string, width: number): Column<TreeRow>[] {
  const { analysis } = c;
  const { profile } = analysis;
  const key = (r: TreeRow) => routineKey(analysis, r.node.routine);
  const more = ({ leftOut, open, unfolds }: TreeRow) => (leftOut ? ` +${formatCount(leftOut)}` : unfolds && !open ? ' +…' : '');
  const text = (row: TreeRow) =>
    nameCell(c, row.node.routine, {
      before: '  '.repeat(Math.min(row.node.depth, 40)),
      after: inlinedMark(row.node.inlined) + (row.node.recursive ? ' ↻' : '') + more(row),
    });
  return [
    shown(
      'routine',
      onScreen(
        c,
        (r) => {
          const before = `${indentOf(r, c)}${markOf(r)} `;
          if (r.chain && r.chain.length > 1) return chainCell(c, r.chain, before);
          return nameCell(c, r.node.routine, { before, after: inlinedMark(r.node.inlined) });
        },
        text,
      ),
      {
        title: onScreen(c, title, 'routine'),
        width,
        flex: 4,
        cut: profile.grain === 'line' ? 'place' : 'end',
        rank: 9,
        value: (r) => key(r).routine,
      },
    ),
    placeColumn<TreeRow>(c, (r) => lastOf(r).routine, { width: 12, rank: 1, only: 'screen', value: (r) => key(r).file }),
    { id: 'object', title: 'object', value: (r) => key(r).object },
  ];
}

/** Cells of indent, at most: a cell a level up to there. */
export const mostIndent = (c: Pick<ColumnContext, 'width'>) => Math.max(4, Math.floor(c.width / 8));

/** Deep trees: the level becomes a number once the indent would push the name off the screen. */
function indentOf({ node, level = node.depth }: TreeRow, c: ColumnContext): string {
  const most = mostIndent(c);
  if (level <= most) return ' '.repeat(level);
  return `${' '.repeat(Math.max(0, most - 5))}⋯${level} `;
}

function markOf(r: TreeRow): string {
  if (r.node.recursive) return '↻';
  if (!r.unfolds) return ' ';
  return r.open ? '▾' : '▸';
}

function facts(c: ColumnContext): Column<TreeRow>[] {
  return [
    { id: 'id', title: 'id', value: (r) => r.id },
    { id: 'parent', title: 'parent', value: (r) => r.parent },
    { id: 'depth', title: 'depth', value: (r) => r.node.depth },
    { id: 'estimated', title: 'estimated', value: (r) => r.node.estimated },
    { id: 'selfEstimated', title: 'self estimated', value: (r) => r.node.selfEstimated },
    { id: 'leftOut', title: 'left out', optional: true, value: (r) => r.leftOut || undefined },
    { id: 'closed', title: 'closed', optional: true, value: (r) => (r.unfolds && !r.open ? true : undefined) },
    { id: 'recursive', title: 'recursive', optional: true, value: (r) => (r.node.recursive ? true : undefined) },
    ...namesakeColumn<TreeRow>(c, (r) => r.node.routine),
    ...inlinedColumn<TreeRow>(c.analysis.totals.inlined !== undefined, (r) => r.node.inlined),
  ];
}
