// A plot as styled lines: the cells computed by base/plot.ts, with colours and a cursor.

import { memo } from '../../base/lists.ts';
import { type Axes, axisMapping, gutterWidth, type PlotSeries, plotCells, ROUNDING_MARGIN } from '../../base/plot.ts';
import type { Style } from '../../base/style.ts';
import { cellWidth, fit } from '../../base/text.ts';
import type { ScreenLine, Span } from '../view.ts';

export interface StyledSeries extends PlotSeries {
  readonly style: Style;
  /** The style of each point. Absent: all points have the style of the series. */
  readonly styles?: (i: number) => Style;
}

export interface PlotSpec {
  readonly series: readonly StyledSeries[];
  readonly axes: Axes;
  /** The title below the horizontal axis, if it fits. */
  readonly xTitle: string;
  readonly cursor?: { readonly x: number; readonly y: number } | undefined;
}

/** The cells of the plot. Memoized, so that cursor moves do not compute them again. */
const plotCellsOf = memo(plotCells);

const MIN_HEIGHT_WITH_TITLE = 8;

/** Draws plot, axis, ticks and title as exactly `height` lines of `width` cells. */
export function drawPlot(spec: PlotSpec, width: number, height: number): ScreenLine[] {
  const lines = plotLines(spec, width, height >= MIN_HEIGHT_WITH_TITLE ? height - 1 : height);
  if (height < MIN_HEIGHT_WITH_TITLE) return lines;
  const plotWidth = width - gutterWidth(width) - 1;
  const title = fit(spec.xTitle, Math.min(plotWidth, cellWidth(spec.xTitle)));
  const before = gutterWidth(width) + 1 + ((plotWidth - cellWidth(title)) >> 1);
  return [...lines, { spans: [[' '.repeat(before) + title, 'dim']] }];
}

function plotLines(spec: PlotSpec, width: number, height: number): ScreenLine[] {
  const { series, cursor } = spec;
  const cells = plotCellsOf(series, spec.axes, width, height);
  const { axes, columns, rows, labels, gutter } = cells;
  const across = (v: number) => Math.min(columns - 1, Math.floor(axisMapping(axes.x, axes.xLog)(v) * columns + ROUNDING_MARGIN));
  const down = (v: number) => Math.max(0, rows - 1 - Math.floor(axisMapping(axes.y, axes.yLog)(v) * rows + ROUNDING_MARGIN));
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
      const onLine = at?.x === c && !owner;
      const cellStyle: Style = owner ? (owner.styles?.(cells.point[cell]) ?? owner.style) : onLine ? 'dim' : style;
      if (cellStyle !== style) {
        flush();
        style = cellStyle;
      }
      text += onLine ? '┊' : glyph;
    }
    flush();
    out.push({ spans });
  }
  out.push({ spans: [[cells.axis, 'dim']] }, { spans: [[cells.axisLabels, 'dim']] });
  return out.slice(0, height);
}
