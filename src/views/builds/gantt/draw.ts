// Draws the Gantt view: time axis, lanes, legend, strips, and the table of running steps.
import { endUs, stepFailed, wholeWindowOf } from '../../../analysis/answers/steps/steps.ts';
import { type CriticalLink, criticalPathName } from '../../../analysis/builds/critical.ts';
import { firstIndexWhere, memo, sortedByKey } from '../../../base/lists.ts';
import { AREA_FILLS, type Style } from '../../../base/style.ts';
import { cutEnd, fit, keepEnds, visible } from '../../../base/text.ts';
import { plural } from '../../../base/units.ts';
import { criticalList } from '../../../columns/builds/critical.ts';
import { momentColumns } from '../../../columns/builds/steps.ts';
import { timeAxisText, timeText } from '../../../columns/times.ts';
import { type Steps, WHOLE_KIND } from '../../../model/steps/tables.ts';
import { type LegendEntry, legendLines } from '../../parts/legend.ts';
import { fillHeight } from '../../parts/lines.ts';
import { START } from '../../parts/list.ts';
import { emptyText } from '../../parts/step-detail.ts';
import { drawTable } from '../../parts/table.ts';
import { barGlyphs, drawLane, indexInLane, type LaneSpec, laneCells, type TimeWindow } from '../../parts/timeline.ts';
import { type ScreenLine, type Span, textLine, type ViewContext } from '../../view.ts';
import { barOfStep, CRITICAL_FILL, costliestMergedSteps, ganttLegend, letterOfStep } from './bars.ts';
import { baseBuildLane, laneRows, shownBaseChanges, visibleWindow } from './before.ts';
import { drawDensityLane } from './density.ts';
import { CRITICAL_TITLE, type GanttLayout, layOutGantt } from './layout.ts';
import { hasPhaseRow, phaseRow } from './phases.ts';
import { type GanttState, ganttRows, hasCriticalRow, shownCriticalPath } from './rows.ts';
import { drawStrip, jobStrip, maxLabelWidth } from './strips.ts';

export const emptyChartText = (c: ViewContext<'steps'>) =>
  c.filter
    ? `nothing matches ${visible(c.filter)}`
    : emptyText(c, c.analysis.profile.steps.sampled ? 'no sample has a time' : 'no step has a place in time');

/** Counts of marked steps in a lane: entry k counts those before index k. */
const countsBefore = memo((marks: Uint8Array, lane: Uint32Array): Uint32Array => {
  const before = new Uint32Array(lane.length + 1);
  for (let k = 0; k < lane.length; k++) before[k + 1] = before[k] + marks[lane[k]];
  return before;
}, 512);

const failedStepsOf = memo((steps: Steps) => Uint8Array.from(steps.result, (_, i) => (stepFailed(steps, i) ? 1 : 0)));

/** The text of a bar of several short steps: without colours, half blocks. */
const mergedText = (cells: number, { fills }: ViewContext) => (fills ? '' : '▄'.repeat(cells));

/** Draws several short steps of a lane as one bar. */
function mergedBars(lane: Uint32Array, state: GanttState, c: ViewContext<'steps'>, row: number) {
  const failures = countsBefore(failedStepsOf(c.analysis.profile.steps), lane);
  const path = state.colour === 'role' ? shownCriticalPath(c) : undefined;
  const critical = path && countsBefore(path.on, lane);
  const cursor = indexInLane(lane, state.step);
  const costliest = costliestMergedSteps(lane, state, c);
  const isBad = (from: number, to: number) => failures[to] > failures[from];
  const hasCursor = (from: number, to: number) => cursor >= from && cursor < to;
  return {
    isSeparate: (from: number, to: number) => isBad(from, to) || hasCursor(from, to),
    mergedBar(from: number, to: number) {
      const bad = isBad(from, to);
      const isCritical = critical !== undefined && critical[to] > critical[from];
      const { style, name } = costliest(from, to);
      return {
        style: bad ? 'heat5' : isCritical ? CRITICAL_FILL : style,
        highlighted: hasCursor(from, to) && row === 0,
        label: (cells: number) =>
          row > 0 ? '' : bad ? '!' : name !== '' && cells >= MIN_NAME_CELLS ? ` ${fit(name, cells - 1)}` : mergedText(cells, c),
      };
    },
  };
}

const [ROWS_OF_LONG_LIST, MIN_NAME_CELLS] = [6, 8];

/** Draws axis, lanes, legend and strips. `below` fills the remaining rows with details about the step under the cursor. */
export function drawChart(
  state: GanttState,
  c: ViewContext<'steps'>,
  below: (state: GanttState, c: ViewContext<'steps'>, height: number) => ScreenLine[],
): ScreenLine[] {
  const { lanes } = ganttRows(c);
  const layout = layOutGantt(state, c);
  const window = visibleWindow(state, c);
  const [origin] = wholeWindowOf(c.analysis);
  const { gutter, width, dense } = layout;
  const out: ScreenLine[] = hasPhaseRow(c) ? [phaseRow(state, c)] : [];
  const corner = fit(c.analysis.profile.steps.sampled ? 'elapsed' : '', gutter);
  out.push({ spans: [[corner + timeAxisText(window, origin, width, state.rangeStart), 'header']] });
  if (lanes.count === 0) out.push(textLine(cutEnd(` ${emptyChartText(c)}`, c.width), 'dim'));
  if (hasCriticalRow(c)) out.push(drawCriticalLane(state, c, gutter, width, window));
  const end = out.length + layout.lanes - (lanes.count === 0 ? 1 : 0);
  const most = dense.reduce((peak, lane) => Math.max(peak, lane.most), 0);
  const size = { gutter, width, rows: layout.barHeight, most };
  for (const lane of dense) out.push(...drawDensityLane(lane, state, c, size, window).slice(0, end - out.length));
  for (let l = state.top; dense.length === 0 && l < lanes.count && out.length < end; l++)
    out.push(...drawLaneRows(l, state, c, layout, window).slice(0, end - out.length));
  while (out.length < end) out.push(textLine(''));
  // Lanes of roles have no colours of theirs: only the critical path has the letters of roles.
  const isUnused = (style: Style) => dense.length > 0 && AREA_FILLS.some((area) => area === style);
  const entries = ganttLegend(state, c).map((entry): LegendEntry => (isUnused(entry.style) ? { ...entry, style: 'dim' } : entry));
  // The letters that stand alone in a bar come first, since only the legend says what they mean.
  const alone = new Set(out.flatMap(({ spans = [] }) => spans.map(([text]) => text.replace(/[▶▏[\]─ ]/g, ''))));
  const needed = (entry: LegendEntry) => (alone.has(entry.name[0]) ? 0 : 1);
  const sorted = sortedByKey(entries, needed, false);
  // A second line takes a row of the list, where the list has many.
  const legend = lanes.count > 0 ? legendLines(sorted, c.width, layout.listRows > ROWS_OF_LONG_LIST ? 2 : 1) : [textLine('')];
  if (layout.legend) out.push(...legend);
  for (const strip of layout.strips) out.push(...drawStrip(strip, gutter, width, window, layout.stripRows));
  if (layout.listRows > 0) out.push(...below(state, c, layout.listRows - (legend.length - 1)));
  return fillHeight(out, c.height);
}

/** The steps of the critical path, by start time. */
const criticalStepsOf = memo((links: readonly CriticalLink[], { startUs }: Steps): readonly number[] =>
  links.map(({ step }) => step).sort((a, b) => startUs[a] - startUs[b]),
);

/** The critical path as a lane of its own. Runs of narrow steps have the letter of their role, if all have the same. */
function drawCriticalLane(state: GanttState, c: ViewContext<'steps'>, gutter: number, width: number, window: TimeWindow) {
  const { steps } = c.analysis.profile;
  const { orderIndex } = ganttRows(c);
  const path = criticalStepsOf(shownCriticalPath(c)?.links ?? [], steps).filter((s) => orderIndex[s] >= 0);
  const byRole: GanttState = { ...state, colour: 'role' };
  const cursor = path.indexOf(state.step);
  const spec: LaneSpec = {
    steps: path,
    start: (s) => steps.startUs[s],
    end: (s) => endUs(steps, s),
    bar(s) {
      const bar = barOfStep(s, byRole, c);
      const withTime = (cells: number) => `${bar.label(cells)} ${timeText(steps.durationUs[s])}`;
      const label = (cells: number) => (withTime(cells).length <= cells ? withTime(cells) : bar.label(cells));
      return { ...bar, label };
    },
    mergedBar(from, to) {
      let same = from + 1;
      while (same < to && steps.role[path[same]] === steps.role[path[from]]) same++;
      const label = (cells: number) =>
        same === to && cells >= 3 ? letterOfStep(path[from], byRole, c).repeat(cells) : mergedText(cells, c);
      return { style: CRITICAL_FILL, highlighted: cursor >= from && cursor < to, label };
    },
    glyphs: barGlyphs(c),
  };
  const title: Span[] = gutter > 0 ? [[fit(CRITICAL_TITLE, gutter), 'dim']] : [];
  return { spans: [...title, ...drawLane(spec, window, width)] };
}

/** A small picture of the build, without a cursor: time axis, critical path, running jobs. */
export function drawBuildPicture(state: GanttState, c: ViewContext<'steps'>): readonly ScreenLine[] {
  const strip = jobStrip(c);
  const gutter = Math.max(CRITICAL_TITLE.length, maxLabelWidth([strip], 1)) + 1;
  const [window, width] = [visibleWindow(state, c), c.width - gutter];
  return [
    textLine(' '.repeat(gutter) + timeAxisText(window, wholeWindowOf(c.analysis)[0], width, undefined), 'dim'),
    drawCriticalLane(state, c, gutter, width, window),
    ...drawStrip(strip, gutter, width, window, 1),
  ];
}

/** The rows of a lane: the bars of this build, then the bars of the base build. */
function drawLaneRows(lane: number, state: GanttState, c: ViewContext<'steps'>, layout: GanttLayout, window: TimeWindow) {
  const { steps } = c.analysis.profile;
  const { lanes } = ganttRows(c);
  const rows = laneRows(state, c);
  const changes = shownBaseChanges(state, c);
  const { gutter, width } = layout;
  const line = (title: string, spec: LaneSpec, cells = laneCells(spec, window, width)): ScreenLine => {
    // A narrow gutter shows only the number of a thread.
    const short = gutter > title.length ? title : title.replace(/^thread /, '');
    const head: Span[] = gutter > 0 ? [[`${fit(visible(keepEnds(short, gutter)), gutter - 1, 'left', 'middle')} `, 'dim']] : [];
    return { spans: [...head, ...drawLane(spec, window, width, cells)] };
  };
  const laneSpecOf = (row: number): LaneSpec => ({
    steps: lanes.steps[lane],
    start: (s) => steps.startUs[s],
    end: (s) => endUs(steps, s),
    bar: (s) => barOfStep(s, state, c, row),
    ...mergedBars(lanes.steps[lane], state, c, row),
    glyphs: barGlyphs(c, row),
  });
  const tall = rows.tallAbove[lane + 1] > rows.tallAbove[lane] ? layout.barHeight : 1;
  const first = laneSpecOf(0);
  const cells = laneCells(first, window, width);
  const out = Array.from({ length: tall }, (_, row) =>
    row === 0 ? line(lanes.titles[lane], first, cells) : line('', laneSpecOf(row), cells),
  );
  if (lanes.of[state.step] === lane) out[0] = { ...out[0], cursor: true };
  const changed = rows.changed[lane];
  if (changes && changed) out.push(line('before', baseBuildLane(changed, rows, changes, state, c)));
  return out;
}

/** The steps that run when the step under the cursor starts, beginning with it; below, where there are rows, the critical path. */
export function drawRunningSteps(state: GanttState, c: ViewContext<'steps'>, height: number): ScreenLine[] {
  const { steps } = c.analysis.profile;
  const us = steps.startUs[state.step];
  const others = ganttRows(c).lanes.steps.flatMap((lane) => {
    const step = lane[firstIndexWhere(lane.length, (k) => endUs(steps, lane[k]) > us)];
    const runs = step !== undefined && step !== state.step && steps.startUs[step] <= us && steps.kind[step] !== WHOLE_KIND;
    return runs ? [step] : [];
  });
  const rows = [state.step, ...others];
  const title = `running at ${timeText(us - wholeWindowOf(c.analysis)[0])}`;
  const table = { columns: momentColumns(c, title), rows, empty: '' };
  // The tables have no cursor: the cursor is on a bar.
  const withoutCursor = { ...START, cursor: -1 };
  const path = shownCriticalPath(c);
  const links = longestFirst(path?.links ?? [], ganttRows(c).orderIndex, steps);
  const listHeight = height - rows.length - 2;
  if (links.length === 0 || listHeight < MIN_CRITICAL_ROWS) return drawTable(withoutCursor, c.width, height, table);
  const critical = { columns: criticalList.table(c).columns(c), rows: links, empty: '' };
  return [
    ...drawTable(withoutCursor, c.width, rows.length + 1, table),
    textLine(` ${path ? criticalPathName(path) : ''}, longest first: ${plural(links.length, 'step')}`, 'bold'),
    ...drawTable(withoutCursor, c.width, listHeight, critical),
  ];
}

/** Minimum rows for the list of critical steps below the running ones, with its heading. */
const MIN_CRITICAL_ROWS = 4;

/** The links whose steps pass the filter. */
const longestFirst = memo((links: readonly CriticalLink[], orderIndex: Int32Array, { durationUs }: Steps) => {
  const kept = links.filter(({ step }) => orderIndex[step] >= 0);
  return sortedByKey(kept, ({ step }) => durationUs[step], true);
});
