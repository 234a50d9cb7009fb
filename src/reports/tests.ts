// The report of test results.
import { testOrder, testTable } from '../columns/tests.ts';
import type { TestResult } from '../model/steps/tests.ts';
import { report } from './print.ts';

export const tests = report<TestResult, 'steps'>({
  name: 'tests',
  title: 'results of the tests of a build, failed and slowest first',
  asks: ['tests'],
  compares: false,
  sorts: ['status', 'duration', 'reason', 'test', 'labels'],
  kind: 'steps',
  table: () => testTable,
  all: ({ analysis }) => [...(analysis.profile.steps.tests ?? [])].sort(testOrder),
  texts: (t) => [t.name, ...t.labels, t.command],
});
