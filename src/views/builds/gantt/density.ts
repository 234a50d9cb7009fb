// Lanes for many short steps: how many steps of a role, target or language ran at each moment. Bars of jobs would be slivers.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { type Concurrency, concurrencyOf, endUs, isJob, stepFailed, stepText } from '../../../analysis/answers/steps/steps.ts';
import { groupByKey, memo, sortedByKey } from '../../../base/lists.ts';
import type { Style } from '../../../base/style.ts';
import { fit, keepEnds, visible } from '../../../base/text.ts';
import { plural } from '../../../base/units.ts';
import type { Steps } from '../../../model/steps/tables.ts';
import { drawBlockChart, type TimeWindow } from '../../parts/timeline.ts';
import type { ScreenLine, Span, ViewContext } from '../../view.ts';
import { shownBaseChanges } from './before.ts';
import { type GanttState, type Grouping, ganttRows, shownCriticalPath, showsJobs } from './rows.ts';
import { meanByCell } from './strips.ts';

/** Steps with the same role, target or language, and how many of them ran at each moment. */
export interface DensityLane extends Concurrency {
  readonly name: string;
  readonly steps: readonly number[];
}

/** A narrower bar has no room for a name. */
const MIN_BAR_CELLS = 4;
/** Rows of a lane: the first have its name and its number of steps. */
export const maxDensityRows = ({ height }: ViewContext<'steps'>) => (height >= 40 ? 5 : 3);

/** The most lanes, and how many fit: a build can have thousands of targets. */
const MAX_LANES = 8;
const laneLimit = ({ height }: ViewContext<'steps'>) => Math.max(2, Math.min(MAX_LANES, height >> 1));

/** At most `limit` lanes, by the time of their steps. The last one has the steps of all others. */
const lanesOfJobs = memo(({ profile }: Analysis<'steps'>, order: readonly number[], by: Grouping, limit: number) => {
  const jobs = order.filter((i) => isJob(profile.steps, i));
  const usOf = (steps: readonly number[]) => steps.reduce((sum, i) => sum + profile.steps.durationUs[i], 0);
  const groups = sortedByKey(
    [...groupByKey(jobs, (i) => stepText(profile, by, i) || `no ${by}`)],
    ([, steps]) => usOf(steps),
    true,
  );
  const rest = groups.splice(groups.length > limit ? limit - 1 : limit);
  if (rest.length > 0) groups.push([plural(rest.length, `more ${by}`), rest.flatMap(([, steps]) => steps)]);
  return groups.map(([name, steps]): DensityLane => ({ name, steps, ...concurrencyOf(profile.steps, steps) }));
}, 4);

const areMostlyShort = memo((steps: Steps, order: readonly number[], from: number, to: number, width: number): boolean => {
  const least = (MIN_BAR_CELLS * (to - from)) / width;
  let [short, all] = [0, 0];
  for (const i of order) {
    const us = isJob(steps, i) && endUs(steps, i) > from && steps.startUs[i] < to ? steps.durationUs[i] : 0;
    all += us;
    if (us < least) short += us;
  }
  return short > all / 2;
}, 4);

/**
 * The lanes of a build most of whose time, in the window, is in steps too narrow for a name; else none. `time` and `result` colour
 * single bars, and bars of the base build need theirs.
 */
export function densityLanes(state: GanttState, c: ViewContext<'steps'>, window: TimeWindow): readonly DensityLane[] {
  const { colour } = state;
  if (colour === 'time' || colour === 'result' || !showsJobs(c) || shownBaseChanges(state, c)) return [];
  const { order } = ganttRows(c);
  return areMostlyShort(c.analysis.profile.steps, order, window.from, window.to, c.width)
    ? lanesOfJobs(c.analysis, order, colour, laneLimit(c))
    : [];
}

/** The text before the rows of a lane. */
export const densityLabels = ({ name, steps }: DensityLane): readonly string[] => [name, `  ${plural(steps.length, 'step')}`];

/**
 * Draws a lane: `most` steps at once fill its rows. Of cells with critical steps, as much is orange as one step takes, from the bottom;
 * those with failed steps have a `!`.
 */
export function drawDensityLane(
  lane: DensityLane,
  { step: selected }: GanttState,
  c: ViewContext<'steps'>,
  { gutter, width, rows, most }: Readonly<Record<'gutter' | 'width' | 'rows' | 'most', number>>,
  window: TimeWindow,
): ScreenLine[] {
  const { steps } = c.analysis.profile;
  const path = shownCriticalPath(c);
  const styles = Array<Style>(width).fill('plain');
  const failed = new Set<number>();
  const cellOf = (us: number) => Math.floor(((us - window.from) / (window.to - window.from)) * width);
  for (const i of lane.steps) {
    const bad = stepFailed(steps, i);
    if (!bad && !path?.on[i]) continue;
    const [from, to] = [Math.max(0, cellOf(steps.startUs[i])), Math.min(width - 1, cellOf(endUs(steps, i)))];
    styles.fill(bad ? 'error' : 'bar', from, to + 1);
    if (bad && from <= to) failed.add(from);
  }
  const cursor = lane.steps.includes(selected) ? cellOf(steps.startUs[selected]) : -1;
  const chart = drawBlockChart(meanByCell(lane.us, lane.running, window, width), [0, most], rows);
  const labels = densityLabels(lane);
  // One step at a time is on the path.
  const firstCritical = rows - Math.max(1, Math.floor(rows / Math.max(1, most)));
  return chart.map((text, row): ScreenLine => {
    const isBottom = row === rows - 1;
    const styleOf = (cell: number): Style => (row < firstCritical && styles[cell] === 'bar' ? 'plain' : styles[cell]);
    const spans: Span[] =
      gutter > 0 ? [[`${fit(visible(keepEnds(labels[row] ?? '', 100)), gutter - 1, 'left', 'middle')} `, 'dim']] : [];
    for (let at = 0; at < width; ) {
      let end = at + 1;
      const isAlone = (cell: number) => isBottom && (cell === cursor || failed.has(cell));
      while (end < width && styleOf(end) === styleOf(at) && !isAlone(at) && !isAlone(end)) end++;
      const isCursor = isBottom && at === cursor;
      spans.push([isBottom && failed.has(at) ? '!' : isCursor ? '▶' : text.slice(at, end), styleOf(at), isCursor]);
      at = end;
    }
    return { spans, cursor: cursor >= 0 && isBottom };
  });
}
