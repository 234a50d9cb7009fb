// The meaning of fills, in one line.
import { changeFill, HEATS, type Style } from '../../base/style.ts';
import { cellWidth, fit, visible } from '../../base/text.ts';
import type { ScreenLine, Span } from '../view.ts';

export interface LegendEntry {
  readonly name: string;
  readonly style: Style;
}

/** The heats of shares of what is coloured, which is named first. */
export const heatLegend = (what: string): readonly LegendEntry[] =>
  HEATS.map((style, k) => ({ name: [`${what} <1%`, '<5%', '<15%', '<30%', '30% and more'][k], style }));

/** The fills of differences. */
export const changeLegend = (): readonly LegendEntry[] =>
  (
    [
      ['-10% and less', -0.2],
      ['-1%', -0.05],
      ['below 0', -0.001],
      ['as before', 0],
      ['above 0', 0.001],
      ['+1%', 0.05],
      ['+10% and more', 0.2],
    ] as const
  ).map(([name, share]) => ({ name, style: changeFill(share) }));

/** The longest name that is not cut. */
const NAME = 24;

/** As many entries as have room, in exactly `width` cells; the last one is for all others. */
export function legendLine(entries: readonly LegendEntry[], others: LegendEntry | undefined, width: number): ScreenLine {
  const spans: Span[] = [];
  let left = width;
  const put = ({ name, style }: LegendEntry): boolean => {
    const shown = visible(name);
    const text = ` ${fit(shown, Math.min(cellWidth(shown), NAME), 'left', 'middle')} `;
    if (cellWidth(text) > left) return false;
    spans.push([text, style]);
    left -= cellWidth(text);
    return true;
  };
  for (const entry of entries) if (!put(entry)) break;
  if (others) put(others);
  spans.push([' '.repeat(left), 'plain']);
  return { spans };
}
