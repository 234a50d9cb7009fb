// The columns of a waterfall: one row per step, with its bar on the time axis of the whole build.

import {
  endUs,
  hasRun,
  partsThatRan,
  stepFailed,
  stepName,
  stepsThatRan,
  stepText,
  stepTexts,
  timeWindowOf,
  wholeWindowOf,
} from '../../analysis/answers/steps/steps.ts';
import { criticalPath, type StepWait, stepWait, WAIT_WORDS } from '../../analysis/builds/critical.ts';
import { readyUs } from '../../analysis/builds/needs.ts';
import { barText } from '../../base/text.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { dataColumn, finiteOrNull, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, onScreen } from '../column.ts';
import { makeListing } from '../listing.ts';
import { msOrNull, msText, timeAxisText, timeColumn, timeOrUnknown } from '../times.ts';
import { roleColumn, stepNameText } from './step-names.ts';
import { readyCriticalPath } from './times.ts';

/** Width of the other columns, and minimum and maximum width of the bars; names get the rest of wide screens. */
const OTHER_COLUMNS_WIDTH = 40;
const [MIN_BAR_COLUMN_WIDTH, MAX_BAR_COLUMN_WIDTH] = [14, 200];
const BAR_COLUMN_SHARE = 0.4;

const barWidth = (width: number): number =>
  Math.max(
    MIN_BAR_COLUMN_WIDTH,
    Math.min(
      MAX_BAR_COLUMN_WIDTH,
      width - OTHER_COLUMNS_WIDTH,
      Math.max(width - 2 * OTHER_COLUMNS_WIDTH, Math.floor(width * BAR_COLUMN_SHARE)),
    ),
  );

/** The mark in the cell before the bars of critical steps, so that they differ even without colours. */
export const CRITICAL_MARK = '◆';

export const waterfallList = makeListing<number, 'steps'>({
  ...{ name: 'waterfall', requires: ['steps'], kind: 'steps' },
  keys: 'startMs durationMs step role target result waitedMs'.split(' '),
  columns(c) {
    // Text needs the critical path now; the screen computes the path in the background.
    if (c.medium === 'text') criticalPath(c.analysis);
    return [...nameColumns(c), ...timeColumns(c), barColumn(c)];
  },
  // The bar of a whole build says nothing beside those of its steps.
  all: (c) => onScreen(c, partsThatRan, stepsThatRan)(c.analysis),
  texts: (i, { analysis }) => stepTexts(analysis.profile, i),
});

function timeColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const { steps } = c.analysis.profile;
  const [origin] = timeWindowOf(c.analysis);
  /** The time between the last input of a step and its start; NaN if dependencies are unknown. */
  const waitedUs = (i: number) => Math.max(0, steps.startUs[i] - readyUs(c.analysis, i));
  return [
    { ...timeColumn<number>(c, 'start', 'start', 5, (i) => steps.startUs[i] - origin), ascends: true },
    timeColumn(c, 'duration', 'time', 7, (i) => steps.durationUs[i]),
    {
      ...timeColumn<number>(c, 'waited', 'wait', 4, waitedUs),
      text: (i) => (waitedUs(i) > 0 ? onScreen(c, timeOrUnknown(waitedUs(i)), msText(waitedUs(i))) : ''),
    },
    dataColumn('readyMs', (i) => msOrNull(readyUs(c.analysis, i) - origin)),
    dataColumn('reason', (i) => waitWord(stepWait(c.analysis, i))),
    dataColumn('waitedFor', (i) => waitedFor(c.analysis.profile, stepWait(c.analysis, i))),
  ];
}

const waitWord = (wait: StepWait | undefined): string | null => (wait ? WAIT_WORDS[wait.waited] : null);

/** The step that another waited for; null if that is unknown, or it waited for none. */
const waitedFor = (profile: ProfileOf<'steps'>, wait: StepWait | undefined): string | null =>
  wait && wait.before >= 0 && WAIT_WORDS[wait.waited] !== null ? stepName(profile, wait.before) : null;

/** The bar of a step in time, behind dots from the moment on at which the step was ready. */
function barColumn(c: ColumnContext<'steps'>): Column<number> {
  const { steps } = c.analysis.profile;
  // The time axis is that of the rows on the screen.
  const shown = c.shownSteps?.filter((i) => hasRun(steps, i)) ?? [];
  const ofShown = [Math.min(...shown.map((i) => steps.startUs[i])), Math.max(...shown.map((i) => endUs(steps, i)))];
  const [first, last] = shown.length > 0 ? ofShown : timeWindowOf(c.analysis);
  const width = barWidth(c.width);
  const cells = (us: number) => ((us - first) / Math.max(1e-9, last - first)) * width;
  return {
    id: 'bar',
    title: onScreen(c, ` ${timeAxisText({ from: first, to: last }, wholeWindowOf(c.analysis)[0], width)}`, 'when'),
    width: width + 1,
    rank: 8,
    text(i) {
      if (!hasRun(steps, i)) return '';
      const critical = readyCriticalPath(c)?.on[i] === 1;
      const style = stepFailed(steps, i) ? 'error' : critical ? 'bar' : 'plain';
      const [ready, from] = [readyUs(c.analysis, i), steps.startUs[i]];
      const start = Math.min(width - 1, Math.max(0, Math.floor(cells(from))));
      const dotsStart = ready < from ? Math.min(start, Math.max(0, Math.floor(cells(ready)))) : start;
      // A bar has at least an eighth of a cell.
      const length = Math.max(1 / 8, cells(endUs(steps, i)) - cells(from));
      const bar = (critical ? CRITICAL_MARK : ' ') + barText(length / (width - start), width - start).trimEnd();
      return { text: ' '.repeat(dotsStart) + '·'.repeat(start - dotsStart) + bar, style, back: start };
    },
  };
}

function nameColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const { profile } = c.analysis;
  const { steps } = profile;
  return [
    {
      ...wordColumn<number>('role', (i) => stepText(profile, 'role', i)),
      text: undefined,
      ...roleColumn<number>(c, (i) => i)[0],
    },
    wordColumn('step', (i) => stepName(profile, i), {
      ...{ width: c.width < 60 ? 14 : 20, flex: 1, cut: 'path', rank: 9 },
      text: (i) => (stepFailed(steps, i) ? '✗ ' : '') + stepNameText(c, i),
    }),
    dataColumn('target', (i) => stepText(profile, 'target', i)),
    dataColumn('result', (i) => finiteOrNull(steps.result[i])),
  ];
}
