// A plot in character cells: points and lines as braille dots (2 by 4 per cell) or marks, and axes with round ticks.
// Each cell also records its series, so that it can be coloured.
import { fit } from './text.ts';
import { columnFormat, formatShort } from './units.ts';

export interface PlotSeries {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** The character for its cells when they are not drawn as dots. */
  readonly mark: string;
  /** Draw it as braille dots; ignored in ASCII mode. */
  readonly dots: boolean;
}

/** The range shown on each axis, linear or logarithmic. Logarithmic ranges start above 0. */
export interface Axes {
  readonly x: readonly [from: number, to: number];
  readonly y: readonly [from: number, to: number];
  readonly xLog: boolean;
  readonly yLog: boolean;
}

/** The tolerance for rounding errors of a position, in cells. */
export const ROUNDING_MARGIN = 1e-6;
const GUTTER_CELLS = 8;
/** The dot bits of a braille cell, by row and column. */
const BRAILLE_BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** Maps a value to 0 .. 1; NaN for values the axis cannot show. */
export function axisMapping([from, to]: readonly [number, number], log: boolean): (value: number) => number {
  if (!log) return (v) => (to > from ? (v - from) / (to - from) : 0.5);
  const low = Math.log(from);
  const range = Math.log(to) - low;
  return (v) => (v > 0 ? (range > 0 ? (Math.log(v) - low) / range : 0.5) : Number.NaN);
}

/** A range, and its ticks: their values, and their distances in cells from the start of the axis. */
interface TickedAxis {
  readonly range: readonly [from: number, to: number];
  readonly ticks: readonly { readonly value: number; readonly at: number }[];
}

/** Places ticks at equal distances in whole cells, and widens the range to fit them. */
function layOutTicks(range: readonly [number, number], log: boolean, cells: number, most: number): TickedAxis {
  const few = roundTicks(range, log, most);
  const found = few.length > 1 ? few : roundTicks(range, log, 2 * most);
  const [f, back] = log ? [Math.log10, (v: number) => 10 ** v] : [(v: number) => v, (v: number) => v];
  const scale = axisMapping(range, log);
  const cellOf = (value: number) => Math.max(0, Math.min(cells - 1, Math.floor(scale(value) * cells + ROUNDING_MARGIN)));
  const unevenTicks = () => ({ range, ticks: found.map((value) => ({ value, at: cellOf(value) })) });
  const [low, high] = [f(range[0]), f(range[1])];
  const first = f(found[0]);
  const step = found.length > 1 ? f(found[1]) - first : 0;
  // The range is too narrow for round values: its ends are not round, and no round value lies between them.
  if (!(step > 0) || (log && Math.abs(first - Math.round(first)) > ROUNDING_MARGIN)) return unevenTicks();
  for (let spacing = Math.floor((step * cells) / (high - low)); spacing > 0; spacing--) {
    const cell = step / spacing;
    // Doubles this close to 0 have too few digits to be added.
    if (cell < 1e-300) break;
    const before = Math.ceil((first - low) / cell - ROUNDING_MARGIN);
    const from = first - before * cell;
    const to = from + cell * cells;
    if (to < high - cell * ROUNDING_MARGIN) continue;
    const count = Math.floor((cells - 1 - before) / spacing) + 1;
    const own = Array.from({ length: count }, (_, k) => ({ value: back(first + k * step), at: before + k * spacing }));
    return { range: before === 0 ? [range[0], back(to)] : [back(from), back(to)], ticks: own };
  }
  return unevenTicks();
}

/** The minimum distance between ticks, in rows and in columns. */
const MIN_TICK_ROWS = 3;
const MIN_TICK_COLUMNS = 12;

/** The number of cells to the left of the axis. */
export const gutterWidth = (width: number): number => (width < 50 ? 6 : GUTTER_CELLS);

/**
 * Draws a plot of `width` by `height` cells, including axes and labels. The cells are row by row, with the topmost series and point in each;
 * -1 is an empty cell. `labels`: one per row, exactly `gutter` cells wide; undefined where there is no tick. `axes`: the ranges of both axes,
 * widened so that ticks are at equal distances. `axis`: the line of the horizontal axis, above `axisLabels`.
 */
export function plotCells(list: readonly PlotSeries[], given: Axes, width: number, height: number) {
  const gutter = gutterWidth(width);
  const columns = Math.max(1, width - gutter - 1);
  const rows = Math.max(1, height - 2);
  const across = layOutTicks(given.x, given.xLog, columns, Math.max(1, Math.floor(columns / MIN_TICK_COLUMNS)));
  const upward = layOutTicks(given.y, given.yLog, rows, Math.max(1, Math.floor(rows / MIN_TICK_ROWS)));
  const axes: Axes = { ...given, x: across.range, y: upward.range };
  const n = columns * rows;
  const dots = new Uint8Array(n);
  const marks = new Uint16Array(n);
  const series = new Int16Array(n).fill(-1);
  const point = new Int32Array(n).fill(-1);
  const wide = columns * 2;
  const high = rows * 4;
  // axisMapping() is inlined here because this runs for every point of every frame.
  const { xLog, yLog } = axes;
  const x0 = xLog ? Math.log(axes.x[0]) : axes.x[0];
  const y0 = yLog ? Math.log(axes.y[0]) : axes.y[0];
  const xRange = (xLog ? Math.log(axes.x[1]) : axes.x[1]) - x0;
  const yRange = (yLog ? Math.log(axes.y[1]) : axes.y[1]) - y0;
  // If the range is empty, or too small to divide by, all points are drawn in the middle.
  const cells = (n: number, range: number) => (range > 0 && Number.isFinite(n / range) ? n / range : 0);
  const kx = cells(wide, xRange);
  const ky = cells(high, yRange);
  // Series are drawn in reverse order, so that the first one is on top.
  for (let k = list.length - 1; k >= 0; k--) {
    const { x, y, mark, dots: fine } = list[k];
    for (let i = 0; i < x.length; i++) {
      const right = kx === 0 ? wide / 2 : ((xLog ? Math.log(x[i]) : x[i]) - x0) * kx;
      const up = ky === 0 ? high / 2 : ((yLog ? Math.log(y[i]) : y[i]) - y0) * ky;
      // Rounding may move the ends of the range slightly outside of it.
      if (
        !(right >= -ROUNDING_MARGIN && right <= wide + ROUNDING_MARGIN && up >= -ROUNDING_MARGIN && up <= high + ROUNDING_MARGIN)
      )
        continue;
      const dx = Math.max(0, Math.min(wide - 1, (right + ROUNDING_MARGIN) | 0));
      // A point at the value of a tick is drawn in the row of the tick.
      const dy = Math.max(0, Math.min(high - 1, high - 1 - ((up + ROUNDING_MARGIN) | 0)));
      const cell = (dy >> 2) * columns + (dx >> 1);
      if (fine) {
        dots[cell] |= BRAILLE_BITS[dy & 3][dx & 1];
        marks[cell] = 0;
      } else marks[cell] = mark.charCodeAt(0);
      series[cell] = k;
      point[cell] = i;
    }
  }
  const glyphs = Array.from({ length: n }, (_, c) =>
    marks[c] !== 0 ? String.fromCharCode(marks[c]) : dots[c] !== 0 ? String.fromCharCode(0x2800 + dots[c]) : ' ',
  );
  return {
    columns,
    rows,
    glyphs,
    series,
    point,
    labels: yAxisLabels(upward, given.yLog, rows, gutter),
    gutter,
    axes,
    axis: `${' '.repeat(gutter)}└${xAxisLine(across, columns)}`,
    axisLabels: fit(`${' '.repeat(gutter + 1)}${xAxisLabels(across, given.xLog, columns)}`, width),
  };
}

/** Round values within a range: powers of ten, or steps of 1, 2 and 5. A range without round values gives only its start. */
export function roundTicks([from, to]: readonly [number, number], log: boolean, most: number): number[] {
  // Ranges that cannot be divided into steps: longer than the largest double, or shorter than the smallest.
  if (!(to > from) || most < 1 || !Number.isFinite(to - from) || (to - from) / most === 0 || (log && from <= 0)) return [from];
  const out: number[] = [];
  if (log) {
    const first = Math.ceil(Math.log10(from) - 1e-9);
    const last = Math.floor(Math.log10(to) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first + 1) / most));
    for (let e = first; e <= last; e += step) out.push(10 ** e);
    return out.length > 0 ? out : [from, to].slice(0, most);
  }
  const raw = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw)!;
  for (let v = Math.ceil(from / step) * step; v <= to + step * 1e-9; v += step) {
    out.push(Math.abs(v) < step * 1e-9 ? 0 : v);
    // This far from 0, adjacent doubles are more than a step apart.
    if (v + step === v) break;
  }
  return out;
}

/** Formats the tick values of an axis with one common unit, unless the axis is logarithmic. */
function tickLabels(own: TickedAxis['ticks'], log: boolean, cells: number) {
  const values = own.map(({ value }) => value);
  return log ? formatShort : columnFormat(values, cells);
}

function yAxisLabels({ ticks: own }: TickedAxis, log: boolean, rows: number, gutter: number): (string | undefined)[] {
  const out: (string | undefined)[] = new Array(rows).fill(undefined);
  const text = tickLabels(own, log, gutter);
  for (const { value, at } of own) out[rows - 1 - at] = fit(text(value), gutter, 'right');
  return out;
}

function xAxisLine({ ticks: own }: TickedAxis, columns: number): string {
  const cells = Array<string>(columns).fill('─');
  for (const { at } of own) cells[at] = '┬';
  return cells.join('');
}

function xAxisLabels({ ticks: own }: TickedAxis, log: boolean, columns: number): string {
  let out = '';
  const shown = tickLabels(own, log, MIN_TICK_COLUMNS - 2);
  for (const { value, at } of own) {
    const text = shown(value);
    const from = Math.max(0, Math.min(columns - text.length, at - (text.length >> 1)));
    if (from < out.length + (out === '' ? 0 : 1)) continue;
    out = out.padEnd(from) + text;
  }
  return out;
}

/** The range that contains all values and 0; logarithmic: all positive values. Without values: [0, 1], or logarithmic [1, 10]. */
export function axisRangeOf(values: readonly ArrayLike<number>[], log: boolean): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const list of values)
    for (let i = 0; i < list.length; i++) {
      const v = list[i];
      if (!Number.isFinite(v) || (log && v <= 0)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  if (!(high >= low)) return log ? [1, 10] : [0, 1];
  if (log) return low === high ? [low / 2, high * 2] : [low, high];
  const from = Math.min(0, low);
  return high > from ? [from, high] : [from, from + 1];
}

/** A sparkline: one character per value, with its height relative to the maximum; a blank for NaN. */
export function sparkline(values: readonly number[]): string {
  const most = values.reduce((high, v) => Math.max(high, v || 0), 0);
  const glyphs = '▁▂▃▄▅▆▇█';
  const top = glyphs.length - 1;
  const at = (v: number) => (most > 0 ? Math.max(0, Math.round((v / most) * (top + 1)) - 1) : 0);
  return values.map((v) => (Number.isNaN(v) ? ' ' : glyphs[at(v)])).join('');
}
