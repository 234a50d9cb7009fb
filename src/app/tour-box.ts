// The box of the tour, drawn over the last lines of the body.
import { cellWidth, cutEnd, fit, wrapText } from '../base/text.ts';
import type { ScreenLine } from '../views/view.ts';
import { toAsciiLine } from './panes.ts';
import type { AppState } from './state.ts';
import { tourStopText } from './tour.ts';

/** Draws the box of the tour over the last lines of the body. */
export function drawTourBox({ tour, panel, width, ascii }: AppState, body: readonly ScreenLine[]): readonly ScreenLine[] {
  if (tour === undefined || panel) return body;
  const { title, text } = tourStopText(tour);
  const innerWidth = Math.max(1, width - 4);
  const borderLine = (left: string, label: string, right: string) => {
    const shown = cutEnd(label, innerWidth + 2);
    return left + shown + '─'.repeat(innerWidth + 2 - cellWidth(shown)) + right;
  };
  const box = [
    borderLine('┌', `─ ${title} `, '┐'),
    ...wrapText(text, innerWidth, innerWidth, 0).map((line) => `│ ${fit(line, innerWidth)} │`),
    borderLine('└', '', '┘'),
  ].map((line): ScreenLine => toAsciiLine({ ascii }, { spans: [[line, 'accent']] }));
  return [...body.slice(0, Math.max(1, body.length - box.length)), ...box].slice(0, Math.max(body.length, 1));
}
