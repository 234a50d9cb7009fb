// Columns of a routine or line in two runs beside the difference itself: the relative change, both values, and whether it is new or gone.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { memo } from '../base/memo.ts';
import { sideBar } from '../base/text.ts';
import { type Exact, formatChange } from '../base/units.ts';
import { eventColumn, eventValue } from '../model/event-value.ts';
import type { Event, Measure } from '../model/head.ts';
import { shown } from './builders.ts';
import type { Column, ColumnContext, RowSides } from './column.ts';
import { showsChange, stateColumn } from './compared.ts';
import { costRoom, costText, markRoom } from './costs.ts';
import { analysisOf, costsOf, type RoutineRow, selfOf } from './routine-row.ts';

export const CHANGE_BAR = 11;

/** The largest difference of a routine's self cost: the bars are drawn to its scale. */
const largest = memo((analysis: Analysis, event: Event): number => {
  const values = eventColumn(event, analysis.totals.self, analysis.totals.calls.length);
  let most = 0;
  for (let r = 0; r < values.length; r++) most = Math.max(most, Math.abs(values[r]));
  return most;
}, 4);

/** The self cost of a row, or of a group's routines together. */
export function selfValue(c: ColumnContext, event: Event, r: RoutineRow): number {
  if (r.group) return selfOf(analysisOf(c.analysis, r), event, r.group.routines);
  return eventValue(event, ...costsOf(c.analysis, 'self', r));
}

const as = (c: ColumnContext, measure: Measure) => measured(c.analysis, c.event, measure);

/** A bar to both sides of a middle line: less to the left, more to the right. */
export function changeBar(c: ColumnContext, r: RoutineRow): { text: string; style: 'hot' | 'call' } {
  const delta = as(c, 'delta');
  const value = selfValue(c, delta, r);
  return { text: sideBar(value / (largest(c.analysis, delta) || 1), CHANGE_BAR), style: value > 0 ? 'hot' : 'call' };
}

/** Where the columns of a difference have their numbers from. */
export interface Changing<Row> {
  readonly value: (event: Event, row: Row) => Exact;
  readonly guessed: (row: Row) => boolean;
  /** undefined for rows that are no things of a run. */
  readonly sides: (row: Row) => RowSides | undefined;
  readonly order: (event: Event) => Column<Row>['order'];
}

/** The numbers beside a difference: the relative change, both values, and whether the row is new or gone. */
export function changeColumns<Row>(c: ColumnContext, { value, guessed, sides, order }: Changing<Row>): Column<Row>[] {
  if (!showsChange(c)) return [];
  const [now, before, percent] = [as(c, 'now'), as(c, 'before'), as(c, 'percent')];
  // There is nothing that the difference could be a share of.
  const isAlone = (r: Row) => (sides(r)?.in ?? 3) !== 3;
  const side = (event: Event, title: string): Column<Row> =>
    shown(title, (r) => costText(c, value(event, r), guessed(r), event), {
      ...costRoom(c, title, event, markRoom(c, 'self')),
      title,
      rank: 5,
      ...sortedOn(order(event)),
    });
  return [
    ...(c.event.measure === 'percent'
      ? []
      : [
          shown<Row>('change%', (r) => (isAlone(r) ? '' : formatChange(Number(value(percent, r)))), {
            title: 'Δ%',
            width: 8,
            align: 'right',
            rank: 8,
            ...sortedOn(order(percent)),
          }),
        ]),
    side(before, 'before'),
    side(now, 'now'),
    ...stateColumn<Row>(c, sides),
  ];
}

const sortedOn = <Row>(order: Column<Row>['order']) => (order ? { order } : {});
