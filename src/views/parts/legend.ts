// The meaning of fills, in one line.
import type { Style } from '../../base/style.ts';
import { cellWidth, fit, visible } from '../../base/text.ts';
import type { ScreenLine, Span } from '../view.ts';

export interface LegendEntry {
  readonly name: string;
  readonly style: Style;
}

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
