// The Snapshots view: the memory of a program over its run time.
import { isContextOf } from '../analysis/answers/analysis.ts';
import { memo } from '../base/lists.ts';
import { roundTicks } from '../base/plot.ts';
import { fit } from '../base/text.ts';
import { formatBytes, formatCount, formatShort, plural } from '../base/units.ts';
import { snapshotKindOf, snapshotList, snapshotsOf, timeUnitText, totalBytesOf } from '../columns/snapshots.ts';
import type { Snapshots } from '../model/stacks/tables.ts';
import { headingBlock, type OverviewSection } from './overview.ts';
import { indentedLine } from './parts/lines.ts';
import { rowsView } from './parts/rows-view.ts';
import { chartLines, drawBlockChart, type TimeWindow } from './parts/timeline.ts';
import { type ScreenLine, textLine, type ViewContext } from './view.ts';

/** The share of the height for the plot with its axis and a blank line. */
const PLOT_SHARE = 0.45;
const MAX_PLOT_HEIGHT = 20;
const MIN_PLOT_HEIGHT = 3;
/** Minimum distance of ticks on the time axis, in cells. */
const MIN_TICK_DISTANCE = 14;

const cellOfTime = (t: number, { from, to }: TimeWindow, width: number): number =>
  Math.max(0, Math.min(width - 1, Math.floor(((t - from) / Math.max(to - from, 1)) * width)));

/** `cells`: by cell, the largest snapshot in it, so that short peaks are visible; without a snapshot, the previous value. */
const memoryPlotOf = memo((own: Snapshots, width: number) => {
  const { time } = own;
  const totals = totalBytesOf(own);
  const [from, to] = [time[0], time[time.length - 1]];
  const highest = Array.from({ length: width }, () => Number.NaN);
  const last = highest.slice();
  let most = 0;
  for (let i = 0; i < time.length; i++) {
    const cell = cellOfTime(time[i], { from, to }, width);
    if (!(totals[i] <= highest[cell])) highest[cell] = totals[i];
    last[cell] = totals[i];
    most = Math.max(most, totals[i]);
  }
  let before = 0;
  const cells = highest.map((value, cell) => {
    const shown = Number.isNaN(value) ? before : value;
    if (!Number.isNaN(last[cell])) before = last[cell];
    return shown;
  });
  return { from, to, most, cells };
}, 4);

/** The lines below the plot: the time axis with ticks and a mark for the snapshot under the cursor, and the tick labels. */
function axisLines(plot: TimeWindow, width: number, unit: string, time: number | undefined): [string, string] {
  const marks = roundTicks([plot.from, plot.to], false, Math.max(1, Math.floor(width / MIN_TICK_DISTANCE)));
  const axis = Array<string>(width).fill('─');
  let labels = '';
  for (const [k, mark] of marks.entries()) {
    const at = cellOfTime(mark, plot, width);
    axis[at] = '┬';
    // The first label also has the unit, if it ends before the next tick.
    const next = k + 1 < marks.length ? cellOfTime(marks[k + 1], plot, width) : width;
    const withUnit = `${formatShort(mark)} ${unit}`;
    const text = k === 0 && at + withUnit.length < next ? withUnit : formatShort(mark);
    if (at + text.length <= width && (labels === '' || at > labels.length)) labels = labels.padEnd(at) + text;
  }
  if (time !== undefined) axis[cellOfTime(time, plot, width)] = '▲';
  return [axis.join(''), fit(labels, width)];
}

/** Draws the plot of memory over time: its lines, the axis with a mark for a snapshot, and the ticks. */
function drawMemoryPlot(c: ViewContext<'stacks'>, tall: number, marked: number | undefined): readonly ScreenLine[] {
  const own = snapshotsOf(c);
  // The label of the maximum sets the width of the gutter.
  const top = formatBytes(memoryPlotOf(own, 1).most);
  const gutter = Math.max(top.length, 3) + 1;
  const width = Math.max(8, c.width - gutter);
  const plot = memoryPlotOf(own, width);
  const lines = drawBlockChart(plot.cells, [0, plot.most], tall);
  const labels = lines.map((_, at) => `${fit(at === 0 ? top : at === tall - 1 ? '0 B' : '', gutter - 1, 'right')} `);
  const before = ' '.repeat(gutter);
  const [axis, ticks] = axisLines(plot, width, timeUnitText(own), marked === undefined ? undefined : own.time[marked]);
  return [...chartLines(labels, lines, 'accent'), textLine(before + axis, 'dim'), textLine(before + ticks, 'dim')];
}

const hasPlot = (c: ViewContext<'stacks'>): boolean => snapshotsOf(c).time.length > 1;

/** The plot above the list; none if the height is too small for it. */
function plotAbove(c: ViewContext<'stacks'>, row?: number): readonly ScreenLine[] {
  const tall = Math.min(MAX_PLOT_HEIGHT, Math.floor(PLOT_SHARE * c.height) - 3);
  return tall < MIN_PLOT_HEIGHT || !hasPlot(c) ? [] : [...drawMemoryPlot(c, tall, row), { spans: [] }];
}

/** Overviews with fewer lines have no plot. */
const MIN_HEIGHT_FOR_SECTION = 16;
const MIN_HEIGHT_FOR_TALL = 30;

/** The section of the Overview on memory over time, with the peak marked. */
export const memorySection: OverviewSection = {
  applies: (c) => isContextOf(c, 'stacks') && hasPlot(c) && c.height >= MIN_HEIGHT_FOR_SECTION,
  work: () => true,
  isReady: () => true,
  most: 1,
  lines(c) {
    if (!isContextOf(c, 'stacks')) return [];
    const own = snapshotsOf(c);
    const { peak, heap, time } = own;
    const total = (row: number) => formatBytes(totalBytesOf(own)[row]);
    // The title and the routines have the cost of the heap alone.
    const ofHeap = totalBytesOf(own)[peak] > heap[peak] ? ` (heap ${formatBytes(heap[peak])})` : '';
    const most = peak < 0 ? '' : `${total(peak)} at the peak${ofHeap}, `;
    const text = `Memory: ${most}${total(time.length - 1)} in the last of ${formatCount(time.length)}`;
    const marked = peak < 0 ? undefined : peak;
    const [first, ...below] = drawMemoryPlot({ ...c, width: c.width - 1 }, c.height < MIN_HEIGHT_FOR_TALL ? 2 : 4, marked);
    const row = { opens: { type: 'show', view: 'snapshots' }, text, detail: 'Enter opens Memory' } as const;
    return [headingBlock(text, c.width), { lines: [first], row }, ...below.map((line) => ({ lines: [indentedLine(line)] }))];
  },
};

/** True if the stacks of this snapshot, and of no other, are counted. */
const isAloneShown = (row: number, c: ViewContext<'stacks'>) =>
  c.analysis.profile.parts.every((_, i) => c.analysis.partsOff.has(i) !== (i === snapshotsOf(c).part[row]));
const noStacksReason = (row: number, c: ViewContext<'stacks'>) =>
  snapshotsOf(c).part[row] < 0 ? 'this snapshot has no stacks: only detailed ones have' : undefined;

export const snapshotsView = rowsView({
  id: 'snapshots',
  title: 'Memory',
  lists: [snapshotList],
  empty: 'the profile has no snapshots',
  above: plotAbove,
  weight: (row, c) => Number(row === snapshotsOf(c).peak),
  detail(row, c) {
    const own = snapshotsOf(c);
    const at = `snapshot ${formatCount(own.number[row])} at ${formatCount(own.time[row])} ${timeUnitText(own)}: ${formatBytes(totalBytesOf(own)[row])}`;
    const has = own.part[row] < 0 ? 'without stacks' : isAloneShown(row, c) ? 'its stacks are shown' : 'Enter shows its stacks';
    const extra = own.extra[row] > 0 ? `; ${formatBytes(own.extra[row])} are the allocator's, in no stack` : '';
    return `${at}, ${snapshotKindOf(own, row) === 'peak' ? 'the peak; ' : ''}${has}${extra}`;
  },
  mode: (rows, c) => `${plural(rows.length, 'snapshot')}, time in ${timeUnitText(snapshotsOf(c))}`,
  enter: (row, c) => ({ type: 'only-part', part: snapshotsOf(c).part[row] }),
  noEnterReason: (row, c) => (isAloneShown(row, c) ? 'only its stacks are shown' : noStacksReason(row, c)),
  enterKey: { help: 'show only the stacks of this snapshot', footer: 'only this' },
});
