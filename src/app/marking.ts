// Highlights matches of the search and the filter on the screen.
import { type FindRanges, tryCompileSearch } from '../base/match.ts';
import { isFill } from '../base/style.ts';
import type { ScreenLine, Span } from '../views/view.ts';
import type { AppState } from './state.ts';

/** Matches texts with letters, such as names. Numbers are not highlighted, because nobody searches for costs. */
const NAME_PATTERN = /\p{L}{2}|\p{L}.*_/u; // bounded: a line of the screen

export function highlightMatches(state: AppState, lines: readonly ScreenLine[]): readonly ScreenLine[] {
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
