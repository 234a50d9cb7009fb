// Columns of costs: numbers, shares of the whole, and how wide they must be.
import { type Analysis, wholeEvent, wholeOf } from '../analysis/answers/analysis.ts';
import { callsScale, measured } from '../analysis/answers/compared/measure.ts';
import { noiseOf } from '../analysis/answers/compared/noise.ts';
import type { Sides } from '../analysis/answers/costing.ts';
import { magnitudes, orderByNumber } from '../analysis/answers/order.ts';
import { RECORDED } from '../analysis/answers/part-columns.ts';
import { memo } from '../base/memo.ts';
import { type Cell, heat } from '../base/style.ts';
import {
  costDecimals,
  type Exact,
  formatChange,
  formatCost,
  formatPercent,
  formatRatio,
  formatShortCost,
  formatSignedPercent,
  isTimeUnit,
  wholeCost,
} from '../base/units.ts';
import { type CostTable, eventColumn, eventValue, exactValue } from '../model/event-value.ts';
import type { Event, Measure } from '../model/head.ts';
import { data } from './builders.ts';
import type { Column, ColumnContext, Json, RowSides } from './column.ts';

/** Before the heading of a cost: what of two runs it is. */
const MEASURE_TITLES: Readonly<Record<Measure, string>> = { now: '', before: 'old ', delta: 'Δ ', percent: 'Δ% ' };

interface Room {
  readonly cells: number;
  readonly decimals: number;
}

/** The width of the event's longest number in this profile, and how many decimals its numbers have: numbers are never cut. */
const widest = memo((analysis: Analysis, event: Event): Room => {
  if (event.per) return { cells: 8, decimals: 0 };
  let most = wholeOf(analysis, event);
  let least = 0;
  let decimals = 0;
  for (const costs of [analysis.totals.self, analysis.totals.inclusive]) {
    const values = eventColumn(event, costs, analysis.profile.routines.name.length);
    for (let i = 0; i < values.length; i++) {
      if (values[i] > most) most = values[i];
      if (values[i] < least) least = values[i];
    }
    decimals = Math.max(decimals, costDecimals(values, event.unit));
  }
  // A small number may have more decimals than the largest.
  const room = (value: number) => formatCost(wholeCost(value, event.unit), event.unit).length + (decimals > 0 ? 1 + decimals : 0);
  return { cells: Math.max(5, room(most), room(least)), decimals };
}, 8);

const MS = ' ms';

/** On narrow screens, and where names need the room, numbers are shortened to six cells: 1.23M. */
export const isNarrow = (c: ColumnContext) => c.medium === 'screen' && (c.width < 60 || c.shortCosts === true);

/** The room that a cost column needs. `mark`: cells for a mark before the number. */
export function costRoom(
  c: ColumnContext,
  title: string,
  event: Event = c.event,
  mark = 0,
): Pick<Column<never>, 'title' | 'width' | 'align' | 'msDecimals'> {
  const inMs = c.medium === 'screen' && !isNarrow(c) && !event.per && event.measure !== 'percent' && isTimeUnit(event.unit);
  const heading = `${MEASURE_TITLES[event.measure ?? 'now']}${title}${inMs ? MS : ''}`;
  // Text is as wide as what it holds.
  if (c.medium === 'text') return { title: heading, align: 'right' };
  const change = event.measure === 'delta' ? 1 + (noiseOf(c.analysis, event)?.known ? 1 : 0) : 0;
  const { cells, decimals } = widest(c.analysis, event);
  const width = (isNarrow(c) ? 6 : cells - (inMs ? MS.length : 0)) + change;
  // A sorted column's heading has a mark in front.
  const room = Math.max(width, Math.min(heading.length + 1, inMs ? 14 : 10));
  return {
    title: heading.slice(0, Math.max(width, room - 1)),
    width: room + mark,
    align: 'right',
    ...(inMs ? { msDecimals: decimals } : {}),
  };
}

export function costText(c: ColumnContext, value: Exact, estimated = false, event: Event = c.event): string {
  const mark = estimated ? '≈' : '';
  if (event.measure === 'percent') return mark + formatChange(Number(value));
  if (event.per) return mark + formatRatio(Number(value));
  // An estimate is no more exact than its digits before the point.
  const shown = estimated && typeof value === 'number' && !isTimeUnit(event.unit) ? Math.round(value) : value;
  const sign = event.measure === 'delta' && shown > 0 ? '+' : '';
  return mark + sign + (isNarrow(c) ? formatShortCost(Number(shown), event.unit) : formatCost(shown, event.unit));
}

/** The cost of a row. A difference that may be chance is dim and marked; one that is less has the style of what is faster. */
export function costCell(
  c: ColumnContext,
  costs: CostTable,
  row: number,
  estimated = false,
  event: Event = c.event,
): string | Cell {
  const text = costText(c, exactValue(event, costs, row), estimated, event);
  if (event.measure !== 'delta') return text;
  const side = (measure: 'now' | 'before') => eventValue(measured(c.analysis, event, measure), costs, row);
  return changeCell(c, text, side('now'), side('before'), event);
}

/** The text of a difference, by what it is a difference of. */
export function changeCell(c: ColumnContext, text: string, now: number, before: number, event: Event = c.event): string | Cell {
  const noise = noiseOf(c.analysis, event);
  if (noise?.known && now !== before && Math.abs(now - before) <= noise.half(now, before))
    return { text: '±' + text, style: 'dim' };
  return now < before ? { text, style: 'call' } : text;
}

/** The base of percentages here: of the whole, or of what transforms left of it. */
export function wholeIn(c: Pick<ColumnContext, 'analysis' | 'percent' | 'event'>): number {
  const { analysis, event } = c;
  if (c.percent !== 'left') return wholeOf(analysis, event);
  return Math.abs(eventValue(wholeEvent(event), analysis.totals.total, 0));
}

/** The share of the whole, or in that mode of the parent, of which `parent` is the cost in an event; styled by the share of the whole. */
export function shareCell(c: ColumnContext, value: number, parent?: (event: Event) => number): Cell {
  if (c.percent === 'none' || c.event.per) return { text: '' };
  const whole = wholeIn(c);
  const of = c.percent === 'parent' && parent ? parent(wholeEvent(c.event)) : whole;
  if (c.event.measure === 'delta')
    return { text: formatSignedPercent(value, of), style: value < 0 ? 'call' : heat(value / whole) };
  return { text: formatPercent(value, of), style: heat(value / whole) };
}

/** A column of shares; none if percentages are off, or of what is a share itself. */
export function shareColumn<Row>(
  c: ColumnContext,
  id: string,
  text: (row: Row) => string | Cell,
  options: Partial<Pick<Column<Row>, 'rank' | 'title'>> = {},
): Column<Row>[] {
  // A share of shares says nothing.
  if (c.percent === 'none' || c.event.measure === 'percent') return [];
  return [{ id, title: '%', width: 7, align: 'right', rank: 8, text, ...options }];
}

/** Columns of self cost in the further events that the user chose. `own`: more of a column, by its event. */
export function eventColumns<Row>(
  c: ColumnContext,
  text: (event: Event, row: Row) => string | Cell,
  own: (event: Event) => Partial<Column<Row>> = () => ({}),
): Column<Row>[] {
  return c.extraEvents.map((event) => ({
    ...costRoom(c, event.name, event, markRoom(c, 'self')),
    id: event.name,
    rank: 5,
    text: (row) => text(event, row),
    ...own(event),
  }));
}

/** The order of all rows of a table by an event; of differences, by their size. */
export const orderOf =
  (event: Event, costs: CostTable, rows: number) =>
  (descending: boolean, among?: Uint32Array): Uint32Array =>
    orderByNumber(magnitudes(eventColumn(event, costs, rows)), descending, among);

/** A count of calls in the run that the context is of. `costs` has those of the base as its last column. */
export function countAt(c: ColumnContext, counts: ArrayLike<number>, costs: CostTable, row: number): number {
  return c.side === 'before' ? costs[costs.length - 1][row] * callsScale(c.analysis) : counts[row];
}

/** Which of two runs has a row of a table. */
export const sidesAt = (sides: Sides | undefined, row: number): RowSides => ({ in: sides?.[row] ?? 3 });

/** A cost for machines; null for a ratio by zero. */
export function costData(event: Event, costs: CostTable, row: number): Exact | null {
  const value = exactValue(event, costs, row);
  return Number.isNaN(value) ? null : value;
}

/** Costs of a row of a table as an object by event name. Estimates are rounded. */
export function costsByName(
  events: readonly Event[],
  costs: CostTable,
  row: number,
  estimated = false,
): { readonly [event: string]: Json } {
  const value = (event: Event): Json => {
    const exact = costData(event, costs, row);
    return estimated && !event.per && typeof exact === 'number' ? Math.round(exact) : exact;
  };
  // Not by assignment: an event may be named __proto__.
  return Object.fromEntries(events.map((event) => [event.name, value(event)]));
}

/** Cells for the mark of estimates, where a table has some. */
export const markRoom = ({ analysis }: ColumnContext, what: 'self' | 'inclusive'): number =>
  analysis.totals.estimated?.[what].includes(1) ? 1 : 0;

/** The costs as the file has them, where a recursion counts some again: a text if asked for. Without `costs`, every row has them, but -1. */
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
    data(RECORDED, (r) => (has(rowOf(r)) ? costsByName(c.analysis.events, recorded, rowOf(r)) : undefined), {
      ...costRoom(c, RECORDED),
      optional: true,
      text: c.extraParts.includes(RECORDED) ? text : undefined,
      rank: 2,
      measured: true,
      key: (r) => (rowOf(r) < 0 ? 0 : Math.abs(eventValue(c.event, recorded, rowOf(r)))),
    }),
  ];
}

/** For machines: `true` where costs of the row are estimates. No column where everything is exact. */
export function estimatedColumn<Row>(known: boolean, estimated: (row: Row) => boolean): Column<Row>[] {
  if (!known) return [];
  return [{ id: 'estimated', title: 'estimated', optional: true, value: (row) => estimated(row) || undefined }];
}
