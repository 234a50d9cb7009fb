// The columns of calls between routines: of call sites, and of the edges of the call graph.
import { splitsCosts } from '../analysis/answers/analysis.ts';
import { countInMeasure, countsInMeasure } from '../analysis/answers/compared/measure.ts';
import type { CallSites } from '../analysis/answers/costing.ts';
import { magnitudes, orderByNumber } from '../analysis/answers/order.ts';
import { type Event, eventValue, withCalls } from '../model/head.ts';
import { displayColumn, flagColumn } from './builders.ts';
import { bySize, type Column, type ColumnContext } from './column.ts';
import { callCountText, callsTitle, stateColumn } from './compared.ts';
import {
  callCountAt,
  costCell,
  costColumnLayout,
  costsByName,
  makeEventOrder,
  recordedColumn,
  rowSidesAt,
  shareCell,
  shareColumn,
} from './costs.ts';
import { inlinedMark, nameCell, routineKey } from './names.ts';
import { perCallColumns } from './per-call.ts';

/** Columns of calls. `at`: a row's index in `table`. With two runs, rows are sorted by the size of their change. */
export function edgeColumns<Row>(c: ColumnContext, table: Omit<CallSites, 'file' | 'line'>, at: (row: Row) => number) {
  const { analysis } = c;
  withCalls(table.costs, table.count);
  const counts = analysis.costing.can.has('counts');
  const splits = splitsCosts(analysis);
  const isGuess = (row: Row) => table.estimated?.[at(row)] === 1;
  const before = (row: Row) => table.costs.at(-1)?.[at(row)] ?? 0;
  const by = (event: Event): Pick<Column<Row>, 'key' | 'amount' | 'order'> => ({
    ...bySize((row: Row) => eventValue(event, table.costs, at(row))),
    order: makeEventOrder(event, table.costs, table.caller.length),
  });
  const costs: Column<Row>[] = [
    displayColumn('inclusive', (row) => costCell(c, table.costs, at(row), isGuess(row)), {
      ...{ ...costColumnLayout(c, 'inclusive'), measured: true, ...by(c.event) },
      value: (row) => costsByName(analysis.events, table.costs, at(row), isGuess(row)),
    }),
    ...shareColumn<Row>(c, '%', (row) => shareCell(c, eventValue(c.event, table.costs, at(row)))),
    ...recordedColumn<Row>(c, table.recorded, at, table.costs),
    {
      ...{ id: 'count', title: callsTitle(c), align: 'right', measured: true },
      // Sampled profiles record no call counts.
      value: (row) => (counts ? callCountAt(c, table.count, table.costs, at(row)) : null),
      text: counts ? (row) => callCountText(c, table.count[at(row)], before(row), splits && isGuess(row)) : undefined,
      ...bySize((row: Row) => countInMeasure(analysis, c.event.measure, table.count[at(row)], before(row))),
      order: (descending, among) =>
        orderByNumber(magnitudes(countsInMeasure(analysis, c.event.measure, table.count, table.costs)), descending, among),
    },
    ...perCallColumns<Row>(
      c,
      { inclusive: { of: (event, row) => eventValue(event, table.costs, at(row)), isEstimated: isGuess } },
      (row) => [table.count[at(row)], before(row)],
    ),
  ];
  const routine = (id: 'caller' | 'callee'): Column<Row> => ({
    ...{ id, title: id, flex: 1, cut: analysis.profile.granularity === 'line' ? 'place' : 'middle' },
    value: (row) => routineKey(analysis, table[id][at(row)]),
    text: (row) => nameCell(c, table[id][at(row)], { after: id === 'callee' ? inlinedMark(table.inlined?.[at(row)]) : '' }),
  });
  return {
    costs: [...costs, ...stateColumn<Row>(c, (row) => rowSidesAt(table.sides, at(row)))],
    ends: [routine('caller'), routine('callee')],
    estimated: flagColumn<Row>('estimated', table.estimated !== undefined, isGuess),
    inlined: flagColumn<Row>('inlined', table.inlined !== undefined, (row) => table.inlined?.[at(row)]),
    /** Columns only for --sort: the cost in another event. */
    sorts: analysis.events.map((e): Column<Row> => ({ id: e.name, title: e.name, ...by(e) })),
  };
}
