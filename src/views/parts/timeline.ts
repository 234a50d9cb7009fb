// Bars on a time axis: one line per row of a lane, named if there is room; bars narrower than a cell are counted together.
import { firstWhere } from '../../base/search.ts';
import type { Style } from '../../base/style.ts';
import { ends, fit, visible } from '../../base/text.ts';
import type { Span } from '../view.ts';

export interface Bar {
  /** In so many cells. */
  readonly label: (room: number) => string;
  /** One letter, for narrow bars; it means the same as the colour. '' for none. */
  readonly letter: string;
  /** The letter says more than that, and is shown in any case. */
  readonly marked?: boolean;
  readonly style: Style;
  readonly lit: boolean;
  /** Its ends, where they are not the usual ones. */
  readonly open?: string;
  readonly close?: string;
}

/** Several steps in the cells of one bar. */
export interface Many {
  readonly style: Style;
  readonly lit: boolean;
  readonly label: (room: number) => string;
}

export interface LaneSpec {
  /** The lane's steps by start time; none overlap. */
  readonly steps: ArrayLike<number>;
  readonly start: (step: number) => number;
  readonly end: (step: number) => number;
  /** Whether steps, from one place in the lane up to another, do not go into one bar with their neighbours. */
  readonly apart: (from: number, to: number) => boolean;
  readonly bar: (step: number) => Bar;
  /** The look of several steps, from one place in the lane up to another. */
  readonly many: (from: number, to: number) => Many;
  readonly glyphs: BarGlyphs;
}

/** The characters of bars: their ends, what is between, and a bar of one cell without a letter. `edge`: the start of one that touches another. */
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
/** In rows of a bar below the first. */
const BRACKETED_BELOW: BarGlyphs = { ...BRACKETED, fill: ' ' };

/** Bars are filled with a colour, or have brackets where there is none. */
export function barGlyphs({ fills, ascii }: { readonly fills: boolean; readonly ascii: boolean }, row = 0): BarGlyphs {
  if (fills) return ascii ? FILLED_ASCII : FILLED;
  return row > 0 ? BRACKETED_BELOW : BRACKETED;
}

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Where a step is among those of a lane, which are in order of their rows; -1 if it is not. */
export function placeIn(steps: ArrayLike<number>, step: number): number {
  const at = firstWhere(steps.length, (k) => steps[k] >= step);
  return steps[at] === step ? at : -1;
}

/** Cells of a lane, and the steps in them: from one place in the lane up to another. */
interface Piece {
  readonly at: number;
  to: number;
  readonly first: number;
  next: number;
}

/** A lane in cells. The time depends on what is visible, not on the length of the lane. */
function piecesOf({ steps, start, end }: LaneSpec, window: Window, width: number): Piece[] {
  const n = steps.length;
  const range = Math.max(1e-9, window.to - window.from);
  const column = (t: number) => Math.floor(((t - window.from) / range) * width);
  const endOf = (k: number) => Math.min(width, column(end(steps[k])));
  const out: Piece[] = [];
  let at = 0;
  const put = (to: number, first: number, next: number) => {
    out.push({ at, to, first, next });
    at = to;
  };
  let k = firstWhere(n, (i) => end(steps[i]) >= window.from && (end(steps[i]) > window.from || start(steps[i]) >= window.from));
  while (k < n && at < width && start(steps[k]) <= window.to) {
    const from = Math.max(at, column(start(steps[k])));
    if (from >= width) break;
    at = from;
    if (endOf(k) - from >= 2) {
      put(endOf(k), k, ++k);
      continue;
    }
    // All steps that start within this cell. The last of them may extend further: then it has a bar.
    const next = Math.max(
      k + 1,
      firstWhere(n, (i) => column(start(steps[i])) > from),
    );
    const reaches = next - k > 1 && endOf(next - 1) - from >= 3;
    put(from + 1, k, reaches ? next - 1 : next);
    if (reaches) put(endOf(next - 1), next - 1, next);
    k = next;
  }
  return out;
}

/** The bars of a lane in so many cells; those narrower than a cell, side by side, are one. */
export function laneCells(lane: LaneSpec, window: Window, width: number): readonly Piece[] {
  const cell = (window.to - window.from) / width;
  const narrow = ({ at, to, first, next }: Piece) =>
    to - at === 1 && (next - first > 1 || lane.end(lane.steps[first]) - lane.start(lane.steps[first]) < cell);
  const out: Piece[] = [];
  let open: Piece | undefined;
  for (const piece of piecesOf(lane, window, width)) {
    const joins = narrow(piece) && !lane.apart(piece.first, piece.next);
    if (open && joins && open.to === piece.at) {
      open.to = piece.to;
      open.next = piece.next;
      continue;
    }
    out.push(piece);
    open = joins ? piece : undefined;
  }
  return out;
}

/** One row of a lane as exactly `width` cells; `cells` are the same for all its rows. */
export function drawLane(lane: LaneSpec, window: Window, width: number, cells = laneCells(lane, window, width)): Span[] {
  const spans: Span[] = [];
  let end = 0;
  const blank = (to: number) => {
    if (to > end) spans.push([' '.repeat(to - end), 'plain']);
  };
  for (const { at, to, first, next } of cells) {
    blank(at);
    const touches = at > 0 && at === end;
    if (next - first > 1) {
      const { style, lit, label } = lane.many(first, next);
      spans.push([fit(label(to - at), to - at), style, lit]);
    } else {
      const bar = lane.bar(lane.steps[first]);
      spans.push([barText(bar, to - at, touches, lane.glyphs), bar.style, bar.lit]);
    }
    end = to;
  }
  blank(width);
  return spans;
}

/** Cells in which a name says more than the letter. */
const NAMED = 4;
const CURSOR = '▶';

function barText(bar: Bar, width: number, touches: boolean, glyphs: BarGlyphs): string {
  const { edge, fill, one } = glyphs;
  const open = bar.open ?? (touches ? edge : glyphs.open);
  const letter = bar.letter || one;
  if (width === 1) return touches && !bar.marked && edge !== glyphs.open ? edge : letter;
  const first = bar.lit ? CURSOR : open;
  const close = bar.close ?? glyphs.close;
  if (width === 2) return first + (bar.close ?? (bar.letter || close || fill));
  const room = width - 1 - close.length;
  if (room < NAMED) return first + bar.letter.padEnd(room, fill) + close;
  const text = fit(visible(ends(bar.label(room), room)), room, 'left', 'end');
  return first + text.trimEnd().padEnd(text.length, fill) + close;
}

/** `12` steps as much as has room, for no number is cut; `!` where one of them failed. */
export function countLabel(count: number, bad: boolean, room: number): string {
  const mark = bad ? '!' : '';
  const texts = [`${mark}…${count}`, ...(bad || count > 9 ? [] : [String(count)]), `${mark}…`, mark];
  return texts.find((text) => text !== '' && text.length <= room) ?? '…';
}

/** Means are rounded: one that is whole but for that takes no step more. */
const ROUNDED = 1e-6;
const LEVELS = ' ▁▂▃▄▅▆▇█';
const EIGHTHS = LEVELS.length - 1;

/** Values from the least to the most, in so many rows of blocks; 0 is a blank, NaN as well. */
export function stripRows(values: readonly number[], [least, most]: readonly [number, number], rows: number): string[] {
  const all = rows * EIGHTHS;
  const levels = values.map((v) => {
    const level = Math.ceil(((v - least) / Math.max(most - least, 1e-9)) * all - ROUNDED);
    return v > 0 ? Math.max(1, Math.min(all, level)) : 0;
  });
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * EIGHTHS;
    return levels.map((level) => LEVELS[Math.max(0, Math.min(EIGHTHS, level - below))]).join('');
  });
}
