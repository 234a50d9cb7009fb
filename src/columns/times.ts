// Times in columns: readable on the screen (1m28s), milliseconds for machines and in text.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { isBuild, wholeWindowOf } from '../analysis/answers/steps/steps.ts';
import { roundTicks } from '../base/plot.ts';
import { heatStyle } from '../base/style.ts';
import { type Exact, formatCost, formatCount, formatPercent, hoursText, longTimeText, type Unit } from '../base/units.ts';
import type { Event } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import { type Column, type ColumnContext, onScreen } from './column.ts';

const US_PER_MINUTE = 60e6;
/** Marks of an axis from this one on, a hundred minutes, are shown in hours. */
const MIN_US_IN_HOURS = 100 * US_PER_MINUTE;

/** Times of steps as people read them, rounded: `2h05m`, `1m28s`, `1.25s`, `12ms`. */
export function timeText(us: number): string {
  if (us < 0) return `-${timeText(-us)}`;
  const long = longTimeText(us * 1e3);
  if (long !== undefined) return long;
  // Above these bounds, rounding would give the next unit or one more digit.
  if (us >= 999.5e3) return `${(us / 1e6).toFixed(us >= 9.995e6 ? 1 : 2)}s`;
  if (us >= 999.5) return `${(us / 1e3).toFixed(us >= 9.95e3 ? 0 : 1)}ms`;
  return `${Math.round(us)}µs`;
}

/** Returns the format of costs for people: readable times for builds, full numbers otherwise. */
export const costFormat = (profile: Profile): ((value: Exact, unit: Unit) => string) =>
  isBuild(profile) ? (value) => timeText(Number(value)) : formatCost;

/** The event's name in a title; `summed` for the time of a build. */
export const costName = (profile: Profile, event: Event): string =>
  isBuild(profile) && event.name === 'time' ? 'summed' : event.name;

const SECONDS_PER_DAY = 86_400;
/** Distances between axis marks in seconds, from ten seconds on: those of a clock face, then days. */
const CLOCK_STEP_SECONDS = [10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200].concat(
  [1, 2, 5, 10, 20, 50, 100, 200, 500].map((days) => days * SECONDS_PER_DAY),
);

/** Marks of a time axis, at most `most` of them. */
function timeTicks(from: number, to: number, most: number): number[] {
  const raw = (to - from) / most / 1e6;
  const step = raw > 5 ? CLOCK_STEP_SECONDS.find((seconds) => seconds >= raw) : undefined;
  if (step === undefined) return roundTicks([from, to], false, most);
  const first = Math.ceil(from / 1e6 / step);
  return Array.from({ length: Math.floor(to / 1e6 / step) - first + 1 }, (_, k) => (first + k) * step * 1e6);
}

/** Labels of a time axis, in the unit of the largest mark, with enough decimals to tell them apart. */
export function timeAxisLabels(marks: readonly number[]): string[] {
  const most = marks.reduce((m, us) => Math.max(m, Math.abs(us)), 0);
  const step = marks.length > 1 ? marks[1] - marks[0] : most;
  const [unit, sign] = most >= 1e6 ? [1e6, 's'] : most >= 1e3 ? [1e3, 'ms'] : [1, 'µs'];
  const digits = step > 0 ? Math.max(0, Math.min(9, -Math.floor(Math.log10(step / unit) + 1e-9))) : 0;
  const areWhole = (unit: number) => marks.every((us) => us % unit === 0);
  if (most >= MIN_US_IN_HOURS && areWhole(60 * US_PER_MINUTE)) return marks.map((us) => `${us / US_PER_MINUTE / 60}h`);
  const isWhole = areWhole(US_PER_MINUTE);
  return marks.map((us) => {
    if (most < US_PER_MINUTE) return `${(us / unit).toFixed(digits)}${sign}`;
    // Round first: otherwise 59.96 becomes 60.0 seconds.
    const seconds = Number((us / 1e6).toFixed(digits));
    const minutes = Math.floor(Math.abs(seconds) / 60);
    const rest = (Math.abs(seconds) - minutes * 60).toFixed(digits).padStart(digits > 0 ? digits + 3 : 2, '0');
    return `${seconds < 0 ? '-' : ''}${most >= MIN_US_IN_HOURS ? hoursText(minutes) : `${minutes}m`}${isWhole ? '' : `${rest}s`}`;
  });
}

const USUAL_LABEL_WIDTH = 10;

/** The labels of a time axis of `width` cells; times count from `origin`. `start`: the start of a range still being selected. */
export function timeAxisText(
  window: { readonly from: number; readonly to: number },
  origin: number,
  width: number,
  start?: number,
): string {
  let out = '';
  const range = Math.max(1e-9, window.to - window.from);
  const marksFor = (cells: number) => timeTicks(window.from - origin, window.to - origin, Math.max(1, Math.floor(width / cells)));
  // Labels of hours or of milliseconds may be wider than usual.
  const usual = marksFor(USUAL_LABEL_WIDTH);
  const cells = timeAxisLabels(usual).reduce((most, text) => Math.max(most, text.length + 2), USUAL_LABEL_WIDTH);
  const marks = cells > USUAL_LABEL_WIDTH ? marksFor(cells) : usual;
  const texts = timeAxisLabels(marks);
  const brace = start === undefined ? -1 : Math.floor(((start - window.from) / range) * width);
  for (const [k, t] of marks.entries()) {
    const markStart = Math.floor(((t + origin - window.from) / range) * width);
    const end = markStart + 1 + texts[k].length;
    // Skips a label that does not fit.
    if (markStart < out.length || end > width || (markStart <= brace && brace < end)) continue;
    out = `${out.padEnd(markStart)}╷${texts[k]}`;
  }
  const line = out.padEnd(width);
  return brace >= 0 && brace < width ? `${line.slice(0, brace)}{${line.slice(brace + 1)}` : line;
}

/** The chosen time range in the units of the axis: `1.50s to 2.00s of 10.0s`; '' without a range. */
export function rangeText(analysis: Analysis<'steps'>): string {
  const { clip } = analysis.profile.steps;
  if (!clip) return '';
  const [origin, end] = wholeWindowOf(analysis);
  const from = (Number.isFinite(clip.fromUs) ? clip.fromUs : origin) - origin;
  const to = (Number.isFinite(clip.toUs) ? clip.toUs : end) - origin;
  // The texts are as precise as the marks of an axis with a hundred marks in the range.
  const texts = timeAxisLabels([from, from + (to - from) / 100, to]);
  return `${texts[0]} to ${texts[2]} of ${timeText(end - origin)}`;
}

/** `rangeText()` with a leading comma, to append to a sentence; '' without a time range. */
export const rangeSuffix = (analysis: Analysis<'steps'>): string =>
  analysis.profile.steps.clip ? `, from ${rangeText(analysis)}` : '';

export const timeOrUnknown = (us: number) => (Number.isNaN(us) ? '?' : timeText(us));

/** The time in milliseconds, for machines; null if it is unknown. */
export const msOrNull = (us: number): number | null => (Number.isNaN(us) ? null : us / 1000);

/** The time in milliseconds, with thousands separators, for text output. */
export const msText = (us: number, unknown = '?') => (Number.isNaN(us) ? unknown : formatCount(Math.round(us) / 1000));

/** A difference of two times, with its sign. */
export function timeChange(c: ColumnContext, us: number): string {
  if (c.medium === 'text') return `${us > 0 ? '+' : ''}${formatCount(us / 1000)}`;
  return us === 0 ? '=' : `${us > 0 ? '+' : '-'}${timeText(Math.abs(us))}`;
}

/** The total to which percentages of work refer: the time of all jobs, including jobs outside the chosen time range. */
export const totalWorkUs = ({ totals }: Analysis<'steps'>): number => totals.whole[0][0];

/** A column of times: readable on the screen, milliseconds elsewhere. `mark`: a mark before each time, for estimates. */
export function timeColumn<Row>(
  c: ColumnContext,
  id: string,
  title: string,
  rank: number,
  us: (row: Row) => number,
  mark = '',
): Column<Row> {
  return {
    ...{ id: `${id}Ms`, also: id, title: onScreen(c, title, `${title} ms`), align: 'right', width: 8, rank, measured: true },
    value: (row) => msOrNull(us(row)),
    text: (row) => mark + onScreen(c, timeOrUnknown(us(row)), msText(us(row))),
    key: us,
  };
}

/** A column with the row's share of `whole`, on the screen. */
export const timeShareColumn = <Row>(part: (row: Row) => number, whole: number): Column<Row> => ({
  ...{ id: '%', title: '%', align: 'right', width: 7, rank: 7, only: 'screen', measured: true },
  text: (row) => ({ text: formatPercent(part(row), whole), style: heatStyle(part(row) / whole) }),
});
