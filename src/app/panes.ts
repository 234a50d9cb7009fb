// The part of the screen between tabs and details: one view, or two with a line between them.
import { toAscii } from '../base/ascii.ts';
import { cellWidth, cutEnd, fit } from '../base/text.ts';
import type { ScreenLine, Span } from '../views/view.ts';
import { markFound } from './marking.ts';
import { flip } from './split.ts';
import { type AppState, activeView, contextOf, openView, splitSizes } from './state.ts';

/** Exactly as many lines as the body has. */
export function drawPanes(state: AppState): readonly ScreenLine[] {
  const active = drawn(state);
  const sizes = splitSizes(state);
  if (!sizes || !state.split) return active;
  const other = quiet(flip(state));
  const [first, second] = state.split.side === 'first' ? [active, other] : [other, active];
  const [{ width, height }, below] = sizes;
  if (state.split.how === 'below') return [...exactly(first, height), ruleLine(state), ...exactly(second, below.height)];
  const bar: Span = ['│', 'dim'];
  return exactly(first, height).map((line, row) => {
    const { spans } = second[row] ?? { spans: [] };
    return { spans: [...padded(line, width).spans, bar, ...spans], ...(line.cursor ? { cursor: true } : {}) };
  });
}

function drawn(state: AppState): readonly ScreenLine[] {
  const lines = openView(state)
    .draw(contextOf(state))
    .map((line) => inAscii(state, line));
  return markFound(state, lines);
}

/** The inputs of the inactive side's lines: while they stay, a key does not draw them again. */
const dependsOn = (s: AppState): readonly unknown[] => [
  ...[openView(s), s.analysis, s.event, s.extraColumns, s.percent, s.names, s.width, s.height, s.detailRows, s.ascii, s.measure],
  ...[s.focus, s.wholeCycle, s.step, s.filter, s.matcher, s.search, s.marking, s.sources, s.baseSources, s.disassembly],
  ...[s.favourites, s.fills, s.split?.how, s.split?.side, s.transforms.length > 0],
];

let last: { readonly of: readonly unknown[]; readonly lines: readonly ScreenLine[] } | undefined;

/** The lines of the side that is not active: nothing in them is lit. */
function quiet(other: AppState): readonly ScreenLine[] {
  const of = dependsOn(other);
  if (last?.of.length === of.length && of.every((value, i) => Object.is(value, last?.of[i]))) return last.lines;
  const lines = drawn(other).map(({ spans }) => ({ spans: spans.map(([text, style]): Span => [text, style]) }));
  // Unfinished work is drawn again.
  last = openView(other).work(contextOf(other), 0) ? { of, lines } : undefined;
  return lines;
}

/** The line between two views: what the second is. */
function ruleLine(state: AppState): ScreenLine {
  const second = state.split?.side === 'first' ? flip(state) : state;
  const rule = '─';
  const title = ` ${activeView(second).title} `;
  return { spans: [[rule.repeat(2) + title + rule.repeat(Math.max(0, state.width - cellWidth(title) - 2)), 'dim']] };
}

const exactly = (lines: readonly ScreenLine[], height: number): readonly ScreenLine[] =>
  Array.from({ length: height }, (_, row) => lines[row] ?? { spans: [] });

/** With --ascii, every character that is drawn is ASCII. */
export function inAscii({ ascii }: Pick<AppState, 'ascii'>, line: ScreenLine): ScreenLine {
  if (!ascii) return line;
  return { ...line, spans: line.spans.map(([text, style, lit]): Span => [toAscii(text), style, lit ?? false]) };
}

/** A line of exactly so many cells. */
function padded(line: ScreenLine, width: number): ScreenLine {
  const used = line.spans.reduce((sum, [text]) => sum + cellWidth(text), 0);
  if (used > width) return clip(line, width);
  return { ...line, spans: [...line.spans, [fit('', width - used), 'plain']] };
}

/** Tables fit any width down to about twenty cells; below that, lines are cut. */
export function clip(line: ScreenLine, width: number): ScreenLine {
  let used = 0;
  for (const [text] of line.spans) used += cellWidth(text);
  if (used <= width) return line;
  const spans: Span[] = [];
  let room = width;
  for (const [text, style, lit] of line.spans) {
    const cut = cutEnd(text, room);
    room -= cellWidth(cut);
    spans.push(lit ? [cut, style, lit] : [cut, style]);
    if (cut.length < text.length) break;
  }
  return { ...line, spans };
}
