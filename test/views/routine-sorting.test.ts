// A column of routines that is added once sorts on the screen as it does in --print.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { measured } from '../../src/analysis/answers/compared/measure.ts';
import type { RoutineRow } from '../../src/columns/routine-row.ts';
import { routineTable } from '../../src/columns/routines.ts';
import { rowsOf } from '../../src/views/routine-rows.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadAnalysis } from '../support/load.ts';

test('the screen sorts by any column, also one that it has never heard of', async () => {
  const analysis = await loadAnalysis(join(FIXTURES, 'callgrind/default.callgrind.out'));
  const event = measured(analysis, analysis.events[0], 'delta');
  const routines = analysis.profile.routines.name.length;
  const { columns } = routineTable;
  // By number, the last first.
  const added = {
    id: 'number',
    title: 'number',
    text: (r: RoutineRow) => String(r.routine),
    order: (descending: boolean) => Uint32Array.from({ length: routines }, (_, i) => (descending ? routines - 1 - i : i)),
  };
  Object.assign(routineTable, { columns: (c: Parameters<typeof columns>[0]) => [...columns.call(routineTable, c), added] });
  try {
    const { order } = rowsOf(analysis, event, undefined, 'number', true, 'none', new Set(), 0);
    assert.deepEqual([...order.slice(0, 3)], [routines - 1, routines - 2, routines - 3]);
  } finally {
    Object.assign(routineTable, { columns });
  }
});
