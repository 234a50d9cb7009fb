// The box of the tour, over the last lines of the body.
import { cellWidth, cutEnd, fit, wrapped } from '../base/text.ts';
import type { ScreenLine } from '../views/view.ts';
import { inAscii } from './panes.ts';
import type { AppState } from './state.ts';
import { tourText } from './tour.ts';

/** The body with the box of the tour over its last lines. */
export function withTour({ tour, panel, width, ascii }: AppState, body: readonly ScreenLine[]): readonly ScreenLine[] {
  if (tour === undefined || panel) return body;
  const { title, text } = tourText(tour);
  const room = Math.max(1, width - 4);
  const rule = (left: string, said: string, right: string) => {
    const shown = cutEnd(said, room + 2);
    return left + shown + '─'.repeat(room + 2 - cellWidth(shown)) + right;
  };
  const box = [
    rule('┌', `─ ${title} `, '┐'),
    ...wrapped(text, room, room, 0).map((line) => `│ ${fit(line, room)} │`),
    rule('└', '', '┘'),
  ].map((line): ScreenLine => inAscii({ ascii }, { spans: [[line, 'accent']] }));
  return [...body.slice(0, Math.max(1, body.length - box.length)), ...box].slice(0, Math.max(body.length, 1));
}
