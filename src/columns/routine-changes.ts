// Columns of a routine in two runs beside the difference itself: the relative change, both values, and whether
// it is new or gone.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { magnitudes, orderByNumber } from '../analysis/answers/order.ts';
import { memo } from '../base/memo.ts';
import { sideBar } from '../base/text.ts';
import { formatChange } from '../base/units.ts';
import { type CostTable, eventColumn, eventValue, exactValue } from '../model/event-value.ts';
import type { Event, Measure } from '../model/head.ts';
import { shown } from './builders.ts';
import type { Column, ColumnContext } from './column.ts';
import { routineSides, showsChange, stateColumn } from './compared.ts';
import { costRoom, costText, markRoom } from './costs.ts';
import { analysisOf, costsOf, isGuessed, type RoutineRow, selfOf } from './routine-row.ts';

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

export function changeColumns(c: ColumnContext): Column<RoutineRow>[] {
  if (!showsChange(c)) return [];
  const { self } = c.analysis.totals;
  const [now, before, percent] = [as(c, 'now'), as(c, 'before'), as(c, 'percent')];
  const side = (event: Event, title: string): Column<RoutineRow> => ({
    ...costRoom(c, title, event, markRoom(c, 'self')),
    title,
    id: title,
    rank: 5,
    text(r) {
      const value = r.group ? selfValue(c, event, r) : exactValue(event, ...costsOf(c.analysis, 'self', r));
      return costText(c, value, isGuessed(c.analysis, 'self', r), event);
    },
    order: orderOf(c, event, self),
  });
  return [
    ...(c.event.measure === 'percent'
      ? []
      : [
          shown('change%', (r: RoutineRow) => (isAlone(c, r) ? '' : formatChange(selfValue(c, percent, r))), {
            title: 'Δ%',
            width: 8,
            align: 'right' as const,
            rank: 8,
            order: orderOf(c, percent, self),
          }),
        ]),
    side(before, 'before'),
    side(now, 'now'),
    ...stateColumn<RoutineRow>(c, (r) => (r.group ? undefined : routineSides(c, r.routine))),
  ];
}

/** New or gone: there is nothing that the difference could be a share of. */
const isAlone = (c: ColumnContext, r: RoutineRow) => !r.group && routineSides(c, r.routine).in !== 3;

function orderOf(c: ColumnContext, event: Event, costs: CostTable): NonNullable<Column<RoutineRow>['order']> {
  const rows = c.analysis.totals.calls.length;
  return (descending, among) => orderByNumber(magnitudes(eventColumn(event, costs, rows)), descending, among);
}
