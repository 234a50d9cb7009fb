// Columns that accompany a difference of routines or lines: the relative change, both values, and whether the row is new or gone.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { memo } from '../base/lists.ts';
import { twoSidedBar } from '../base/text.ts';
import { type Exact, formatChange } from '../base/units.ts';
import { type Event, eventColumn, type Measure } from '../model/head.ts';
import { displayColumn } from './builders.ts';
import type { Column, ColumnContext, RowSides } from './column.ts';
import { showsChange, stateColumn } from './compared.ts';
import { costColumnLayout, costText, markWidth } from './costs.ts';
import { analysisOfRow, type RoutineRow, selfCostOfRow } from './routine-row.ts';

export const BAR_CELLS = 11;

/** The largest change of any routine's self cost, which scales the bars. */
const largestSelfChange = memo((analysis: Analysis, event: Event): number => {
  const values = eventColumn(event, analysis.totals.self, analysis.totals.calls.length);
  let most = 0;
  for (let r = 0; r < values.length; r++) most = Math.max(most, Math.abs(values[r]));
  return most;
}, 4);

const eventWithMeasure = (c: ColumnContext, measure: Measure) => eventInMeasure(c.analysis, c.event, measure);

/** A bar from the middle of the cell: to the left for a lower cost, to the right for a higher cost. */
export function changeBar(c: ColumnContext, r: RoutineRow): { text: string; style: 'hot' | 'call' } {
  const delta = eventWithMeasure(c, 'delta');
  const value = Number(selfCostOfRow(analysisOfRow(c.analysis, r), delta, r));
  return { text: twoSidedBar(value / (largestSelfChange(c.analysis, delta) || 1), BAR_CELLS), style: value > 0 ? 'hot' : 'call' };
}

/** Functions that return the values of change columns. */
export interface ChangeSource<Row> {
  readonly value: (event: Event, row: Row) => Exact;
  readonly isEstimated: (row: Row) => boolean;
  /** The runs that have a row; undefined for rows such as groups, which belong to no run. */
  readonly sides: (row: Row) => RowSides | undefined;
  readonly order: (event: Event) => Column<Row>['order'];
}

export function runValueColumns<Row>(c: ColumnContext, { value, isEstimated, sides, order }: ChangeSource<Row>) {
  const [now, before, percent] = [eventWithMeasure(c, 'now'), eventWithMeasure(c, 'before'), eventWithMeasure(c, 'percent')];
  // Rows of only one run have no relative change.
  const isInOneRun = (r: Row) => (sides(r)?.in ?? 3) !== 3;
  const side = (event: Event, title: string): Column<Row> =>
    displayColumn(title, (r) => costText(c, value(event, r), isEstimated(r), event), {
      ...costColumnLayout(c, title, event, markWidth(c, 'self')),
      title,
      rank: 5,
      order: order(event),
    });
  const change = displayColumn<Row>('change%', (r) => (isInOneRun(r) ? '' : formatChange(Number(value(percent, r)))), {
    ...{ title: 'Δ%', width: 8, align: 'right', rank: 8 },
    order: order(percent),
  });
  return [change, side(before, 'before'), side(now, 'now')];
}

/** The columns beside a difference: the relative change, both values, and the state of the row. */
export function changeColumns<Row>(c: ColumnContext, source: ChangeSource<Row>): Column<Row>[] {
  if (!showsChange(c)) return [];
  const columns = runValueColumns(c, source);
  return [...(c.event.measure === 'percent' ? columns.slice(1) : columns), ...stateColumn<Row>(c, source.sides)];
}
