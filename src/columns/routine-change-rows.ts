// The columns of routine changes: values in the base, values now, and the difference.

import { countInMeasure, eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { routineFile, routineObject } from '../analysis/names/names.ts';
import { type CostTable, eventValue, exactValue, type Measure } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { dataColumn, displayColumn } from './builders.ts';
import { bySize, type Column, type ColumnContext, type Json, type TableColumns } from './column.ts';
import { callCountChangeText, callsTitle, routineSides, rowStateOf, stateColumn } from './compared.ts';
import { costCell, costColumnLayout, costsByName, shareCell, shareColumn } from './costs.ts';
import { routineColumn, routineKey } from './names.ts';
import { runValueColumns } from './routine-changes.ts';

/** The table of routine changes. A row is a routine number. */
export const routineChangeTable: TableColumns<number, Kind> = {
  keys: ['routine', 'file', 'object', 'state', 'before', 'now', 'delta'],
  columns: (c) => [...costColumns(c), ...nameColumns(c), ...recordColumns(c)],
};

function measurementsJson(c: ColumnContext, measure: Measure, routine: number): Json {
  const { analysis } = c;
  const { totals, costing, events } = analysis;
  const measuredEvents = events.filter((e) => !e.per).map((event) => eventInMeasure(analysis, event, measure));
  const costs = (table: CostTable): Json => costsByName(measuredEvents, table, routine);
  const count = countInMeasure(analysis, measure, totals.calls[routine], totals.inclusive[totals.inclusive.length - 1][routine]);
  return {
    calls: costing.can.has('counts') ? count : null,
    self: costing.can.has('self') ? costs(totals.self) : null,
    inclusive: costing.can.has('inclusive') ? costs(totals.inclusive) : null,
  };
}

function recordColumns(c: ColumnContext): Column<number>[] {
  return [
    { id: 'state', title: 'state', value: (r) => rowStateOf(routineSides(c, r)) },
    ...(['before', 'now', 'delta'] as const).map((measure) =>
      dataColumn(measure, (r: number) => measurementsJson(c, measure, r)),
    ),
  ];
}

function costColumns(c: ColumnContext): Column<number>[] {
  const { analysis } = c;
  const { self, inclusive, calls } = analysis.totals;
  const delta = eventInMeasure(analysis, c.event, 'delta');
  const deltaContext: ColumnContext = { ...c, event: delta };
  const isEstimated = (what: 'self' | 'inclusive', r: number) => analysis.totals.estimated?.[what][r] === 1;
  const cost = (what: 'self' | 'inclusive'): Column<number> =>
    displayColumn(what, (r) => costCell(deltaContext, analysis.totals[what], r, isEstimated(what, r)), {
      ...costColumnLayout(deltaContext, what),
      ...bySize((r: number) => eventValue(delta, analysis.totals[what], r)),
    });
  return [
    cost('self'),
    ...shareColumn<number>(deltaContext, 'self%', (r) => shareCell(deltaContext, eventValue(delta, self, r))),
    ...runValueColumns<number>(c, {
      value: (event, r) => exactValue(event, self, r),
      isEstimated: (r) => isEstimated('self', r),
      sides: (r) => routineSides(c, r),
      order: () => undefined,
    }),
    ...(analysis.costing.can.has('inclusive') ? [cost('inclusive')] : []),
    ...(analysis.costing.can.has('counts')
      ? [
          displayColumn('calls', (r: number) => callCountChangeText(c, calls[r], inclusive[inclusive.length - 1][r]), {
            title: callsTitle(deltaContext),
            align: 'right' as const,
            ...bySize((r: number) => calls[r] - inclusive[inclusive.length - 1][r]),
          }),
        ]
      : []),
    ...stateColumn<number>(deltaContext, (r) => routineSides(c, r)),
  ];
}

function nameColumns(c: ColumnContext): Column<number>[] {
  const { profile } = c.analysis;
  return [
    routineColumn<number>(c, (r) => r, { key: (r) => routineKey(c.analysis, r).routine }),
    { id: 'file', title: 'file', value: (r) => routineFile(profile, r) },
    { id: 'object', title: 'object', value: (r) => routineObject(profile, r) },
  ];
}
