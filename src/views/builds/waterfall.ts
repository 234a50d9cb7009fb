// Waterfall: one row a step, in the order in which they began, beside the packed lanes of Gantt.

import { buildUs } from '../../analysis/answers/steps/steps.ts';
import { criticalPathOf } from '../../analysis/builds/critical.ts';
import { dependenciesOf } from '../../analysis/builds/needs.ts';
import { plural } from '../../base/units.ts';
import { CRITICAL_BAR, waterfallList } from '../../columns/builds/waterfall.ts';
import { rangeText, time } from '../../columns/times.ts';
import { rowsView } from '../parts/rows-view.ts';
import { emptyText, nothingRan } from '../parts/step-detail.ts';
import { stepDetail } from './step-detail.ts';

export const waterfall = rowsView({
  id: 'waterfall',
  title: 'Waterfall',
  digit: '',
  partOf: 'gantt',
  lists: [waterfallList],
  sorts: 'same',
  silent: nothingRan,
  empty: (c) => emptyText(c, 'no step has a place in time'),
  detail: (i, c) => stepDetail(c, i),
  mode(rows, { analysis }) {
    const waits = dependenciesOf(analysis).ready ? ', · ready but not started' : '';
    const critical = criticalPathOf(analysis).ready ? `, ${CRITICAL_BAR} critical path` : '';
    return `${plural(rows.length, 'step')}, ${rangeText(analysis) || time(buildUs(analysis))}${critical}${waits}`;
  },
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  step: (i) => i,
});
