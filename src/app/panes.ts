// The screen between tabs and details: one view, or two views with a line between them.
import { toAscii } from '../base/ascii.ts';
import { type FindRanges, tryCompileSearch } from '../base/match.ts';
import { isFill, spansWidth } from '../base/style.ts';
import { cellWidth, cutEnd, fit } from '../base/text.ts';
import { fillHeight } from '../views/parts/lines.ts';
import { cacheLast, contentOf } from '../views/parts/remembered.ts';
import { type ScreenLine, type Span, textLine } from '../views/view.ts';
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
  const titled = [textLine(cutEnd(` ${secondTitle(state)}`, below.width), 'header'), ...second];
  return fillHeight(first, height).map((line, row) => {
    const { spans } = titled[row] ?? { spans: [] };
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

/** The second view and what it is about: `Source: demo::split`. */
function secondTitle(state: AppState): string {
  const second = state.split?.side === 'first' ? withOtherPaneActive(state) : state;
  const context = contextOf(second);
  const mode = openView(second).mode(context, context.width);
  return activeView(second).title + (mode === '' ? '' : mode.startsWith('of ') ? ` ${mode}` : `: ${mode}`);
}

/** The line between two views, with the title of the second one. */
function paneDivider(state: AppState): ScreenLine {
  const title = ` ${cutEnd(secondTitle(state), Math.max(1, state.width - 4))} `;
  return { spans: [['──' + title + '─'.repeat(Math.max(0, state.width - cellWidth(title) - 2)), 'dim']] };
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

/** Matches texts with letters, such as names. Numbers are not highlighted, because nobody searches for costs. */
const NAME_PATTERN = /\p{L}{2}|\p{L}.*_/u; // bounded: a line of the screen

function highlightMatches(state: AppState, lines: readonly ScreenLine[]): readonly ScreenLine[] {
  const wanted: FindRanges[] = [];
  if (state.marking && state.search !== '') {
    const search = tryCompileSearch(state.search);
    if (search) wanted.push(search.ranges);
  }
  if (state.matcher?.ranges) wanted.push(state.matcher.ranges);
  if (wanted.length === 0) return lines;
  return lines.map((line) => {
    if (line.spans.some(([, style]) => style === 'header' || style === 'title')) return line;
    const spans = line.spans.flatMap((span) => (NAME_PATTERN.test(span[0]) ? highlightInSpan(span, wanted) : [span]));
    return spans.length === line.spans.length ? line : { ...line, spans };
  });
}

function highlightInSpan([text, style, lit]: Span, wanted: readonly FindRanges[]): Span[] {
  const ranges = wanted.flatMap((of) => of(text)).sort(([a], [b]) => a - b);
  const out: Span[] = [];
  let at = 0;
  const addSpan = (to: number, as: typeof style) => {
    if (to > at) out.push(lit ? [text.slice(at, to), as, lit] : [text.slice(at, to), as]);
    at = Math.max(at, to);
  };
  for (const [from, to] of ranges) {
    addSpan(from, style);
    // Matches inside a filled box keep a background colour.
    addSpan(to, isFill(style) ? 'found' : 'match');
  }
  addSpan(text.length, style);
  return out;
}
