// Bars on a time axis, one lane per line. Wide bars have a name; bars narrower than a cell are merged and counted.
import { firstWhere } from '../../base/search.ts';
import type { Style } from '../../base/style.ts';
import { fit, keepEnds, visible } from '../../base/text.ts';
import type { Span } from '../view.ts';

export interface Bar {
  /** The label for a width. */
  readonly label: (width: number) => string;
  /** One letter for narrow bars, with the same meaning as the colour; '' for none. */
  readonly letter: string;
  /** True if the letter means more than the colour, so it is always shown. */
  readonly marked?: boolean;
  readonly style: Style;
  readonly highlighted: boolean;
  /** The first and last character, if not the usual ones. */
  readonly open?: string;
  readonly close?: string;
}

/** The bar of several merged steps. */
export interface MergedBar {
  readonly style: Style;
  readonly highlighted: boolean;
  readonly label: (width: number) => string;
}

export interface LaneSpec {
  /** The lane's steps by start time; none overlap. */
  readonly steps: ArrayLike<number>;
  readonly start: (step: number) => number;
  readonly end: (step: number) => number;
  /** Whether a range of steps in the lane must not be merged with its neighbours. */
  readonly isSeparate: (from: number, to: number) => boolean;
  readonly bar: (step: number) => Bar;
  /** The bar of a range of steps in the lane. */
  readonly mergedBar: (from: number, to: number) => MergedBar;
  readonly glyphs: BarGlyphs;
}

/** The characters of bars. `edge`: the start of a bar that touches another. `one`: a bar of one cell without a letter. */
export interface BarGlyphs {
  readonly open: string;
  readonly edge: string;
  readonly close: string;
  readonly fill: string;
  readonly one: string;
}

const FILLED: BarGlyphs = { open: ' ', edge: '▏', close: '', fill: ' ', one: ' ' };
const FILLED_ASCII: BarGlyphs = { ...FILLED, edge: '|' };
const BRACKETED: BarGlyphs = { open: '[', edge: '[', close: ']', fill: '─', one: '│' };
/** For the rows of a bar below its first row. */
const BRACKETED_BELOW: BarGlyphs = { ...BRACKETED, fill: ' ' };

/** Bars are filled if there are colours, else they have brackets. */
export function barGlyphs({ fills, ascii }: { readonly fills: boolean; readonly ascii: boolean }, row = 0): BarGlyphs {
  if (fills) return ascii ? FILLED_ASCII : FILLED;
  return row > 0 ? BRACKETED_BELOW : BRACKETED;
}

export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** The index of a step in a lane, whose step numbers ascend; -1 if it is not in the lane. */
export function indexInLane(steps: ArrayLike<number>, step: number): number {
  const at = firstWhere(steps.length, (k) => steps[k] >= step);
  return steps[at] === step ? at : -1;
}

/** The cells [at, to) of a lane, and its steps [first, next) in them. */
interface LaneSegment {
  readonly at: number;
  to: number;
  readonly first: number;
  next: number;
}

/** Splits a lane into segments. The time depends on the visible part, not on the length of the lane. */
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
  let k = firstWhere(n, (i) => end(steps[i]) >= window.from && (end(steps[i]) > window.from || start(steps[i]) >= window.from));
  while (k < n && at < width && start(steps[k]) <= window.to) {
    const from = Math.max(at, column(start(steps[k])));
    if (from >= width) break;
    at = from;
    if (endOf(k) - from >= 2) {
      addSegment(endOf(k), k, ++k);
      continue;
    }
    // Merge all steps that start in this cell. If the last one is longer, it gets its own bar.
    const next = Math.max(
      k + 1,
      firstWhere(n, (i) => column(start(steps[i])) > from),
    );
    const hasWideLast = next - k > 1 && endOf(next - 1) - from >= 3;
    addSegment(from + 1, k, hasWideLast ? next - 1 : next);
    if (hasWideLast) addSegment(endOf(next - 1), next - 1, next);
    k = next;
  }
  return out;
}

/** The segments of a lane. Adjacent steps that are narrower than a cell are merged. */
export function laneCells(lane: LaneSpec, window: TimeWindow, width: number): readonly LaneSegment[] {
  const cell = (window.to - window.from) / width;
  const isNarrow = ({ at, to, first, next }: LaneSegment) =>
    to - at === 1 && (next - first > 1 || lane.end(lane.steps[first]) - lane.start(lane.steps[first]) < cell);
  const out: LaneSegment[] = [];
  let open: LaneSegment | undefined;
  for (const piece of laneSegments(lane, window, width)) {
    const isMerged = isNarrow(piece) && !lane.isSeparate(piece.first, piece.next);
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

/** One row of a lane as exactly `width` cells. `cells` can be shared by all rows of the lane. */
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

/** The least width for a name instead of a letter. */
const LEAST_LABEL_WIDTH = 4;
const CURSOR = '▶';

function barText(bar: Bar, width: number, touches: boolean, glyphs: BarGlyphs): string {
  const { edge, fill, one } = glyphs;
  const open = bar.open ?? (touches ? edge : glyphs.open);
  const letter = bar.letter || one;
  if (width === 1) return touches && !bar.marked && edge !== glyphs.open ? edge : letter;
  const first = bar.highlighted ? CURSOR : open;
  const close = bar.close ?? glyphs.close;
  if (width === 2) return first + (bar.close ?? (bar.letter || close || fill));
  const labelWidth = width - 1 - close.length;
  if (labelWidth < LEAST_LABEL_WIDTH) return first + bar.letter.padEnd(labelWidth, fill) + close;
  const text = fit(visible(keepEnds(bar.label(labelWidth), labelWidth)), labelWidth, 'left', 'end');
  return first + text.trimEnd().padEnd(text.length, fill) + close;
}

/** The number of merged steps, if it fits: numbers are never cut. `!`: one of them failed. */
export function countLabel(count: number, bad: boolean, width: number): string {
  const mark = bad ? '!' : '';
  const texts = [`${mark}…${count}`, ...(bad || count > 9 ? [] : [String(count)]), `${mark}…`, mark];
  return texts.find((text) => text !== '' && text.length <= width) ?? '…';
}

/** Tolerance for rounding errors, so that a full block does not start the next one. */
const ROUNDING = 1e-6;
const LEVELS = ' ▁▂▃▄▅▆▇█';
const EIGHTHS = LEVELS.length - 1;

/** A bar chart of the values in `rows` rows of blocks. 0 and NaN are blank. */
export function stripRows(values: readonly number[], [least, most]: readonly [number, number], rows: number): string[] {
  const all = rows * EIGHTHS;
  const levels = values.map((v) => {
    const level = Math.ceil(((v - least) / Math.max(most - least, 1e-9)) * all - ROUNDING);
    return v > 0 ? Math.max(1, Math.min(all, level)) : 0;
  });
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * EIGHTHS;
    return levels.map((level) => LEVELS[Math.max(0, Math.min(EIGHTHS, level - below))]).join('');
  });
}
