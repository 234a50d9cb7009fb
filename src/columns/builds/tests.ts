// The columns of test results, beside those of the base if there is one.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { statusRank, testPairs } from '../../analysis/builds/tests.ts';
import { memo } from '../../base/lists.ts';
import type { Style } from '../../base/style.ts';
import { cellWidth, visible } from '../../base/text.ts';
import type { TestResult } from '../../model/steps/tests.ts';
import { dataColumn, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, onScreen } from '../column.ts';
import { baseWithTable, makeListing } from '../listing.ts';
import { pairRows } from '../paired.ts';
import { msText, timeColumn, timeOrUnknown } from '../times.ts';

const STATUS_STYLES: Readonly<Record<TestResult['status'], Style>> = { passed: 'plain', failed: 'error', 'not run': 'warm' };

const singleRunTests = makeListing<TestResult, 'steps'>({
  ...{ name: 'tests', requires: ['tests'], kind: 'steps' },
  keys: 'test status reason durationMs labels command output'.split(' '),
  columns: testColumns,
  all: ({ analysis }) => analysis.profile.steps.tests ?? [],
  texts: (t) => [t.name, ...t.labels, t.status, t.reason, t.command],
});

export const baseWithTests = (c: ColumnContext<'steps'>) => baseWithTable(c, 'tests');

export const testList = {
  ...pairRows(singleRunTests, baseWithTests),
  all: (c: ColumnContext<'steps'>) => testPairs(c.analysis, baseWithTests(c)),
};

const longestTextWidths = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'> | undefined) => {
  const all = testPairs(analysis, base).map(({ now, before }) => now ?? before);
  const most = (text: (t: TestResult) => string) =>
    all.reduce((cells, t) => (t ? Math.max(cells, cellWidth(visible(text(t)))) : cells), 0);
  return { reason: most((t) => t.reason), test: most((t) => t.name), labels: most((t) => t.labels.join(' ')) };
}, 2);

function testColumns(c: ColumnContext<'steps'>): Column<TestResult>[] {
  const us = (t: TestResult) => t.ms * 1000;
  const cells = longestTextWidths(c.analysis, baseWithTests(c));
  return [
    wordColumn('status', (t) => t.status, {
      ...{ width: 9, rank: 9, measured: true, was: true, key: (t) => -statusRank(t) },
      text: (t) => ({ text: `${t.status === 'failed' ? '✗ ' : '  '}${t.status}`, style: STATUS_STYLES[t.status] }),
    }),
    {
      ...timeColumn(c, 'duration', 'time', 9, us),
      title: onScreen(c, 'time', 'ms'),
      text: (t) => (Number.isNaN(t.ms) ? '' : onScreen(c, timeOrUnknown(us(t)), msText(us(t)))),
      key: (t) => t.ms || 0,
    },
    wordColumn('reason', (t) => t.reason, {
      ...{ width: 12, rank: 6, flex: 1, cut: 'end', most: Math.max(cells.reason, 'reason'.length) },
      value: (t) => t.reason || null,
    }),
    wordColumn('test', (t) => t.name, { width: 20, flex: 1, cut: 'middle', rank: 9, most: cells.test }),
    wordColumn('labels', (t) => t.labels.join(' '), {
      ...{ width: 16, rank: 4, cut: 'end', style: 'dim', value: (t) => [...t.labels] },
      ...(cells.labels > 0 ? {} : { text: undefined }),
    }),
    dataColumn('command', (t) => t.command || null),
    dataColumn('output', (t) => t.output || null),
  ];
}
