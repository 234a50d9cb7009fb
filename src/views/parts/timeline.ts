// Bars on a time axis, one lane per line. Wide bars show a name. Bars narrower than a cell are merged, with their number.
import { firstIndexWhere } from '../../base/lists.ts';
import type { Style } from '../../base/style.ts';
import { fit, keepEnds, visible } from '../../base/text.ts';
import type { ScreenLine, Span } from '../view.ts';

export interface TimelineBar {
  readonly label: (width: number) => string;
  /** The letter for a narrow bar, which means the same as its colour; '' for none. */
  readonly letter: string;
  /** True if the letter has a meaning beyond the colour, so that it is always shown. */
  readonly marked?: boolean;
  readonly style: Style;
  readonly highlighted: boolean;
  /** The first and last character of the bar. Absent: those of its BarGlyphs. */
  readonly open?: string;
  readonly close?: string;
}

export interface LaneSpec {
  /** The steps of the lane by start time. Steps do not overlap. */
  readonly steps: ArrayLike<number>;
  readonly start: (step: number) => number;
  readonly end: (step: number) => number;
  /** Whether the steps [from, to) of the lane must not be merged with their neighbours. Absent: all may be. */
  readonly isSeparate?: (from: number, to: number) => boolean;
  readonly bar: (step: number) => TimelineBar;
  /** The bar for the merged steps [from, to) of the lane. */
  readonly mergedBar: (from: number, to: number) => Pick<TimelineBar, 'label' | 'style' | 'highlighted'>;
  readonly glyphs: BarGlyphs;
}

/** The characters of a bar. `edge`: its start if it touches another bar. `one`: a bar of one cell without a letter. */
export type BarGlyphs = Readonly<Record<'open' | 'edge' | 'close' | 'fill' | 'one', string>>;

const FILLED_GLYPHS: BarGlyphs = { open: ' ', edge: '▏', close: '', fill: ' ', one: ' ' };
const FILLED_ASCII_GLYPHS: BarGlyphs = { ...FILLED_GLYPHS, edge: '|' };
const BRACKET_GLYPHS: BarGlyphs = { open: '[', edge: '[', close: ']', fill: '─', one: '│' };
/** For further rows of a bar, below the row with its name. */
const LOWER_BRACKET_GLYPHS: BarGlyphs = { ...BRACKET_GLYPHS, fill: ' ' };

/** The characters of bars: filled ones if the terminal has colours, else brackets. */
export function barGlyphs({ fills, ascii }: { readonly fills: boolean; readonly ascii: boolean }, row = 0): BarGlyphs {
  if (fills) return ascii ? FILLED_ASCII_GLYPHS : FILLED_GLYPHS;
  return row > 0 ? LOWER_BRACKET_GLYPHS : BRACKET_GLYPHS;
}

export type TimeWindow = Readonly<Record<'from' | 'to', number>>;

/** The index of a step in a lane, whose step numbers must ascend; -1 if the lane does not contain it. */
export function indexInLane(steps: ArrayLike<number>, step: number): number {
  const at = firstIndexWhere(steps.length, (k) => steps[k] >= step);
  return steps[at] === step ? at : -1;
}

/** The cells [at, to) of a lane, and the steps [first, next) that are drawn there. */
interface LaneSegment {
  readonly at: number;
  to: number;
  readonly first: number;
  next: number;
}

/** Splits the visible part of a lane into segments. The time does not depend on the length of the lane. */
function laneSegments({ steps, start, end }: LaneSpec, window: TimeWindow, width: number): LaneSegment[] {
  const n = steps.length;
  const range = Math.max(1e-9, window.to - window.from);
  const column = (t: number) => Math.floor(((t - window.from) / range) * width);
  const endOf = (k: number) => Math.min(width, column(end(steps[k])));
  const out: LaneSegment[] = [];
  let at = 0;
  const addSegment = (to: number, first: number, next: number) => {
    out.push({ at, to, first, next });
    at = to;
  };
  const isAfter = (s: number) => end(s) >= window.from && (end(s) > window.from || start(s) >= window.from);
  let k = firstIndexWhere(n, (i) => isAfter(steps[i]));
  while (k < n && at < width && start(steps[k]) <= window.to) {
    const from = Math.max(at, column(start(steps[k])));
    if (from >= width) break;
    at = from;
    if (endOf(k) - from >= 2) {
      addSegment(endOf(k), k, ++k);
      continue;
    }
    // Merge the steps that start in this cell. The last of them gets its own bar if it is longer than the cell.
    const beyond = firstIndexWhere(n, (i) => column(start(steps[i])) > from);
    const next = Math.max(k + 1, beyond);
    const hasWideLast = next - k > 1 && endOf(next - 1) - from >= 3;
    addSegment(from + 1, k, hasWideLast ? next - 1 : next);
    if (hasWideLast) addSegment(endOf(next - 1), next - 1, next);
    k = next;
  }
  return out;
}

/** The segments of a lane, with adjacent steps merged that are narrower than a cell. */
export function laneCells(lane: LaneSpec, window: TimeWindow, width: number): readonly LaneSegment[] {
  const cell = (window.to - window.from) / width;
  const isNarrow = ({ at, to, first, next }: LaneSegment) =>
    to - at === 1 && (next - first > 1 || lane.end(lane.steps[first]) - lane.start(lane.steps[first]) < cell);
  const out: LaneSegment[] = [];
  let open: LaneSegment | undefined;
  for (const piece of laneSegments(lane, window, width)) {
    const isMerged = isNarrow(piece) && !lane.isSeparate?.(piece.first, piece.next);
    if (open && isMerged && open.to === piece.at) {
      open.to = piece.to;
      open.next = piece.next;
      continue;
    }
    out.push(piece);
    open = isMerged ? piece : undefined;
  }
  return out;
}

/** Draws a row of a lane as exactly `width` cells. `cells`: its segments, which all rows of the lane share. */
export function drawLane(lane: LaneSpec, window: TimeWindow, width: number, cells = laneCells(lane, window, width)): Span[] {
  const spans: Span[] = [];
  let end = 0;
  const blank = (to: number) => {
    if (to > end) spans.push([' '.repeat(to - end), 'plain']);
  };
  for (const { at, to, first, next } of cells) {
    blank(at);
    const touches = at > 0 && at === end;
    if (next - first > 1) {
      const { style, highlighted, label } = lane.mergedBar(first, next);
      spans.push([fit(label(to - at), to - at), style, highlighted]);
    } else {
      const bar = lane.bar(lane.steps[first]);
      spans.push([barText(bar, to - at, touches, lane.glyphs), bar.style, bar.highlighted]);
    }
    end = to;
  }
  blank(width);
  return spans;
}

const MIN_LABEL_WIDTH = 4;
const CURSOR_MARK = '▶';

function barText(bar: TimelineBar, width: number, touches: boolean, glyphs: BarGlyphs): string {
  const { edge, fill, one } = glyphs;
  const open = bar.open ?? (touches ? edge : glyphs.open);
  const letter = bar.letter || one;
  if (width === 1) return touches && !bar.marked && edge !== glyphs.open ? edge : letter;
  const first = bar.highlighted ? CURSOR_MARK : open;
  const close = bar.close ?? glyphs.close;
  if (width === 2) return first + (bar.close ?? (bar.letter || close || fill));
  const labelWidth = width - 1 - close.length;
  if (labelWidth < MIN_LABEL_WIDTH) return first + bar.letter.padEnd(labelWidth, fill) + close;
  const text = fit(visible(keepEnds(bar.label(labelWidth), labelWidth)), labelWidth, 'left', 'end');
  return first + text.trimEnd().padEnd(text.length, fill) + close;
}

/** The number of merged steps, or only dots if it does not fit, because numbers are never cut. */
export const mergedCountLabel = (count: number, width: number): string =>
  [`…${count}`, ...(count > 9 ? [] : [String(count)])].find((text) => text.length <= width) ?? '…';

/** Tolerance for rounding errors, so that a value that fills a block does not begin the next one. */
const ROUNDING_TOLERANCE = 1e-6;
const BLOCK_CHARACTERS = ' ▁▂▃▄▅▆▇█';
const LEVELS_PER_ROW = BLOCK_CHARACTERS.length - 1;

/** Draws the values as a bar chart with `rows` rows of block characters. 0 and NaN are blank. */
export function drawBlockChart(values: readonly number[], [least, most]: readonly [number, number], rows: number): string[] {
  const all = rows * LEVELS_PER_ROW;
  const levels = values.map((v) => {
    const level = Math.ceil(((v - least) / Math.max(most - least, 1e-9)) * all - ROUNDING_TOLERANCE);
    return v > 0 ? Math.max(1, Math.min(all, level)) : 0;
  });
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * LEVELS_PER_ROW;
    return levels.map((level) => BLOCK_CHARACTERS[Math.max(0, Math.min(LEVELS_PER_ROW, level - below))]).join('');
  });
}

/** The lines of a chart, each after its label. Without labels, the chart takes the whole width. */
export const chartLines = (labels: readonly string[], chart: readonly string[], style: Style): ScreenLine[] =>
  chart.map((text, row) => ({ spans: [...(labels[row] ? [[labels[row], 'dim'] as const] : []), [text, style]] }));
