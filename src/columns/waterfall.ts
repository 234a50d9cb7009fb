// The columns of a waterfall: a row a step, with its bar on the time axis of the whole build.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { criticalPathOf } from '../analysis/answers/steps/critical.ts';
import { stepFile } from '../analysis/answers/steps/step-names.ts';
import { activeSteps, endUs, failed, ran, stepName, stepText, stepTexts, windowOf } from '../analysis/answers/steps/steps.ts';
import { memo } from '../base/memo.ts';
import { data, known, words } from './builders.ts';
import { type Column, type ColumnContext, onScreen, type Table } from './column.ts';
import type { Listing } from './listing.ts';
import { timeColumn } from './times.ts';

/** Cells of everything beside the bar, and the least and most that a bar has. */
const BESIDE = 52;
const [LEAST, MOST] = [16, 200];

export const barWidth = (width: number): number => Math.max(LEAST, Math.min(MOST, width - BESIDE));

/** A bar from one time to another, of a window, in so many cells: never without one. */
export function barText(from: number, to: number, window: readonly [number, number], width: number): string {
  const range = Math.max(1e-9, window[1] - window[0]);
  const at = Math.min(width - 1, Math.max(0, Math.floor(((from - window[0]) / range) * width)));
  const end = Math.min(width, Math.max(at + 1, Math.round(((to - window[0]) / range) * width)));
  return ' '.repeat(at) + '━'.repeat(end - at);
}

const table: Table<number, 'steps'> = {
  keys: 'startMs durationMs step role target result'.split(' '),
  columns: (c) => [...timeColumns(c), barColumn(c), ...nameColumns(c)],
};

const inOrder = memo((analysis: Analysis<'steps'>): readonly number[] =>
  Array.from(activeSteps(analysis)).filter((i) => ran(analysis.profile.steps, i)),
);

export const waterfallList: Listing<number, 'steps'> = {
  ...{ name: 'waterfall', asks: ['steps'], kind: 'steps' },
  table: () => table,
  all: ({ analysis }) => inOrder(analysis),
  texts: (i, { analysis }) => stepTexts(analysis.profile, i),
};

function timeColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const { steps } = c.analysis.profile;
  const [origin] = windowOf(c.analysis);
  return [
    { ...timeColumn<number>(c, 'start', 'start', 5, (i) => steps.startUs[i] - origin), ascends: true },
    timeColumn(c, 'duration', 'time', 9, (i) => steps.durationUs[i]),
  ];
}

function barColumn(c: ColumnContext<'steps'>): Column<number> {
  const { steps } = c.analysis.profile;
  const window = windowOf(c.analysis);
  const width = barWidth(c.width);
  return {
    id: 'bar',
    title: 'when',
    width,
    rank: 8,
    text(i) {
      if (!ran(steps, i)) return '';
      const critical = criticalPathOf(c.analysis).ready?.on[i] === 1;
      const style = failed(steps, i) ? 'error' : critical ? 'hot' : 'plain';
      return { text: barText(steps.startUs[i], endUs(steps, i), window, width), style };
    },
  };
}

function nameColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const { profile } = c.analysis;
  const { steps } = profile;
  return [
    words('step', (i) => stepName(profile, i), {
      ...{ width: 20, flex: 1, cut: 'middle', rank: 9 },
      text: (i) => (failed(steps, i) ? '✗ ' : '') + onScreen(c, stepFile(profile, i), stepName(profile, i)),
    }),
    data('role', (i) => stepText(profile, 'role', i)),
    data('target', (i) => stepText(profile, 'target', i)),
    data('result', (i) => known(steps.result[i])),
  ];
}
