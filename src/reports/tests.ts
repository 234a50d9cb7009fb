// The report of test results.
import { testOrder, testTable } from '../columns/tests.ts';
import type { TestResult } from '../model/steps/tests.ts';
import { report } from './print.ts';
import { ofKind, sorted } from './report.ts';

export const tests = report<TestResult, 'steps'>({
  name: 'tests',
  title: 'results of the tests of a build, failed and slowest first',
  asks: ['tests'],
  compares: false,
  sorts: ['status', 'duration', 'reason', 'test', 'labels'],
  of: ofKind('steps'),
  table: () => testTable,
  rows: (context) =>
    sorted(
      context,
      [...(context.analysis.profile.steps.tests ?? [])]
        .sort(testOrder)
        .filter((t) => !context.filtered || context.matches(t.name, ...t.labels, t.command)),
      testTable.columns(context),
    ),
});
