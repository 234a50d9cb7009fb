// The columns of test results.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { memo } from '../base/memo.ts';
import type { Style } from '../base/style.ts';
import type { TestResult } from '../model/steps/tests.ts';
import { data, words } from './builders.ts';
import { type Column, type ColumnContext, onScreen, type Table } from './column.ts';
import type { Listing } from './listing.ts';
import { msText, time, timeColumn } from './times.ts';

const STYLES: Readonly<Record<TestResult['status'], Style>> = { passed: 'plain', failed: 'error', 'not run': 'warm' };

/** Failed first, then tests that did not run, then the slowest. */
export const testOrder = (a: TestResult, b: TestResult): number =>
  rankOf(b) - rankOf(a) || (b.ms || 0) - (a.ms || 0) || (a.name < b.name ? -1 : 1);
const rankOf = ({ status }: TestResult): number => (status === 'failed' ? 2 : status === 'not run' ? 1 : 0);

const inOrder = memo(({ profile }: Analysis<'steps'>): readonly TestResult[] => [...(profile.steps.tests ?? [])].sort(testOrder));

const table: Table<TestResult, 'steps'> = { keys: 'test status reason durationMs labels command'.split(' '), columns };

export const testList: Listing<TestResult, 'steps'> = {
  ...{ name: 'tests', asks: ['tests'], kind: 'steps' },
  table: () => table,
  all: ({ analysis }) => inOrder(analysis),
  texts: (t) => [t.name, ...t.labels, t.status, t.command],
};

function columns(c: ColumnContext<'steps'>): Column<TestResult>[] {
  const us = (t: TestResult) => t.ms * 1000;
  return [
    words('status', (t) => t.status, {
      ...{ width: 9, rank: 9, key: (t) => -rankOf(t) },
      text: (t) => ({ text: `${t.status === 'failed' ? '✗ ' : '  '}${t.status}`, style: STYLES[t.status] }),
    }),
    {
      ...timeColumn(c, 'duration', 'time', 9, us),
      title: onScreen(c, 'time', 'ms'),
      text: (t) => (Number.isNaN(t.ms) ? '' : onScreen(c, time(us(t)), msText(us(t)))),
      key: (t) => t.ms || 0,
    },
    words('reason', (t) => t.reason, { width: 12, rank: 6, cut: 'end', value: (t) => t.reason || null }),
    words('test', (t) => t.name, { width: 20, flex: 1, cut: 'middle', rank: 9 }),
    words('labels', (t) => t.labels.join(' '), { width: 16, rank: 4, cut: 'end', style: 'dim', value: (t) => [...t.labels] }),
    data('command', (t) => t.command || null),
  ];
}
