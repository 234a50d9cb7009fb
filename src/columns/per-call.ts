// Cost per call: whether a routine got slower, or is called more often.
import { countInMeasure, eventOfBothRuns } from '../analysis/answers/compared/measure.ts';
import { PER_CALL_COLUMN } from '../analysis/answers/part-columns.ts';
import type { Event } from '../model/head.ts';
import { dataColumn, finiteOrNull } from './builders.ts';
import type { Column, ColumnContext } from './column.ts';
import { costColumnLayout, costText, markWidth } from './costs.ts';

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

/** The columns of costs per call: `perCall`, inclusive for people on request and for --sort, and one of self costs before it. */
export function perCallColumns<Row>(
  c: ColumnContext,
  costs: { readonly self?: CallCost<Row>; readonly inclusive: CallCost<Row> },
  countsOf: (row: Row) => CallCounts | undefined,
): Column<Row>[] {
  const events = c.analysis.events.filter((e) => !e.per);
  if (!c.analysis.costing.can.has('counts')) return [];
  const value = ({ of }: CallCost<Row>, event: Event, row: Row): number => {
    const counts = countsOf(row);
    return counts ? costPerCall(c, event, (inRun) => of(inRun, row), counts) : Number.NaN;
  };
  const json = (row: Row) => {
    const counts = countsOf(row);
    if (!counts || !(countInMeasure(c.analysis, c.side, ...counts) > 0)) return null;
    const byEvent = (cost: CallCost<Row>) =>
      Object.fromEntries(events.map((e) => [e.name, finiteOrNull(value(cost, e, row))] as const));
    return Object.fromEntries(Object.entries(costs).map(([what, cost]) => [what, byEvent(cost)]));
  };
  const isShown = c.extraParts.includes(PER_CALL_COLUMN);
  const layout = (title: string, what: 'self' | 'inclusive', cost: CallCost<Row>) => ({
    ...costColumnLayout(c, title, c.event, markWidth(c, what)),
    rank: 5,
    text(row: Row) {
      const average = value(cost, c.event, row);
      const mark = cost.isEstimated(row) ? '≈' : '';
      return Number.isNaN(average) ? '' : mark + costText(c, c.event.measure === 'percent' ? average : rounded(average));
    },
  });
  return [
    ...(isShown && costs.self ? [{ id: 'selfPerCall', ...layout('self/call', 'self', costs.self) }] : []),
    dataColumn(PER_CALL_COLUMN, json, {
      ...(isShown ? layout('incl/call', 'inclusive', costs.inclusive) : {}),
      measured: true,
      key: (row) => Math.abs(value(costs.inclusive, c.event, row)),
    }),
  ];
}

/** Averages are shown with two decimals below 100. */
const rounded = (cost: number): number => (Math.abs(cost) < 100 ? Math.round(cost * 100) / 100 : Math.round(cost));
