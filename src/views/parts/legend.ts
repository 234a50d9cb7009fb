// The meaning of fills, in one line.
import { HEAT_STEPS, HEATS, LESS, MORE, type Style } from '../../base/style.ts';
import { cellWidth, fit, visible } from '../../base/text.ts';
import type { ScreenLine, Span } from '../view.ts';

export interface LegendEntry {
  readonly name: string;
  readonly style: Style;
}

/** The legend of heat colours; `what` names the coloured share. */
export const heatLegend = (what: string): readonly LegendEntry[] =>
  HEATS.map((style, k) => {
    const step = k < HEAT_STEPS.length ? `<${100 * HEAT_STEPS[k]}%` : `${100 * HEAT_STEPS[k - 1]}% and more`;
    return { name: k === 0 ? `${what} ${step}` : step, style };
  });

/** The fills of differences. */
export const CHANGE_LEGEND: readonly LegendEntry[] = [
  { name: '-10% and less', style: LESS[2] },
  { name: '-1%', style: LESS[1] },
  { name: 'below 0', style: LESS[0] },
  { name: 'as before', style: 'same' },
  { name: 'above 0', style: MORE[0] },
  { name: '+1%', style: MORE[1] },
  { name: '+10% and more', style: MORE[2] },
];

/** The largest width of a name. */
const MOST_NAME_WIDTH = 24;

/** The entries that fit, in exactly `width` cells. `others` is appended if it fits. */
export function legendLine(entries: readonly LegendEntry[], others: LegendEntry | undefined, width: number): ScreenLine {
  const spans: Span[] = [];
  let left = width;
  const addEntry = ({ name, style }: LegendEntry): boolean => {
    const shown = visible(name);
    const text = ` ${fit(shown, Math.min(cellWidth(shown), MOST_NAME_WIDTH), 'left', 'middle')} `;
    if (cellWidth(text) > left) return false;
    spans.push([text, style]);
    left -= cellWidth(text);
    return true;
  };
  for (const entry of entries) if (!addEntry(entry)) break;
  if (others) addEntry(others);
  spans.push([' '.repeat(left), 'plain']);
  return { spans };
}
