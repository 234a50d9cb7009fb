// The Gantt view as lines: the axis, the lanes, the legend, the strips and the table below them.
import { endUs, failed, WHOLE, wholeWindowOf } from '../../../analysis/answers/steps/steps.ts';
import { memo } from '../../../base/memo.ts';
import { firstWhere } from '../../../base/search.ts';
import { cutEnd, ends, fit, visible } from '../../../base/text.ts';
import { momentColumns } from '../../../columns/builds/steps.ts';
import { axisLine, timeText } from '../../../columns/times.ts';
import type { Steps } from '../../../model/steps/tables.ts';
import { type LegendEntry, legendLine } from '../../parts/legend.ts';
import { START } from '../../parts/list.ts';
import { emptyText } from '../../parts/step-detail.ts';
import { drawTable } from '../../parts/table.ts';
import { barGlyphs, countLabel, drawLane, type LaneSpec, laneCells, placeIn, type Window } from '../../parts/timeline.ts';
import { type ScreenLine, type Span, textLine, type ViewContext } from '../../view.ts';
import { barOf, fillsOfMany, legendOf } from './bars.ts';
import { laneBefore, laneRows, shownChanges, wholeWindow } from './before.ts';
import { type Layout, layoutOf } from './layout.ts';
import { type GanttState, ganttRows } from './rows.ts';
import { drawStrip } from './strips.ts';

type Context = ViewContext<'steps'>;

export const windowIn = (state: GanttState, c: Context): Window => state.zoom ?? wholeWindow(state, c);

export const nothingText = (c: Context) =>
  c.filter
    ? `nothing matches ${visible(c.filter)}`
    : emptyText(c, c.analysis.profile.steps.sampled ? 'no sample has a time' : 'no step has a place in time');

/** By place in a lane: how many of the steps before it failed. */
const failuresIn = memo((steps: Steps, lane: Uint32Array): Uint32Array => {
  const before = new Uint32Array(lane.length + 1);
  for (let k = 0; k < lane.length; k++) before[k + 1] = before[k] + (failed(steps, lane[k]) ? 1 : 0);
  return before;
}, 256);

/** Several steps of a lane in a row of their bar. */
function ofMany(lane: Uint32Array, state: GanttState, c: Context, row: number): Pick<LaneSpec, 'apart' | 'many'> {
  const failures = failuresIn(c.analysis.profile.steps, lane);
  const cursor = placeIn(lane, state.step);
  const fillOf = fillsOfMany(lane, state, c);
  const isBad = (from: number, to: number) => failures[to] > failures[from];
  const isHere = (from: number, to: number) => cursor >= from && cursor < to;
  return {
    apart: (from, to) => isBad(from, to) || isHere(from, to),
    many(from, to) {
      const bad = isBad(from, to);
      const label = (room: number) => (row > 0 ? '' : countLabel(to - from, bad, room));
      return { style: bad ? 'heat5' : fillOf(from, to), lit: isHere(from, to) && row === 0, label };
    },
  };
}

/** The meaning of `…12`, where steps share cells. */
const manyLegend = (lines: readonly ScreenLine[]): LegendEntry | undefined =>
  lines.some(({ spans }) => /…\d/.test(spans.map(([text]) => text).join('')))
    ? { name: '…9 short steps', style: 'dim' }
    : undefined;

/** The axis, the lanes, the legend and the strips; `below` draws what is said of the step under the cursor in the rows that are left. */
export function drawChart(
  state: GanttState,
  c: Context,
  below: (state: GanttState, c: Context, height: number) => ScreenLine[],
): ScreenLine[] {
  const { lanes } = ganttRows(c);
  const layout = layoutOf(state, c);
  const window = windowIn(state, c);
  const [origin] = wholeWindowOf(c.analysis);
  const { gutter, width } = layout;
  const out: ScreenLine[] = [{ spans: [[' '.repeat(gutter) + axisLine(window, origin, width, state.start), 'header']] }];
  if (lanes.count === 0) out.push(textLine(cutEnd(` ${nothingText(c)}`, c.width), 'dim'));
  for (let l = state.top; l < lanes.count && out.length < 1 + layout.lanes; l++)
    out.push(...drawRows(l, state, c, layout, window).slice(0, 1 + layout.lanes - out.length));
  while (out.length < 1 + layout.lanes) out.push(textLine(''));
  if (layout.legend) out.push(lanes.count > 0 ? legendLine(legendOf(state, c), manyLegend(out), c.width) : textLine(''));
  for (const strip of layout.strips) out.push(...drawStrip(strip, gutter, width, window, layout.stripRows));
  if (layout.list > 0) out.push(...below(state, c, layout.list));
  while (out.length < c.height) out.push(textLine(''));
  return out.slice(0, c.height);
}

/** A lane, and below it how long its steps took before. */
function drawRows(lane: number, state: GanttState, c: Context, layout: Layout, window: Window): ScreenLine[] {
  const { steps } = c.analysis.profile;
  const { lanes } = ganttRows(c);
  const rows = laneRows(state, c);
  const changes = shownChanges(state, c);
  const { gutter, width } = layout;
  const line = (title: string, spec: LaneSpec, cells = laneCells(spec, window, width)): ScreenLine => {
    // The number of a thread tells it from others.
    const short = gutter > title.length ? title : title.replace(/^thread /, '');
    const head: Span[] = gutter > 0 ? [[`${fit(visible(ends(short, gutter)), gutter - 1, 'left', 'middle')} `, 'dim']] : [];
    return { spans: [...head, ...drawLane(spec, window, width, cells)] };
  };
  const now = (row: number): LaneSpec => ({
    steps: lanes.steps[lane],
    start: (s) => steps.startUs[s],
    end: (s) => endUs(steps, s),
    bar: (s) => barOf(s, state, c, row),
    ...ofMany(lanes.steps[lane], state, c, row),
    glyphs: barGlyphs(c, row),
  });
  const tall = rows.tallAbove[lane + 1] > rows.tallAbove[lane] ? layout.tall : 1;
  const first = now(0);
  const cells = laneCells(first, window, width);
  const out = Array.from({ length: tall }, (_, row) =>
    row === 0 ? line(lanes.titles[lane], first, cells) : line('', now(row), cells),
  );
  if (lanes.of[state.step] === lane) out[0] = { ...out[0], cursor: true };
  const changed = rows.changed[lane];
  if (changes && changed) out.push(line('before', laneBefore(changed, rows, changes, state, c)));
  return out;
}

/** The steps that run when the one under the cursor starts, that one first. */
export function drawMoment(state: GanttState, c: Context, height: number): ScreenLine[] {
  const { steps } = c.analysis.profile;
  const us = steps.startUs[state.step];
  const others = ganttRows(c).lanes.steps.flatMap((lane) => {
    const step = lane[firstWhere(lane.length, (k) => endUs(steps, lane[k]) > us)];
    const runs = step !== undefined && step !== state.step && steps.startUs[step] <= us && steps.kind[step] !== WHOLE;
    return runs ? [step] : [];
  });
  const rows = [state.step, ...others];
  const title = `running at ${timeText(us - wholeWindowOf(c.analysis)[0])}`;
  const table = { columns: momentColumns(c, title), rows: rows.length, row: (at: number) => rows[at], empty: '' };
  // The cursor is on its bar.
  return drawTable(table, { ...START, cursor: -1 }, c.width, height);
}
