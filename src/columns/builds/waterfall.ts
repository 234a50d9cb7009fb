// The columns of a waterfall: a row a step, with its bar on the time axis of the whole build.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { shortStepName, stepFile } from '../../analysis/answers/steps/step-names.ts';
import {
  activeSteps,
  endUs,
  failed,
  ran,
  stepName,
  stepText,
  stepTexts,
  wholeWindowOf,
  windowOf,
} from '../../analysis/answers/steps/steps.ts';
import { criticalPath } from '../../analysis/builds/critical.ts';
import { readyUs } from '../../analysis/builds/needs.ts';
import { memo } from '../../base/memo.ts';
import { data, known, words } from '../builders.ts';
import { type Column, type ColumnContext, onScreen, type Table } from '../column.ts';
import type { Listing } from '../listing.ts';
import { axisLine, msText, time, timeColumn } from '../times.ts';
import { pathFor } from './times.ts';

/** Cells of everything beside the bars, and the least and most that bars have; names get the rest of wide screens. */
const BESIDE = 40;
const [LEAST, MOST] = [14, 200];
const SHARE = 0.55;

export const barWidth = (width: number): number =>
  Math.max(LEAST, Math.min(MOST, width - BESIDE, Math.max(width - 2 * BESIDE, Math.floor(width * SHARE))));

/** Cells from which on names have their folders, and roles a column. */
const WIDE = 120;

/** Steps on the critical path, and others: the colour of their bars is not all that tells them apart. */
export const [CRITICAL_BAR, OTHER_BAR] = ['█', '▒'];

/** The narrowest bar. */
const NARROWEST = 2;

/** A bar from one time to another, of a window, in so many cells, and dots from when it could have started; how many cells come before it. */
export function barText(
  [ready, from, to]: readonly [readyUs: number, fromUs: number, toUs: number],
  window: readonly [number, number],
  width: number,
  mark: string = CRITICAL_BAR,
): readonly [text: string, before: number] {
  const range = Math.max(1e-9, window[1] - window[0]);
  const cell = (us: number) => Math.max(0, Math.floor(((us - window[0]) / range) * width));
  const at = Math.min(width - NARROWEST, cell(from));
  const end = Math.min(width, Math.max(at + NARROWEST, Math.round(((to - window[0]) / range) * width)));
  const waits = ready < from ? Math.min(at, cell(ready)) : at;
  return [' '.repeat(waits) + '·'.repeat(at - waits) + mark.repeat(end - at), at];
}

const table: Table<number, 'steps'> = {
  keys: 'startMs durationMs step role target result waitedMs'.split(' '),
  columns(c) {
    // On the screen, the view works out between keys what waited for what.
    if (c.medium === 'text') criticalPath(c.analysis);
    return [...nameColumns(c), ...timeColumns(c), barColumn(c)];
  },
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
  /** From when all that it needs was there to its start; NaN where nothing says so. */
  const waitedUs = (i: number) => Math.max(0, steps.startUs[i] - readyUs(c.analysis, i));
  return [
    { ...timeColumn<number>(c, 'start', 'start', 5, (i) => steps.startUs[i] - origin), ascends: true },
    timeColumn(c, 'duration', 'time', 7, (i) => steps.durationUs[i]),
    {
      ...timeColumn<number>(c, 'waited', 'wait', 4, waitedUs),
      text: (i) => (waitedUs(i) > 0 ? onScreen(c, time(waitedUs(i)), msText(waitedUs(i))) : ''),
    },
  ];
}

function barColumn(c: ColumnContext<'steps'>): Column<number> {
  const { steps } = c.analysis.profile;
  const window = windowOf(c.analysis);
  const width = barWidth(c.width);
  return {
    id: 'bar',
    title: onScreen(c, axisLine({ from: window[0], to: window[1] }, wholeWindowOf(c.analysis)[0], width), 'when'),
    width,
    rank: 8,
    text(i) {
      if (!ran(steps, i)) return '';
      const path = pathFor(c);
      const critical = path?.on[i] === 1;
      const style = failed(steps, i) ? 'error' : critical ? 'hot' : 'plain';
      const times = [readyUs(c.analysis, i), steps.startUs[i], endUs(steps, i)] as const;
      const [text, before] = barText(times, window, width, critical || !path ? CRITICAL_BAR : OTHER_BAR);
      return { text, style, back: before };
    },
  };
}

function nameColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const { profile } = c.analysis;
  const { steps } = profile;
  const shown = (i: number) => {
    if (c.width < WIDE) return stepFile(profile, i);
    const role = stepText(profile, 'role', i);
    const name = shortStepName(profile, i);
    return role !== null && name.startsWith(`${role}: `) ? name.slice(role.length + 2) : name;
  };
  return [
    words('step', (i) => stepName(profile, i), {
      ...{ width: c.width < 60 ? 14 : 20, flex: 1, cut: 'middle', rank: 9 },
      text: (i) => (failed(steps, i) ? '✗ ' : '') + onScreen(c, shown(i), stepName(profile, i)),
    }),
    words('role', (i) => stepText(profile, 'role', i), {
      ...{ width: 8, rank: 3, style: 'dim', only: 'screen' },
      ...(c.width < WIDE ? { text: undefined } : {}),
    }),
    data('target', (i) => stepText(profile, 'target', i)),
    data('result', (i) => known(steps.result[i])),
  ];
}
