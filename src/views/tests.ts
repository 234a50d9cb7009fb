// Tests: what their runner said of them, failed and slowest first.
import { plural } from '../base/units.ts';
import { testList } from '../columns/tests.ts';
import type { TestResult } from '../model/steps/tests.ts';
import { rowsView } from './parts/rows-view.ts';
import { factLine } from './parts/step-detail.ts';

export const tests = rowsView({
  id: 'tests',
  title: 'Tests',
  digit: '',
  lists: [testList],
  sorts: 'same',
  empty: 'there are no tests',
  detail: (t, c) =>
    factLine(c, [`${t.name}: ${t.status}${t.reason === '' ? '' : `, ${t.reason}`}`, ...(t.command === '' ? [] : [t.command])]),
  mode(rows) {
    const count = (status: TestResult['status']) => rows.filter((t) => t.status === status).length;
    return `${plural(rows.length, 'test')}, ${count('failed')} failed, ${count('not run')} not run`;
  },
});
