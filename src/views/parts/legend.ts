// The legend: what the colours mean.
import { HEAT_FILLS, HEAT_STEPS, LESS_FILLS, MORE_FILLS, type Style } from '../../base/style.ts';
import { cellWidth, fit, visible } from '../../base/text.ts';
import type { ScreenLine, Span } from '../view.ts';

export interface LegendEntry {
  readonly name: string;
  readonly style: Style;
}

/** The legend of heat colours. `what`: the share that the colours stand for. */
export const heatLegend = (what: string): readonly LegendEntry[] =>
  HEAT_FILLS.map((style, k) => {
    const step = k < HEAT_STEPS.length ? `<${100 * HEAT_STEPS[k]}%` : `${100 * HEAT_STEPS[k - 1]}% and more`;
    return { name: k === 0 ? `${what} ${step}` : step, style };
  });

export const CHANGE_LEGEND: readonly LegendEntry[] = [
  { name: '-10% and less', style: LESS_FILLS[2] },
  { name: '-1%', style: LESS_FILLS[1] },
  { name: '-0.1%', style: LESS_FILLS[0] },
  { name: 'as before', style: 'same' },
  { name: '+0.1%', style: MORE_FILLS[0] },
  { name: '+1%', style: MORE_FILLS[1] },
  { name: '+10% of the base', style: MORE_FILLS[2] },
];

/** The legend of colours for whose code a frame is. */
export const CODE_LEGEND: readonly LegendEntry[] = [
  { name: 'own code', style: MORE_FILLS[0] },
  { name: 'self 1%', style: MORE_FILLS[1] },
  { name: '10% and more', style: MORE_FILLS[2] },
  { name: 'libraries', style: LESS_FILLS[1] },
  { name: 'loader, kernel, runtime', style: 'same' },
];

const MAX_NAME_WIDTH = 24;

/** The legend entries that fit on at most `most` lines of exactly `width` cells; at least one line. */
export function legendLines(entries: readonly LegendEntry[], width: number, most = 1): ScreenLine[] {
  const lines: Span[][] = [[]];
  let left = width;
  const endLine = () => lines[lines.length - 1].push([' '.repeat(left), 'plain']);
  for (const { name, style } of entries) {
    const shown = visible(name);
    const text = ` ${fit(shown, Math.min(cellWidth(shown), MAX_NAME_WIDTH), 'left', 'middle')} `;
    if (cellWidth(text) > left) {
      if (lines.length === most || cellWidth(text) > width) break;
      endLine();
      lines.push([]);
      left = width;
    }
    lines[lines.length - 1].push([text, style]);
    left -= cellWidth(text);
  }
  endLine();
  return lines.map((spans) => ({ spans }));
}
