// The screen between tabs and details: one view, or two views with a line between them.
import { toAscii } from '../base/ascii.ts';
import { spansWidth } from '../base/spans.ts';
import { cellWidth, cutEnd, fit } from '../base/text.ts';
import { fillHeight } from '../views/parts/lines.ts';
import { cacheLast, contentOf } from '../views/parts/remembered.ts';
import type { ScreenLine, Span } from '../views/view.ts';
import { highlightMatches } from './marking.ts';
import { withOtherPaneActive } from './split.ts';
import { type AppState, activeView, contextOf, openView, splitSizes } from './state.ts';

/** Draws the one or two visible views, exactly as many lines as the body has. */
export function drawPanes(state: AppState): readonly ScreenLine[] {
  const active = drawView(state);
  const sizes = splitSizes(state);
  if (!sizes || !state.split) return active;
  const other = drawInactivePane(withOtherPaneActive(state));
  const [first, second] = state.split.side === 'first' ? [active, other] : [other, active];
  const [{ width, height }, below] = sizes;
  if (state.split.how === 'below') return [...fillHeight(first, height), paneDivider(state), ...fillHeight(second, below.height)];
  const bar: Span = ['│', 'dim'];
  return fillHeight(first, height).map((line, row) => {
    const { spans } = second[row] ?? { spans: [] };
    return { spans: [...fitToWidth(line, width).spans, bar, ...spans], ...(line.cursor ? { cursor: true } : {}) };
  });
}

function drawView(state: AppState): readonly ScreenLine[] {
  const lines = openView(state)
    .draw(contextOf(state))
    .map((line) => toAsciiLine(state, line));
  return highlightMatches(state, lines);
}

/** Draws the inactive pane, without highlighted matches. Its lines are reused while no input of drawing changes. */
const drawInactivePane = cacheLast(
  (other: AppState): readonly ScreenLine[] =>
    drawView(other).map(({ spans }) => ({ spans: spans.map(([text, style]): Span => [text, style]) })),
  (other) => [openView(other), other.search, other.marking, ...contentOf(contextOf(other))],
  // Lines of a view with unfinished work are not reused.
  (_, other) => openView(other).work(contextOf(other), 0),
);

/** The line between two views, with the title of the second one. */
function paneDivider(state: AppState): ScreenLine {
  const second = state.split?.side === 'first' ? withOtherPaneActive(state) : state;
  const rule = '─';
  const title = ` ${activeView(second).title} `;
  return { spans: [[rule.repeat(2) + title + rule.repeat(Math.max(0, state.width - cellWidth(title) - 2)), 'dim']] };
}

/** With --ascii, replaces all characters that are not ASCII. */
export function toAsciiLine({ ascii }: Pick<AppState, 'ascii'>, line: ScreenLine): ScreenLine {
  if (!ascii) return line;
  return { ...line, spans: line.spans.map(([text, style, lit]): Span => [toAscii(text), style, lit ?? false]) };
}

/** Pads or cuts a line to exactly `width` cells. */
function fitToWidth(line: ScreenLine, width: number): ScreenLine {
  const used = spansWidth(line.spans);
  if (used > width) return cutToWidth(line, width);
  return { ...line, spans: [...line.spans, [fit('', width - used), 'plain']] };
}

/** Cuts a line that is too wide. Tables fit any width from about twenty cells on. */
export function cutToWidth(line: ScreenLine, width: number): ScreenLine {
  if (spansWidth(line.spans) <= width) return line;
  const spans: Span[] = [];
  let availableWidth = width;
  for (const [text, style, lit] of line.spans) {
    const cut = cutEnd(text, availableWidth);
    availableWidth -= cellWidth(cut);
    spans.push(lit ? [cut, style, lit] : [cut, style]);
    if (cut.length < text.length) break;
  }
  return { ...line, spans };
}
