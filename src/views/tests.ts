// Tests: what CTest said of them, failed and slowest first.

import type { Analysis } from '../analysis/analysis.ts';
import { memo } from '../base/memo.ts';
import { plural } from '../base/units.ts';
import { testOrder, testTable } from '../columns/tests.ts';
import type { TestResult } from '../model/steps/tests.ts';
import { rowsView } from './parts/rows-view.ts';
import { factLine } from './parts/step-detail.ts';
import { ofKind } from './view.ts';

const inOrder = memo(({ profile }: Analysis<'steps'>): readonly TestResult[] => [...(profile.steps.tests ?? [])].sort(testOrder));

export const tests = rowsView<'tests', TestResult, 'steps'>({
  id: 'tests',
  title: 'Tests',
  digit: 'Y',
  asks: ['tests'],
  of: ofKind('steps'),
  report: 'tests',
  sorts: 'same',
  empty: 'there are no tests',
  rows: (analysis) => inOrder(analysis),
  columns: testTable.columns,
  texts: (t) => [t.name, ...t.labels, t.status, t.command],
  detail: (t, c) => factLine(c, [`${t.name}: ${t.status}${t.reason === '' ? '' : `, ${t.reason}`}`, t.command]),
  mode(rows) {
    const count = (status: TestResult['status']) => rows.filter((t) => t.status === status).length;
    return `${plural(rows.length, 'test')}, ${count('failed')} failed, ${count('not run')} not run`;
  },
});
