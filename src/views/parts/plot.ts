// A plot as styled lines: the cells of base/plot.ts with colours and a cursor.

import { memo } from '../../base/memo.ts';
import { type Axes, type PlotSeries, plotCells, scaleOf } from '../../base/plot.ts';
import type { Style } from '../../base/style.ts';
import type { ScreenLine, Span } from '../view.ts';

export interface Series extends PlotSeries {
  readonly style: Style;
  /** A style per point, for a third dimension. */
  readonly styles?: (i: number) => Style;
}

export interface PlotSpec {
  readonly series: readonly Series[];
  readonly axes: Axes;
  /** The point under the cursor. */
  readonly cursor?: { readonly x: number; readonly y: number } | undefined;
}

/** Memoized until the points change: moving the cursor does not recompute them. */
const cellsOf = memo(plotCells, 2);

/** Exactly `height` lines of `width` cells: the plot, its axis and the ticks. */
export function drawPlot(spec: PlotSpec, width: number, height: number): ScreenLine[] {
  const { axes, series, cursor } = spec;
  const cells = cellsOf(series, axes, width, height);
  const { columns, rows, labels, gutter } = cells;
  const across = (v: number) => Math.min(columns - 1, Math.floor(scaleOf(axes.x, axes.xLog)(v) * columns));
  const down = (v: number) => Math.min(rows - 1, Math.floor((1 - scaleOf(axes.y, axes.yLog)(v)) * rows));
  const at = cursor && { x: across(cursor.x), y: down(cursor.y) };
  const out: ScreenLine[] = [];
  for (let r = 0; r < rows; r++) {
    const spans: Span[] = [[`${labels[r] ?? ' '.repeat(gutter)}${labels[r] ? '┥' : '│'}`, 'dim']];
    let text = '';
    let style: Style = 'plain';
    const flush = () => {
      if (text !== '') spans.push([text, style]);
      text = '';
    };
    for (let c = 0; c < columns; c++) {
      const cell = r * columns + c;
      const owner = series[cells.series[cell]];
      const glyph = cells.glyphs[cell];
      if (at && at.x === c && at.y === r) {
        flush();
        spans.push([owner ? glyph : '○', 'match', true]);
        continue;
      }
      const mine: Style = owner ? (owner.styles?.(cells.point[cell]) ?? owner.style) : style;
      if (mine !== style) {
        flush();
        style = mine;
      }
      text += at && at.x === c && !owner ? '┊' : glyph;
    }
    flush();
    out.push({ spans });
  }
  out.push({ spans: [[cells.axis, 'dim']] }, { spans: [[cells.axisLabels, 'dim']] });
  return out.slice(0, height);
}
