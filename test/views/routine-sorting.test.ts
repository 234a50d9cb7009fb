// A column of routines that is added once sorts on the screen as it does in --print.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { numberColumn } from '../../src/columns/builders.ts';
import type { Column } from '../../src/columns/column.ts';
import type { RoutineRow } from '../../src/columns/routine-row.ts';
import { routineTable } from '../../src/columns/routines.ts';
import { sortedRoutines } from '../../src/reports/routines.ts';
import { routineRowsOf } from '../../src/views/routine-rows.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadAnalysis } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';

const file = join(FIXTURES, 'callgrind/default.callgrind.out');

/** Does something while the table of routines has a column more. */
async function withColumn<T>(added: Column<RoutineRow>, work: () => T | Promise<T>): Promise<T> {
  const { columns } = routineTable;
  Object.assign(routineTable, { columns: (c: Parameters<typeof columns>[0]) => [...columns.call(routineTable, c), added] });
  try {
    return await work();
  } finally {
    Object.assign(routineTable, { columns });
  }
}

const rowsBy = (analysis: Analysis, column: string) =>
  routineRowsOf(analysis, eventInMeasure(analysis, analysis.events[0], 'delta'), undefined, column, true, 'none', new Set(), 0)
    .order;

test('the screen sorts by any column, also one that it has never heard of', async () => {
  const analysis = await loadAnalysis(file);
  const routines = analysis.profile.routines.name.length;
  // By number, the last first.
  const added = {
    id: 'number',
    title: 'number',
    text: (r: RoutineRow) => String(r.routine),
    order: (descending: boolean) => Uint32Array.from({ length: routines }, (_, i) => (descending ? routines - 1 - i : i)),
  };
  await withColumn(added, () =>
    assert.deepEqual([...rowsBy(analysis, 'number').slice(0, 3)], [routines - 1, routines - 2, routines - 3]),
  );
});

test('a column with a key and no order sorts as well, on the screen and in --print', async () => {
  const analysis = await loadAnalysis(file);
  const { calls } = analysis.totals;
  const added = numberColumn<RoutineRow>('number', (r) => calls[r.routine] ?? 0);
  const most = [...calls].sort((a, b) => b - a);
  await withColumn(added, async () => {
    const shown = rowsBy(analysis, 'number');
    assert.deepEqual(
      [...shown].map((r) => calls[r]),
      most,
    );
    const context = { ...contextOf(analysis.profile), sort: { column: 'number', descending: undefined } };
    const printed = [...sortedRoutines(context)];
    assert.deepEqual(
      printed.map((r) => calls[r]),
      most,
    );
  });
});
