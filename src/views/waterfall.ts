// Waterfall: one row a step, in the order in which they began, beside the packed lanes of Gantt.

import type { Analysis } from '../analysis/analysis.ts';
import { criticalPathOf } from '../analysis/steps/critical.ts';
import { activeSteps, ran, stepTexts, windowOf } from '../analysis/steps/steps.ts';
import { memo } from '../base/memo.ts';
import { plural } from '../base/units.ts';
import { rangeText, time } from '../columns/times.ts';
import { waterfallTable } from '../columns/waterfall.ts';
import { rowsView } from './parts/rows-view.ts';
import { emptyText, stepDetail } from './parts/step-detail.ts';
import { ofKind } from './view.ts';

const inOrder = memo((analysis: Analysis<'steps'>): readonly number[] =>
  Array.from(activeSteps(analysis)).filter((i) => ran(analysis.profile.steps, i)),
);

export const waterfall = rowsView<'waterfall', number, 'steps'>({
  id: 'waterfall',
  title: 'Waterfall',
  digit: 'F',
  asks: ['steps'],
  of: ofKind('steps'),
  report: 'waterfall',
  sorts: 'same',
  empty: (c) => emptyText(c, 'no step has a place in time'),
  rows: inOrder,
  columns: waterfallTable.columns,
  texts: (i, c) => stepTexts(c.analysis.profile, i),
  detail: (i, c) => stepDetail(c, i),
  mode(rows, { analysis }) {
    const [from, to] = windowOf(analysis);
    return `${plural(rows.length, 'step')}, ${rangeText(analysis) || time(to - from)}`;
  },
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  step: (i) => i,
});
