// Bars on a time axis: one line per lane, named if there is room, with a single mark for bars that share a cell.
import { ticks } from '../../base/plot.ts';
import { firstWhere } from '../../base/search.ts';
import type { Style } from '../../base/style.ts';
import { ends, fit, visible } from '../../base/text.ts';
import { axisTimes } from '../../columns/times.ts';
import type { Span } from '../view.ts';

export interface Bar {
  /** In so many cells. */
  readonly label: (room: number) => string;
  /** One letter, for narrow bars; it means the same as the colour. */
  readonly letter: string;
  readonly style: Style;
  readonly lit: boolean;
  /** Its ends, where they are not the usual ones. */
  readonly open?: string;
  readonly close?: string;
}

export interface LaneSpec {
  /** The lane's steps by start time; none overlap. */
  readonly steps: ArrayLike<number>;
  readonly start: (step: number) => number;
  readonly end: (step: number) => number;
  readonly bar: (step: number) => Bar;
  /** The look of a cell with several steps, from one place in the lane up to another. */
  readonly many: (from: number, to: number) => { style: Style; lit: boolean };
  readonly glyphs: BarGlyphs;
}

/** The characters of bars: their ends, what is between, and a cell with several steps. */
export interface BarGlyphs {
  readonly open: string;
  readonly close: string;
  readonly fill: string;
  readonly many: string;
}

export const BAR_GLYPHS: BarGlyphs = { open: '├', close: '┤', fill: '─', many: '▒' };

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Where a step is among those of a lane, which are in order of their rows; -1 if it is not. */
export function placeIn(steps: ArrayLike<number>, step: number): number {
  const at = firstWhere(steps.length, (k) => steps[k] >= step);
  return steps[at] === step ? at : -1;
}

/** One lane as exactly `width` cells. The time depends on what is visible, not on the length of the lane. */
export function drawLane(lane: LaneSpec, window: Window, width: number): Span[] {
  const { steps, glyphs } = lane;
  const n = steps.length;
  const range = Math.max(1e-9, window.to - window.from);
  const column = (t: number) => ((t - window.from) / range) * width;
  const spans: Span[] = [];
  let at = 0;
  const blank = (to: number) => {
    if (to > at) spans.push([' '.repeat(to - at), 'plain']);
    at = Math.max(at, to);
  };
  const put = (from: number, text: string, style: Style, lit: boolean) => {
    if (from < at) return;
    const last = from === at ? spans.at(-1) : undefined;
    blank(from);
    // Cells of one look are one span: there may be hundreds of them.
    if (last && !lit && last[1] === style && last[2] === undefined) spans[spans.length - 1] = [last[0] + text, style];
    else spans.push(lit ? [text, style, true] : [text, style]);
    at = from + text.length;
  };
  let k = firstWhere(
    n,
    (i) => lane.end(steps[i]) >= window.from && (lane.end(steps[i]) > window.from || lane.start(steps[i]) >= window.from),
  );
  while (k < n && at < width) {
    const step = steps[k];
    if (lane.start(step) > window.to) break;
    const from = Math.max(at, Math.max(0, Math.floor(column(lane.start(step)))));
    const to = Math.min(width, Math.floor(column(lane.end(step))));
    if (from >= width) break;
    if (to - from >= 2) {
      const bar = lane.bar(step);
      put(from, barText(bar, to - from, glyphs), bar.style, bar.lit);
      k++;
      continue;
    }
    // All steps that start within this cell.
    const next = Math.max(
      k + 1,
      firstWhere(n, (i) => Math.floor(column(lane.start(steps[i]))) > from),
    );
    const together = next - k;
    const last = steps[next - 1];
    const lastEnd = Math.min(width, Math.floor(column(lane.end(last))));
    if (together === 1) {
      const bar = lane.bar(step);
      put(from, bar.letter, bar.style, bar.lit);
    } else {
      const { style, lit } = lane.many(k, next);
      put(from, glyphs.many, style, lit);
      // The last of them may extend further: draw the rest of its bar.
      if (lastEnd - at >= 2) {
        const bar = lane.bar(last);
        put(at, barText(bar, lastEnd - at, glyphs), bar.style, bar.lit);
      }
    }
    k = next;
  }
  blank(width);
  return spans;
}

function barText(bar: Bar, width: number, glyphs: BarGlyphs): string {
  const { fill } = glyphs;
  const open = bar.open ?? glyphs.open;
  const close = bar.close ?? glyphs.close;
  const room = width - 2;
  if (room < 1) return open + close;
  if (room < 4) return open + bar.letter.padEnd(room, fill) + close;
  const text = fit(visible(ends(bar.label(room), room)), room, 'left', 'end');
  return open + text.trimEnd().padEnd(text.length, fill) + close;
}

/** Tick labels over `width` cells, times from the start of the build; `start` is where a range of time starts that has no end yet. */
export function axisLine(window: Window, origin: number, width: number, start?: number): string {
  let out = '';
  const range = Math.max(1e-9, window.to - window.from);
  const marks = ticks([window.from - origin, window.to - origin], false, Math.max(1, Math.floor(width / 10)));
  const texts = axisTimes(marks);
  const brace = start === undefined ? -1 : Math.floor(((start - window.from) / range) * width);
  for (const [k, t] of marks.entries()) {
    const at = Math.floor(((t + origin - window.from) / range) * width);
    const end = at + 1 + texts[k].length;
    // A mark that does not fit is left out whole.
    if (at < out.length || end > width || (at <= brace && brace < end)) continue;
    out = `${out.padEnd(at)}╷${texts[k]}`;
  }
  const line = out.padEnd(width);
  return brace >= 0 && brace < width ? `${line.slice(0, brace)}{${line.slice(brace + 1)}` : line;
}

/** Means are rounded: one that is whole but for that takes no step more. */
const ROUNDED = 1e-6;

/** One block character per value; NaN is a blank. */
export function stripText(values: readonly number[], most: number): string {
  const glyphs = ' ▁▂▃▄▅▆▇█';
  const top = glyphs.length - 1;
  return values
    .map((v) =>
      Number.isNaN(v) ? ' ' : glyphs[Math.max(0, Math.min(top, Math.ceil((v / Math.max(most, 1e-9)) * top - ROUNDED)))],
    )
    .join('');
}
