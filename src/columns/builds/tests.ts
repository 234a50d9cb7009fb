// The columns of test results, beside those of the base if there is one.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { rankOf, type TestPair, testPairs } from '../../analysis/builds/tests.ts';
import { memo } from '../../base/memo.ts';
import type { Style } from '../../base/style.ts';
import { cellWidth, visible } from '../../base/text.ts';
import type { TestResult } from '../../model/steps/tests.ts';
import { data, words } from '../builders.ts';
import { type Column, type ColumnContext, onScreen, type Table } from '../column.ts';
import { baseOf, type Listing } from '../listing.ts';
import { paired } from '../paired.ts';
import { msText, time, timeColumn } from '../times.ts';

const STYLES: Readonly<Record<TestResult['status'], Style>> = { passed: 'plain', failed: 'error', 'not run': 'warm' };

const table: Table<TestResult, 'steps'> = { keys: 'test status reason durationMs labels command output'.split(' '), columns };

/** The tests of one run, without an order. */
const ofOneRun: Listing<TestResult, 'steps'> = {
  ...{ name: 'tests', asks: ['tests'], kind: 'steps' },
  table: () => table,
  all: ({ analysis }) => analysis.profile.steps.tests ?? [],
  texts: (t) => [t.name, ...t.labels, t.status, t.reason, t.command],
};

/** The base, if it has results, too. */
export function testBase(c: ColumnContext<'steps'>) {
  const base = baseOf(c, 'steps');
  return base?.profile.steps.tests ? base : undefined;
}

export const testList: Listing<TestPair, 'steps'> = paired(ofOneRun, testBase, ({ analysis }, base) => testPairs(analysis, base));

/** Cells of the longest texts, in either run. */
const longest = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'> | undefined) => {
  const all = testPairs(analysis, base).map(({ now, before }) => now ?? before);
  const most = (text: (t: TestResult) => string) =>
    all.reduce((cells, t) => (t ? Math.max(cells, cellWidth(visible(text(t)))) : cells), 0);
  return { reason: most((t) => t.reason), test: most((t) => t.name), labels: most((t) => t.labels.join(' ')) };
}, 2);

function columns(c: ColumnContext<'steps'>): Column<TestResult>[] {
  const us = (t: TestResult) => t.ms * 1000;
  const cells = longest(c.analysis, testBase(c));
  return [
    words('status', (t) => t.status, {
      ...{ width: 9, rank: 9, measured: true, was: true, key: (t) => -rankOf(t) },
      text: (t) => ({ text: `${t.status === 'failed' ? '✗ ' : '  '}${t.status}`, style: STYLES[t.status] }),
    }),
    {
      ...timeColumn(c, 'duration', 'time', 9, us),
      title: onScreen(c, 'time', 'ms'),
      text: (t) => (Number.isNaN(t.ms) ? '' : onScreen(c, time(us(t)), msText(us(t)))),
      key: (t) => t.ms || 0,
    },
    words('reason', (t) => t.reason, {
      ...{
        width: 12,
        rank: 6,
        flex: 1,
        cut: 'end',
        most: Math.max(cells.reason, 'reason'.length),
        value: (t) => t.reason || null,
      },
    }),
    words('test', (t) => t.name, { width: 20, flex: 1, cut: 'middle', rank: 9, most: cells.test }),
    words('labels', (t) => t.labels.join(' '), {
      ...{ width: 16, rank: 4, cut: 'end', style: 'dim', value: (t) => [...t.labels] },
      ...(cells.labels > 0 ? {} : { text: undefined }),
    }),
    data('command', (t) => t.command || null),
    data('output', (t) => t.output || null),
  ];
}
