// Columns of costs: numbers, shares of the total, and their widths.
import { type Analysis, percentageBase, percentageEvent } from '../analysis/answers/analysis.ts';
import { callsScale, eventOfBothRuns } from '../analysis/answers/compared/measure.ts';
import { noiseOf } from '../analysis/answers/compared/noise.ts';
import type { RunMask } from '../analysis/answers/costing.ts';
import { isDifference } from '../analysis/answers/differences.ts';
import { magnitudes, orderByNumber } from '../analysis/answers/order.ts';
import { RECORDED_COLUMN } from '../analysis/answers/part-columns.ts';
import { memo } from '../base/lists.ts';
import { changeStyle, heatFill, heatStyle, type TableCell } from '../base/style.ts';
import {
  type Exact,
  formatChange,
  formatCost,
  formatPercent,
  formatRatio,
  formatShortCost,
  formatSignedPercent,
  type Unit,
  unitCells,
} from '../base/units.ts';
import { type CostTable, type Event, eventColumn, eventValue, exactValue, isChange, type Measure } from '../model/head.ts';
import { dataColumn, flagColumn } from './builders.ts';
import type { Column, ColumnContext, Json, RowSides } from './column.ts';

/** Prefix of a cost's heading, by measure. */
const MEASURE_TITLES: Readonly<Record<Measure, string>> = { now: '', before: 'old ', delta: 'Δ ', percent: 'Δ% ' };

/** The width of the event's longest number in this profile. Numbers are never cut. */
const numberCellsOf = memo((analysis: Analysis, event: Event): number => {
  if (event.per) return 8;
  let most = percentageBase(analysis, event);
  let least = 0;
  for (const costs of [analysis.totals.self, analysis.totals.inclusive]) {
    const values = eventColumn(event, costs, analysis.profile.routines.name.length);
    for (let i = 0; i < values.length; i++) {
      if (values[i] > most) most = values[i];
      if (values[i] < least) least = values[i];
    }
  }
  const unit = unitCells(event.unit);
  // `9.99`, a blank and the unit.
  if (unit > 0) return 5 + unit + (least < 0 ? 1 : 0);
  return Math.max(5, formatCost(most, event.unit).length, formatCost(least, event.unit).length);
}, 8);

/** Whether numbers are shortened to six cells (1.23M): on narrow screens, and where names need the width. */
export const isNarrow = (c: ColumnContext) => c.medium === 'screen' && (c.width < 60 || c.shortCosts === true);

/** Heading, width and alignment of a cost column. `mark`: cells for a mark before the number. */
export function costColumnLayout(
  c: ColumnContext,
  title: string,
  event: Event = c.event,
  mark = 0,
): Pick<Column<never>, 'title' | 'width' | 'align'> & { readonly unitCells: number } {
  const heading = `${MEASURE_TITLES[event.measure ?? 'now']}${title}`;
  const unit = { unitCells: event.per || event.measure === 'percent' ? 0 : unitCells(event.unit) };
  // Text columns take the width of their contents.
  if (c.medium === 'text') return { title: heading, align: 'right', ...unit };
  const change = isChange(event) ? 1 + (noiseOf(c.analysis, event)?.known ? 1 : 0) : 0;
  const width = (isNarrow(c) ? 6 : numberCellsOf(c.analysis, event)) + change;
  // One cell more than the heading: a sorted column has a mark before its heading.
  const columnWidth = Math.max(width, Math.min(heading.length + 1, 10));
  return { title: heading.slice(0, Math.max(width, columnWidth - 1)), width: columnWidth + mark, align: 'right', ...unit };
}

export function costText(c: ColumnContext, value: Exact, estimated = false, event: Event = c.event): string {
  const mark = estimated ? '≈' : '';
  if (event.measure === 'percent') return mark + formatChange(Number(value));
  if (event.per) return (Number.isNaN(Number(value)) ? '' : mark) + formatRatio(Number(value));
  // Estimates are shown without decimals.
  const shown = estimated && typeof value === 'number' && unitCells(event.unit) === 0 ? Math.round(value) : value;
  const sign = event.measure === 'delta' && shown > 0 ? '+' : '';
  return mark + sign + (isNarrow(c) ? formatShortCost(Number(shown), event.unit) : formatCost(shown, event.unit));
}

/** The cost of a row. A difference that may be noise is dim and marked ±; a lower cost has the style of faster rows. */
export function costCell(c: ColumnContext, costs: CostTable, row: number, estimated = false, event = c.event) {
  const text = costText(c, exactValue(event, costs, row), estimated, event);
  return changeCell(c, text, (run) => eventValue(run, costs, row), event);
}

/** A cost as a cell; a difference is dim and marked ± within noise, styled as more or less. `costIn`: the cost in the event of a run. */
export function changeCell(c: ColumnContext, text: string, costIn: (run: Event) => number, event = c.event): string | TableCell {
  if (!isChange(event)) return text;
  const [now, before] = eventOfBothRuns(c.analysis, event).map(costIn);
  const noise = noiseOf(c.analysis, event);
  if (noise?.known && now !== before && Math.abs(now - before) <= noise.half(now, before))
    return { text: '±' + text, style: 'dim' };
  return now === before ? text : { text, style: now < before ? 'less' : 'more' };
}

/** The base of percentages: the total, or in mode `left` the total after transforms. */
export function percentageBaseIn(c: Pick<ColumnContext, 'analysis' | 'percent' | 'event' | 'shareBase'>): number {
  const { analysis, event, shareBase } = c;
  if (shareBase !== undefined) return shareBase;
  if (c.percent !== 'left') return percentageBase(analysis, event);
  return Math.abs(eventValue(percentageEvent(event), analysis.totals.total, 0));
}

/**
 * The context inside of a routine, or of the cycle in a row of `inclusive`: percentages are shares of its inclusive cost.
 * Differences remain shares of the total.
 */
export function insideRoutine<C extends ColumnContext>(c: C, row: number, inclusive?: CostTable): C {
  if (c.percent !== 'usual' || c.analysis.before || row < 0) return c;
  const shareBase = Math.abs(eventValue(percentageEvent(c.event), inclusive ?? c.analysis.totals.inclusive, row));
  return shareBase > 0 ? { ...c, shareBase } : c;
}

/** A cost as a share of the total; in mode `parent`, of the parent's cost. The style always depends on the share of the total. */
export function shareCell(c: ColumnContext, value: number, parent?: (event: Event) => number): TableCell {
  if (c.percent === 'none' || c.event.per) return { text: '' };
  const whole = percentageBaseIn(c);
  const of = c.percent === 'parent' && parent ? parent(percentageEvent(c.event)) : whole;
  if (c.event.measure === 'delta') return { text: formatSignedPercent(value, of), style: changeStyle(value / whole) };
  return { text: formatPercent(value, of), style: heatStyle(value / whole) };
}

/** Whether one run has costs of both signs, such as freed memory: no sum is then a whole. */
export const hasMixedSigns = ({ analysis, event }: Pick<ColumnContext, 'analysis' | 'event'>): boolean =>
  !analysis.before && !event.per && isDifference(analysis, event);

/** The total that percentages refer to, where it is not that of the lines, which the recorded one may exceed; '' if they are equal. */
export function otherWholeText(
  { analysis, event }: Pick<ColumnContext, 'analysis' | 'event'>,
  format: (value: Exact, unit: Unit) => string,
): string {
  if (event.per || hasMixedSigns({ analysis, event })) return '';
  const lines = Math.abs(eventValue(event, analysis.totals.total, 0));
  const whole = format(percentageBase(analysis, event), event.unit);
  return whole === format(lines, event.unit) ? '' : whole;
}

/** A column of shares; none if percentages are hidden or the costs are already percentages. */
export function shareColumn<Row>(
  c: ColumnContext,
  id: string,
  text: (row: Row) => string | TableCell,
  options: Partial<Pick<Column<Row>, 'rank' | 'title' | 'width'>> = {},
): Column<Row>[] {
  if (c.percent === 'none' || c.event.measure === 'percent' || hasMixedSigns(c)) return [];
  const title = c.shareBase === undefined ? (options.title ?? '%') : 'of it';
  return [{ id, width: 7, align: 'right', rank: 8, text, ...options, title }];
}

/** Columns of self cost, one for each further event that the user chose. `own`: column properties by event. */
export function extraEventColumns<Row>(
  c: ColumnContext,
  text: (event: Event, row: Row) => string | TableCell,
  own: (event: Event) => Partial<Column<Row>> = () => ({}),
): Column<Row>[] {
  return c.extraEvents.map((event) => ({
    ...costColumnLayout(c, event.name, event, markWidth(c, 'self')),
    id: event.name,
    rank: 5,
    text: (row) => text(event, row),
    ...own(event),
  }));
}

/** Returns a function that sorts all rows of a table by an event; differences are sorted by absolute value. */
export const makeEventOrder =
  (event: Event, costs: CostTable, rows: number) =>
  (descending: boolean, among?: Uint32Array): Uint32Array =>
    orderByNumber(magnitudes(eventColumn(event, costs, rows)), descending, among);

/** A call count in the run that the context shows. The last column of `costs` contains the base's counts. */
export const callCountAt = (c: ColumnContext, counts: ArrayLike<number>, costs: CostTable, row: number): number =>
  c.side === 'before' ? costs[costs.length - 1][row] * callsScale(c.analysis) : counts[row];

/** The runs that have a row; both runs if `sides` is undefined. */
export const rowSidesAt = (sides: RunMask | undefined, row: number): RowSides => ({ in: sides?.[row] ?? 3 });

/** A cost in JSON; null for a ratio with divisor 0. */
export function costJson(event: Event, costs: CostTable, row: number): Exact | null {
  const value = exactValue(event, costs, row);
  return Number.isNaN(value) ? null : value;
}

/** The costs of a table row as an object by event name. Estimates are rounded. */
export const costsByName = (events: readonly Event[], costs: CostTable, row: number, estimated = false): Json =>
  valuesByName(events, (event) => costJson(event, costs, row), estimated);

export function valuesByName(events: readonly Event[], exactOf: (event: Event) => Exact | null, estimated: boolean): Json {
  const value = (event: Event): Json => {
    const exact = exactOf(event);
    if (Number.isNaN(exact)) return null;
    return estimated && !event.per && typeof exact === 'number' ? Math.round(exact) : exact;
  };
  // An event may be named __proto__, which Object.fromEntries() allows.
  return Object.fromEntries(events.map((event) => [event.name, value(event)]));
}

/** Width of the mark before estimates: 1 if any self or inclusive cost is an estimate, else 0. */
export const markWidth = ({ analysis }: ColumnContext, what: 'self' | 'inclusive'): number =>
  (what === 'self' ? analysis.totals.selfEstimated : analysis.totals.estimated?.inclusive)?.includes(1) ? 1 : 0;

/** For machines: whether a cost of the row is an estimate. */
export const estimatedColumn = <Row>({ analysis: { totals } }: ColumnContext, is: (row: Row) => boolean): Column<Row>[] =>
  flagColumn('estimated', totals.estimated !== undefined, is);

/** A column of self or inclusive costs, with an object by event name for machines. `own`: what else the table says of it. */
export const costColumn = <Row>(
  c: ColumnContext,
  what: 'self' | 'inclusive',
  title: string,
  value: (row: Row) => Json | undefined,
  own: Partial<Column<Row>>,
): Column<Row> =>
  dataColumn<Row>(what, value, { ...costColumnLayout(c, title, c.event, markWidth(c, what)), measured: true, ...own });

/** The recorded costs, in which recursion may count twice; shown on request. Rows with the same `costs` stay empty. */
export function recordedColumn<Row>(
  c: ColumnContext,
  recorded: CostTable | undefined,
  rowOf: (row: Row) => number,
  costs?: CostTable,
): Column<Row>[] {
  if (!recorded) return [];
  const text = (r: Row) => (rowOf(r) < 0 ? '' : costText(c, exactValue(c.event, recorded, rowOf(r))));
  const has = (row: number) => row >= 0 && (!costs || recorded.some((column, k) => column[row] !== costs[k][row]));
  return [
    dataColumn(RECORDED_COLUMN, (r) => (has(rowOf(r)) ? costsByName(c.analysis.events, recorded, rowOf(r)) : undefined), {
      ...costColumnLayout(c, RECORDED_COLUMN),
      optional: true,
      text: c.extraParts.includes(RECORDED_COLUMN) ? text : undefined,
      rank: 2,
      measured: true,
      key: (r) => (rowOf(r) < 0 ? 0 : Math.abs(eventValue(c.event, recorded, rowOf(r)))),
    }),
  ];
}

/** The mark of each heat level, for screens without colours. */
const HEAT_MARKS: Readonly<Record<string, string>> = { heat1: '▁', heat2: '▃', heat3: '▅', heat4: '▇', heat5: '█' };

/** A share as a background and a mark of one cell; '' for 0. */
export function heatMark(share: number): string | TableCell {
  const style = heatFill(Math.abs(share));
  return share === 0 ? '' : { text: HEAT_MARKS[style], style };
}
