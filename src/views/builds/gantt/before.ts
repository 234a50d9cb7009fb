// The second row of a lane in the Gantt view: bars of the base build for steps whose duration has changed.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { type Lanes, lanesOf } from '../../../analysis/answers/steps/lanes.ts';
import { buildDurationUs, timeWindowOf } from '../../../analysis/answers/steps/steps.ts';
import { CHANGE_KINDS, type ChartChanges, chartChanges } from '../../../analysis/builds/changes.ts';
import { firstIndexWhere, memo } from '../../../base/lists.ts';
import { baseOfKind } from '../../../columns/listing.ts';
import { timeText } from '../../../columns/times.ts';
import { WHOLE_KIND } from '../../../model/steps/tables.ts';
import type { BarGlyphs, LaneSpec, TimelineBar, TimeWindow } from '../../parts/timeline.ts';
import type { ViewContext } from '../../view.ts';
import { type GanttState, ganttRows } from './rows.ts';

type BaseBarsSwitch = Pick<GanttState, 'before' | 'zoom'>;

/** The share of the picture that the longest bar in a row of the base must have: a row with only a dash says nothing. */
const MIN_BAR_SHARE = 0.05;

/** The changed durations since the base build, if its bars are shown; else undefined. */
export function shownBaseChanges(state: BaseBarsSwitch, c: ViewContext<'steps'>): ChartChanges | undefined {
  const base = state.before ? baseOfKind(c, 'steps') : undefined;
  return base && chartChanges(c.analysis, base);
}

type LaneRows = ReturnType<typeof laneRowsOf>;

/**
 * The number of rows of each lane, and the bars of the base build in its second row. `above`: by lane, the number of rows above it if bars have
 * one row, and `tallAbove`, the number of lanes above it whose bars may be taller; the last entry is the total. `changed`: by lane, the steps that
 * have a bar in its second row; undefined if none is as long as `leastUs`. `endUs`: by step, the end of that bar, or NaN; a bar ends early where the next one
 * begins. `lastUs`: the latest end of all.
 */
const laneRowsOf = memo((analysis: Analysis<'steps'>, lanes: Lanes, changes: ChartChanges | undefined, leastUs: number) => {
  const { startUs, kind } = analysis.profile.steps;
  const endUs = new Float64Array(changes ? startUs.length : 0).fill(Number.NaN);
  const above = new Uint32Array(lanes.count + 1);
  const tallAbove = new Uint32Array(lanes.count + 1);
  let lastUs = Number.NEGATIVE_INFINITY;
  const changed = lanes.steps.map((steps, lane) => {
    const list = changes ? steps.filter((i) => !Number.isNaN(changes.beforeUs[i])) : [];
    list.forEach((i, k) => {
      const whole = startUs[i] + (changes?.beforeUs[i] ?? 0);
      const next = k + 1 < list.length ? startUs[list[k + 1]] : Number.POSITIVE_INFINITY;
      endUs[i] = Math.min(whole, next);
      lastUs = Math.max(lastUs, endUs[i]);
    });
    const isShown = list.some((i) => endUs[i] - startUs[i] >= leastUs);
    above[lane + 1] = above[lane] + (isShown ? 2 : 1);
    tallAbove[lane + 1] = tallAbove[lane] + (steps.every((i) => kind[i] === WHOLE_KIND) ? 0 : 1);
    return isShown ? list : undefined;
  });
  return { above, tallAbove, changed, endUs, lastUs };
}, 4);

export function laneRows(state: BaseBarsSwitch, c: ViewContext<'steps'>): LaneRows {
  const [from, to] = state.zoom ? [state.zoom.from, state.zoom.to] : timeWindowOf(c.analysis);
  return laneRowsOf(c.analysis, ganttRows(c).lanes, shownBaseChanges(state, c), MIN_BAR_SHARE * (to - from));
}

/** The first visible lane, so that all rows of `lane` are visible after minimal scrolling. Heights are in rows. */
export function firstLaneToShow(rows: LaneRows, lane: number, top: number, height: number, barHeight: number): number {
  const { above, tallAbove } = rows;
  const lanes = above.length - 1;
  const rowsAbove = (l: number) => above[l] + tallAbove[l] * (barHeight - 1);
  const seenFrom = (last: number) => firstIndexWhere(lanes, (l) => rowsAbove(last + 1) - rowsAbove(l) <= height);
  // Do not scroll past the last lane.
  const most = lanes > 0 ? seenFrom(lanes - 1) : 0;
  const kept = Math.min(top, most);
  return lane < kept ? Math.max(0, lane) : Math.max(kept, Math.min(lane, seenFrom(lane)));
}

/** The time range of this build, extended to the longest bar of the base build. */
export function wholeTimeWindow(state: BaseBarsSwitch, c: ViewContext<'steps'>): TimeWindow {
  const [from, end] = timeWindowOf(c.analysis);
  const changes = shownBaseChanges(state, c);
  // All lanes count, so that a filter does not change the time axis.
  const to = changes ? Math.max(end, laneRowsOf(c.analysis, lanesOf(c.analysis), changes, 0).lastUs) : end;
  // A timeline of zero length gets a window of 1 us.
  return { from, to: to > from ? to : from + 1 };
}

export const visibleWindow = (state: GanttState, c: ViewContext<'steps'>): TimeWindow => state.zoom ?? wholeTimeWindow(state, c);

const BASE_BAR_GLYPHS: BarGlyphs = { open: '╰', edge: '╰', close: '╯', fill: '╌', one: '╌' };
const CUT_BAR_MARK = '›';

/** The second row of a lane, with bars of the base build. */
export function baseBuildLane(
  steps: ArrayLike<number>,
  rows: LaneRows,
  changes: ChartChanges,
  state: GanttState,
  c: ViewContext<'steps'>,
): LaneSpec {
  const { startUs } = c.analysis.profile.steps;
  return {
    steps,
    start: (s) => startUs[s],
    end: (s) => rows.endUs[s],
    bar(s): TimelineBar {
      const took = timeText(changes.beforeUs[s]);
      return {
        // Never cut a number.
        label: (width) => [`before ${took}`, took].find((text) => text.length <= width) ?? '',
        letter: '',
        style: s === state.step ? 'plain' : 'dim',
        highlighted: false,
        ...(startUs[s] + changes.beforeUs[s] > rows.endUs[s] ? { close: CUT_BAR_MARK } : {}),
      };
    },
    mergedBar: () => ({ style: 'dim', highlighted: false, label: () => '' }),
    glyphs: BASE_BAR_GLYPHS,
  };
}

/** The texts about the base build in the tab line: its duration, and the number of steps that changed. */
export function changesText(c: ViewContext<'steps'>): { readonly time: string; readonly steps: string } {
  const base = baseOfKind(c, 'steps');
  if (!base) return { time: '', steps: '' };
  const { count } = chartChanges(c.analysis, base);
  const kinds = CHANGE_KINDS.filter((kind) => kind !== 'same' && count[kind] > 0);
  return {
    time: ` (before ${timeText(buildDurationUs(base))})`,
    steps: kinds.map((kind) => `, ${count[kind]} ${kind}`).join('') || ', nothing changed',
  };
}
