// Snapshots: the memory of a program over the time of its run.
import { fit } from '../base/text.ts';
import { formatBytes, formatCount, formatShort, plural } from '../base/units.ts';
import { kindOf, snapshotList, snapshotsOf, totalsOf } from '../columns/snapshots.ts';
import { rowsView } from './parts/rows-view.ts';
import { stripRows } from './parts/timeline.ts';
import type { ScreenLine, ViewContext } from './view.ts';

/** The part of the view's rows that the plot takes, its axis and a blank line left out. */
const PART = 0.45;
const TALLEST = 20;
const LEAST = 3;

/** By cell, the most that any snapshot has in it, else what the last one before had: a peak is drawn however short it was. */
function mostByCell(time: ArrayLike<number>, value: ArrayLike<number>, [from, to]: readonly [number, number], width: number) {
  const cells = Array.from({ length: width }, () => Number.NaN);
  for (let i = 0; i < time.length; i++) {
    const cell = Math.min(width - 1, Math.floor(((time[i] - from) / Math.max(to - from, 1)) * width));
    if (cell >= 0 && !(value[i] <= cells[cell])) cells[cell] = value[i];
  }
  let last = 0;
  // A cell that has several may end lower than its most.
  return cells.map((most, cell) => {
    if (Number.isNaN(most)) return last;
    last = lastIn(time, value, from + ((to - from) * (cell + 1)) / width);
    return most;
  });
}

/** The value of the last row at or before a time. */
function lastIn(time: ArrayLike<number>, value: ArrayLike<number>, at: number): number {
  let last = 0;
  for (let i = 0; i < time.length && time[i] <= at; i++) last = value[i];
  return last;
}

function drawPlot(c: ViewContext<'stacks'>): readonly ScreenLine[] {
  const own = snapshotsOf(c);
  const totals = totalsOf(own);
  const tall = Math.min(TALLEST, Math.floor(PART * c.height) - 2);
  if (tall < LEAST || own.time.length < 2) return [];
  const range = [own.time[0], own.time[own.time.length - 1]] as const;
  const most = totals.reduce((all, bytes) => Math.max(all, bytes), 0);
  const top = formatBytes(most);
  const gutter = Math.max(top.length, 3) + 1;
  const width = Math.max(8, c.width - gutter);
  const lines = stripRows(mostByCell(own.time, totals, range, width), [0, most], tall);
  const label = (row: number) => (row === 0 ? top : row === tall - 1 ? '0 B' : '');
  const [from, to] = range.map((at) => formatShort(at));
  const axis = `${from} ${own.timeUnit}`;
  return [
    ...lines.map(
      (text, row): ScreenLine => ({
        spans: [
          [`${fit(label(row), gutter - 1, 'right')} `, 'dim'],
          [text, 'accent'],
        ],
      }),
    ),
    { spans: [[`${' '.repeat(gutter)}${fit(axis, width - to.length - 1)} ${to}`, 'dim']] },
    { spans: [] },
  ];
}

export const snapshots = rowsView({
  id: 'snapshots',
  title: 'Memory',
  digit: '7',
  lists: [snapshotList],
  sorts: 'same',
  empty: 'the profile has no snapshots',
  above: drawPlot,
  detail(row, c) {
    const own = snapshotsOf(c);
    const at = `snapshot ${formatCount(own.number[row])} at ${formatCount(own.time[row])} ${own.timeUnit}: ${formatBytes(totalsOf(own)[row])}`;
    const has = own.part[row] < 0 ? 'without stacks' : 'Enter shows its stacks';
    return `${at}, ${kindOf(own, row) === 'peak' ? 'the peak; ' : ''}${has}`;
  },
  mode: (rows, c) => `${plural(rows.length, 'snapshot')}, time in ${snapshotsOf(c).timeUnit}`,
  enter: (row, c) => {
    const part = snapshotsOf(c).part[row];
    return part < 0 ? undefined : { type: 'only-part', part };
  },
  noEnter: (row, c) => (snapshotsOf(c).part[row] < 0 ? 'this snapshot has no stacks: only detailed ones have' : undefined),
  enterKey: { help: 'show the stacks of this snapshot alone', footer: 'only this' },
});
