// Cost per call: whether a routine got slower, or is called more often.
import { countInMeasure, eventOfBothRuns } from '../analysis/answers/compared/measure.ts';
import { PER_CALL_COLUMN } from '../analysis/answers/part-columns.ts';
import type { Event } from '../model/head.ts';
import { dataColumn, displayColumn, nullIfNaN } from './builders.ts';
import type { Column, ColumnContext } from './column.ts';
import { costColumnLayout, costText, markWidth } from './costs.ts';

/** The calls of a row in each run. */
export type CallCounts = readonly [now: number, before: number];

/** A cost divided by the calls, in the measure of the event. NaN without calls, and for ratios. */
function costPerCall({ analysis }: ColumnContext, event: Event, cost: (event: Event) => number, counts: CallCounts): number {
  const inRun = (of: Event) => {
    const calls = countInMeasure(analysis, of.measure, ...counts);
    return of.per || !(calls > 0) ? Number.NaN : cost(of) / calls;
  };
  if (event.measure !== 'delta' && event.measure !== 'percent') return inRun(event);
  const [now, before] = eventOfBothRuns(analysis, event).map(inRun);
  return event.measure === 'delta' ? now - before : (now - before) / before;
}

/** A cost of rows: NaN if it is unknown. */
interface CallCost<Row> {
  readonly of: (event: Event, row: Row) => number;
  readonly isEstimated: (row: Row) => boolean;
}

/**
 * The columns of costs per call: `perCall` for machines and for --sort, and for people, on request, one for each entry of `costs`.
 * The last entry is the one to sort by.
 */
export function perCallColumns<Row>(
  c: ColumnContext,
  costs: Readonly<Record<string, CallCost<Row>>>,
  countsOf: (row: Row) => CallCounts | undefined,
): Column<Row>[] {
  const { costing } = c.analysis;
  const events = c.analysis.events.filter((e) => !e.per);
  if (!costing.can.has('counts')) return [];
  const value = (what: string, event: Event, row: Row): number => {
    const counts = countsOf(row);
    return counts ? costPerCall(c, event, (of) => costs[what].of(of, row), counts) : Number.NaN;
  };
  const names = Object.keys(costs);
  const json = (row: Row) => {
    const counts = countsOf(row);
    if (!counts || !(countInMeasure(c.analysis, c.side, ...counts) > 0)) return null;
    const byEvent = (what: string) => Object.fromEntries(events.map((e) => [e.name, nullIfNaN(value(what, e, row))] as const));
    return Object.fromEntries(names.map((what) => [what, byEvent(what)]));
  };
  const texts = names.map((what): Column<Row> => {
    const text = (row: Row) => {
      const cost = value(what, c.event, row);
      const mark = costs[what].isEstimated(row) ? '≈' : '';
      return Number.isNaN(cost) ? '' : mark + costText(c, c.event.measure === 'percent' ? cost : rounded(cost));
    };
    const layout = costColumnLayout(
      c,
      `${what === 'inclusive' ? 'incl' : what}/call`,
      c.event,
      markWidth(c, what === 'self' ? what : 'inclusive'),
    );
    return displayColumn(`${what}PerCall`, text, { ...layout, rank: 4 });
  });
  return [
    dataColumn(PER_CALL_COLUMN, json, { measured: true, key: (row) => Math.abs(value(names[names.length - 1], c.event, row)) }),
    ...(c.extraParts.includes(PER_CALL_COLUMN) ? texts : []),
  ];
}

/** Averages are shown with two decimals below 100. */
const rounded = (cost: number): number => (Math.abs(cost) < 100 ? Math.round(cost * 100) / 100 : Math.round(cost));
