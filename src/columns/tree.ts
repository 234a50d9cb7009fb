// The columns of the calling-context tree: one row per node.

import { callsScale, countInMeasure, eventInMeasure, hasChanged } from '../analysis/answers/compared/measure.ts';
import { exactTerms, nodeValue, type TreeNode, termsValue } from '../analysis/answers/tree.ts';
import type { TableCell } from '../base/style.ts';
import { formatChange, formatCount, unitCells } from '../base/units.ts';
import type { Event } from '../model/head.ts';
import { barColumn, dataColumn, displayColumn, flagColumn } from './builders.ts';
import { chainCell } from './chain-names.ts';
import { type Column, type ColumnContext, onScreen, type TableColumns } from './column.ts';
import { callCountText, callsTitle, isGuess, showsChange, stateColumn } from './compared.ts';
import { changeCell, costColumnLayout, costText, shareCell, shareColumn, valuesByName } from './costs.ts';
import { fileOrObjectColumn, inlinedMark, nameCell, namesakeColumn, routineKey } from './names.ts';

export interface TreeRow {
  readonly node: TreeNode;
  /** On the screen: all nodes that share the row, starting with `node`. */
  readonly chain?: readonly TreeNode[];
  /** On the screen: the row's level of indent. */
  readonly level?: number;
  /** The ids of this row and its parent in JSON; roots have the parent null. */
  readonly id: number;
  readonly parent: number | null;
  /** The parent node; undefined for roots. */
  readonly above: TreeNode | undefined;
  readonly open: boolean;
  /** The node has children, or may have some. */
  readonly canUnfold: boolean;
  /** On the screen: the number of children that share the row, because they cost little; absent for other rows. */
  readonly rest?: number;
  /** The number of children that are hidden because they cost too little. */
  readonly leftOut?: number;
}

const nodeSides = ({ node }: TreeRow) => ({ in: node.sides ?? 3 });

/** Usual and minimum width of names on the screen, after indent and mark. */
const USUAL_NAME_WIDTH = 36;
const MIN_NAME_WIDTH = 30;
/** Minimum screen width for full numbers. Shorter numbers leave more width for names. */
const MIN_FULL_COST_WIDTH = 100;

/** Widths of the percentage and the call count, each with the gap before it. */
const PERCENT_WIDTH = 8;
const CALLS_WIDTH = 9;

/** The layout for rows of these levels: the context, with short costs on a narrow screen, and the minimum width of names. */
function layoutFor(c: ColumnContext, inverted: boolean, levels: readonly number[]): readonly [c: ColumnContext, names: number] {
  const deepest = levels.reduce((most, level) => Math.max(most, level), 0);
  const indent = Math.min(deepest, maxIndent(c)) + 2;
  const cost = (of: ColumnContext) => (costColumnLayout(of, 'incl', c.event, 1).width ?? 0) + 1;
  const others = cost(c) * (inverted ? 1 : 2) + PERCENT_WIDTH + CALLS_WIDTH;
  const fits = c.width >= MIN_FULL_COST_WIDTH && c.width - 1 - others - indent >= MIN_NAME_WIDTH;
  // Costs with units have eight cells anyway.
  const own = fits || c.medium === 'text' || unitCells(c.event.unit) > 0 ? c : { ...c, shortCosts: true };
  // Narrow screens drop self cost and calls in favour of the name, but keep the percentage.
  return [own, Math.max(30, Math.min(USUAL_NAME_WIDTH + indent, c.width - 1 - cost(own) - PERCENT_WIDTH))];
}

/**
 * `title`: the heading above the names. `inverted`: self and inclusive cost are equal, so only one is shown.
 * On the screen, `levels`: the levels of all rows; `most`: the largest cost of these rows.
 */
export function treeTable(title: string, inverted: boolean, levels: readonly number[] = [], most = 0): TableColumns<TreeRow> {
  return {
    sides: (_, r) => nodeSides(r),
    keys: ['id', 'parent', 'depth', 'routine', 'file', 'object', 'calls', 'self', 'inclusive', 'estimated', 'selfEstimated'],
    columns(given) {
      const [c, nameWidth] = layoutFor(given, inverted, levels);
      return [
        ...costColumns(c, inverted, most),
        countColumn(c),
        ...stateColumn<TreeRow>(c, (r) => ({ ...nodeSides(r), guess: c.medium === 'screen' && isGuess(c, r.node.routine) })),
        ...nameColumns(c, title, nameWidth),
        ...dataOnlyColumns(c),
      ];
    },
  };
}

function costColumns(given: ColumnContext, inverted: boolean, most: number): Column<TreeRow>[] {
  // A change in percent is beside the change itself, by which the tree is sorted.
  const isPercent = given.event.measure === 'percent';
  const c = isPercent ? { ...given, event: eventInMeasure(given.analysis, given.event, 'delta') } : given;
  const { events } = c.analysis;
  const inText = c.medium === 'text';
  // Text shows rounded estimates, as JSON does.
  const roundInText = (v: number, estimated: boolean) => (inText && estimated && !c.event.per ? Math.round(v) : v);
  const isEstimated = (node: TreeNode, what: EstimateFlag) =>
    c.event.measure === undefined ? node[what] : node[what] || node.before?.[what] === true;
  const changed = (what: 'self' | 'inclusive') => (node: TreeNode) =>
    !showsChange(c) || hasChanged(c.analysis, c.event, node, what);
  const inclusive = ({ node }: TreeRow) =>
    changed('inclusive')(node) ? roundInText(nodeValue(c.event, node), isEstimated(node, 'estimated')) : 0;
  const above = ({ above }: TreeRow) => above && ((event: Event) => nodeValue(event, above));
  const cell = (values: Float64Array, calls: number, value: number, estimated: boolean): string | TableCell => {
    // A ratio by 0 is unknown, not 0.
    const isExact = (c.event.per && c.event.measure === undefined) || (value !== 0 && !estimated);
    const text = costText(c, isExact ? exactTerms(c.event, values, calls) : value, estimated);
    return changeCell(c, text, (run) => termsValue(run, values));
  };
  const isSelfEstimated = ({ node, chain = [node] }: TreeRow) => chain.some((one) => isEstimated(one, 'selfEstimated'));
  const shownSelf = (r: TreeRow) =>
    (r.chain ?? [r.node]).some(changed('self'))
      ? roundInText(termsValue(c.event, rowSelfCosts(r), callsOfSelf(r)), isSelfEstimated(r))
      : 0;
  const json = ({ node }: TreeRow, what: 'self' | 'inclusive', flag: EstimateFlag) =>
    valuesByName(events, (e) => exactTerms(e, node[what], node.calls), isEstimatedIn(c, node, flag));
  const relative = (r: TreeRow) =>
    inclusive(r) === 0
      ? ''
      : changeCell(given, formatChange(nodeValue(given.event, r.node)), (run) => nodeValue(run, r.node), given.event);
  // As wide as a change in percent: names stay as they are if that is shown.
  const share = shareColumn<TreeRow>(c, '%', (r) => shareCell(c, inclusive(r), above(r)), {
    title: onScreen(c, c.percent === 'parent' ? '%parent' : '%', '%'),
    ...(showsChange(c) ? { width: 8 } : {}),
  });
  return [
    {
      // One more cell holds the mark of estimates.
      ...costColumnLayout(c, inverted ? 'cost' : onScreen(c, 'incl', 'inclusive'), c.event, 1),
      id: 'inclusive',
      rank: isPercent ? 8 : 9,
      measured: true,
      value: (r) => json(r, 'inclusive', 'estimated'),
      text: (r) => cell(r.node.inclusive, r.node.calls, inclusive(r), isEstimated(r.node, 'estimated')),
    },
    ...(isPercent ? [displayColumn('change%', relative, { title: 'Δ%', width: 8, align: 'right', rank: 9 })] : share),
    ...(showsChange(c) ? [] : barColumn<TreeRow>(c, inclusive, most)),
    dataColumn('self', (r) => json(r, 'self', 'selfEstimated'), {
      ...costColumnLayout(c, 'self', c.event, 1),
      rank: 4,
      measured: true,
      text: inverted ? undefined : (r) => cell(rowSelfCosts(r), callsOfSelf(r), shownSelf(r), isSelfEstimated(r)),
    }),
  ];
}

type EstimateFlag = 'estimated' | 'selfEstimated';

/** Whether a node's cost is an estimate in the run that the context shows. */
const isEstimatedIn = (c: ColumnContext, node: TreeNode, what: EstimateFlag): boolean =>
  c.side === 'before' ? node.before?.[what] === true : node[what];

function countColumn(c: ColumnContext): Column<TreeRow> {
  const counts = c.analysis.costing.can.has('counts');
  const text = ({ node, rest }: TreeRow) => {
    if (rest) return '';
    const before = node.inclusive.at(-1) ?? 0;
    if (node.calls < 0 || (c.analysis.before && before < 0)) return '?';
    const none = countInMeasure(c.analysis, c.event.measure, node.calls, before) === 0;
    return none && c.medium === 'screen' ? '' : callCountText(c, node.calls, before);
  };
  const value = ({ node }: TreeRow) => {
    const calls = c.side === 'before' ? node.inclusive[node.inclusive.length - 1] * callsScale(c.analysis) : node.calls;
    return calls < 0 ? null : calls;
  };
  return dataColumn('calls', value, {
    title: callsTitle(c),
    width: showsChange(c) ? 10 : 8,
    align: 'right',
    rank: 3,
    measured: true,
    text: counts ? text : undefined,
  });
}

/** The calls that the self cost of a row belongs to: of a chain of routines there is no one number. */
const callsOfSelf = ({ node, chain = [node] }: TreeRow): number => (chain.length === 1 ? node.calls : 0);

function rowSelfCosts({ node, chain = [node] }: TreeRow): Float64Array {
  if (chain.length === 1) return node.self;
  return Float64Array.from(node.self, (_, c) => chain.reduce((sum, one) => sum + one.self[c], 0));
}

function nameColumns(c: ColumnContext, title: string, width: number): Column<TreeRow>[] {
  const { analysis } = c;
  const key = (r: TreeRow) => routineKey(analysis, r.node.routine);
  const hiddenChildrenText = ({ leftOut, open, canUnfold }: TreeRow) =>
    leftOut ? ` +${formatCount(leftOut)}` : canUnfold && !open ? ' +…' : '';
  const text = (row: TreeRow) =>
    nameCell(c, row.node.routine, {
      before: '  '.repeat(Math.min(row.node.depth, 40)),
      after: inlinedMark(row.node.inlined) + (row.node.recursive ? ' ↻' : '') + hiddenChildrenText(row),
    });
  const screenText = (r: TreeRow) => {
    const before = `${indentOf(r, c)}${nodeMark(r)} `;
    if (r.rest) return { text: `${before}${formatCount(r.rest)} more, each below 0.1%`, style: 'dim' } as const;
    if (r.chain && r.chain.length > 1) return chainCell(c, r.chain, before);
    return nameCell(c, r.node.routine, { before, after: inlinedMark(r.node.inlined) });
  };
  return [
    displayColumn('routine', onScreen(c, screenText, text), {
      title: onScreen(c, title, 'routine'),
      width,
      flex: 4,
      cut: analysis.profile.granularity === 'line' ? 'place' : 'end',
      rank: 9,
      value: (r) => key(r).routine,
    }),
    fileOrObjectColumn<TreeRow>(c, (r) => (r.rest ? -1 : (r.chain?.at(-1) ?? r.node).routine), {
      width: 12,
      rank: 1,
      only: 'screen',
      value: (r) => key(r).file,
    }),
    { id: 'object', title: 'object', value: (r) => key(r).object },
  ];
}

/** Maximum indent in cells: one cell per level, up to this level. */
export const maxIndent = (c: Pick<ColumnContext, 'width'>) => Math.max(4, Math.floor(c.width / 8));

/** The indent of a row. A level above the maximum indent is written as a number. */
function indentOf({ node, level = node.depth }: TreeRow, c: ColumnContext): string {
  const most = maxIndent(c);
  return level <= most ? ' '.repeat(level) : `${' '.repeat(Math.max(0, most - 5))}⋯${level} `;
}

function nodeMark(r: TreeRow): string {
  if (r.node.recursive && !r.rest) return '↻';
  if (!r.canUnfold) return ' ';
  return r.open ? '▾' : '▸';
}

function dataOnlyColumns(c: ColumnContext): Column<TreeRow>[] {
  return [
    { id: 'id', title: 'id', value: (r) => r.id },
    { id: 'parent', title: 'parent', value: (r) => r.parent },
    { id: 'depth', title: 'depth', value: (r) => r.node.depth },
    { id: 'estimated', title: 'estimated', value: (r) => r.node.estimated },
    { id: 'selfEstimated', title: 'self estimated', value: (r) => r.node.selfEstimated },
    { id: 'leftOut', title: 'left out', optional: true, value: (r) => r.leftOut || undefined },
    { id: 'closed', title: 'closed', optional: true, value: (r) => (r.canUnfold && !r.open ? true : undefined) },
    { id: 'recursive', title: 'recursive', optional: true, value: (r) => (r.node.recursive ? true : undefined) },
    ...namesakeColumn<TreeRow>(c, (r) => r.node.routine),
    ...flagColumn<TreeRow>('inlined', c.analysis.totals.inlined !== undefined, (r) => r.node.inlined),
  ];
}
