// Tests: what their runner said of them, failed and slowest first; beside a base, those that fail since.
import { broke, mended, statusText, stepOfTest, type TestPair } from '../../analysis/builds/tests.ts';
import { plural } from '../../base/units.ts';
import { testBase, testList } from '../../columns/builds/tests.ts';
import type { TestResult } from '../../model/steps/tests.ts';
import { rowsView } from '../parts/rows-view.ts';
import { factLine } from '../parts/step-detail.ts';
import type { ViewContext } from '../view.ts';

function facts({ now, before }: TestPair, c: ViewContext<'steps'>): string[] {
  if (!now) return before ? [`${before.name}: not in this run; before: ${statusText(before)}`] : [];
  const was = before ? [`before: ${statusText(before)}`] : testBase(c) ? ['not in the run before'] : [];
  return [`${now.name}: ${statusText(now)}`, ...was, ...(now.command === '' ? [] : [now.command])];
}

export const tests = rowsView({
  id: 'tests',
  title: 'Tests',
  digit: '',
  lists: [testList],
  sorts: 'same',
  empty: 'there are no tests',
  detail: (pair, c) => factLine(c, facts(pair, c)),
  mode(rows, c) {
    const count = (is: (pair: TestPair) => boolean) => rows.filter(is).length;
    const ended = (status: TestResult['status']) => count(({ now }) => now?.status === status);
    const others = [
      [count(mended), 'fixed'],
      [count(({ before }) => !before), 'new'],
      [count(({ now }) => !now), 'gone'],
    ] as const;
    const since = [`${count(broke)} of them since the base`, ...others.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`)];
    const all = plural(
      count(({ now }) => now !== undefined),
      'test',
    );
    const failed = `${ended('failed')} failed${testBase(c) ? ` (${since.join(', ')})` : ''}`;
    return `${all}, ${failed}, ${ended('not run')} not run`;
  },
  step: ({ now }, c) => (now ? stepOfTest(c.analysis, now) : -1),
  noEnter: ({ now }, c) =>
    !now ? 'this test is not in this run' : stepOfTest(c.analysis, now) < 0 ? 'the run of this test was not recorded' : undefined,
});
