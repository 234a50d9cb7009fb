// Highlights matches of the search and the filter on the screen.
import { type Ranges, tryCompileSearch } from '../base/match.ts';
import { isFill } from '../base/style.ts';
import type { ScreenLine, Span } from '../views/view.ts';
import type { AppState } from './state.ts';

/** Matches names, which have letters. Numbers are never highlighted: no one searches for costs. */
const NAME = /\p{L}{2}|\p{L}.*_/u; // bounded: a line of the screen

export function markFound(state: AppState, lines: readonly ScreenLine[]): readonly ScreenLine[] {
  const wanted: Ranges[] = [];
  if (state.marking && state.search !== '') {
    const search = tryCompileSearch(state.search);
    if (search) wanted.push(search.ranges);
  }
  if (state.matcher?.ranges) wanted.push(state.matcher.ranges);
  if (wanted.length === 0) return lines;
  return lines.map((line) => {
    if (line.spans.some(([, style]) => style === 'header' || style === 'title')) return line;
    const spans = line.spans.flatMap((span) => (NAME.test(span[0]) ? markSpan(span, wanted) : [span]));
    return spans.length === line.spans.length ? line : { ...line, spans };
  });
}

function markSpan([text, style, lit]: Span, wanted: readonly Ranges[]): Span[] {
  const ranges = wanted.flatMap((of) => of(text)).sort(([a], [b]) => a - b);
  const out: Span[] = [];
  let at = 0;
  const addSpan = (to: number, as: typeof style) => {
    if (to > at) out.push(lit ? [text.slice(at, to), as, lit] : [text.slice(at, to), as]);
    at = Math.max(at, to);
  };
  for (const [from, to] of ranges) {
    addSpan(from, style);
    // A filled box keeps its background within a match.
    addSpan(to, isFill(style) ? 'found' : 'match');
  }
  addSpan(text.length, style);
  return out;
}
