// Draws the Flame view.
import { boxCellRange } from '../../analysis/answers/flame/layout.ts';
import { reasonForNoRows } from '../../analysis/profiles/transforms/applied.ts';
import { cutEnd, visible } from '../../base/text.ts';
import { type DrawnBox, noFlameReason } from '../../pictures/flame.ts';
import { CHANGE_LEGEND, CODE_LEGEND, heatLegend, type LegendEntry, legendLine } from '../parts/legend.ts';
import { type ScreenLine, type Span, textLine, type ViewContext } from '../view.ts';
import { paneSpans } from './pane.ts';
import {
  areaLegend,
  boxesWidth,
  boxLineCount,
  currentLayout,
  currentPicture,
  type FlameState,
  linesPerFrame,
  paneWidth,
  visibleRowCount,
} from './state.ts';

/** A line of boxes, padded with blanks to `width` cells. */
function boxLine(pieces: readonly DrawnBox[], cursor: number, mark: string, width: number): ScreenLine {
  const spans: Span[] = [];
  let at = 0;
  let hasCursor = false;
  for (const { box, at: from, edge, name, style } of pieces) {
    if (from > at) spans.push([' '.repeat(from - at), 'plain']);
    const lit = cursor !== -1 && box.node === cursor;
    hasCursor ||= lit;
    spans.push(lit ? [(mark || edge) + name, style, true] : [edge + name, style]);
    at = boxCellRange(box)[1];
  }
  if (at < width) spans.push([' '.repeat(width - at), 'plain']);
  return hasCursor ? { spans, cursor: true } : { spans };
}

function drawLegend(state: FlameState, c: ViewContext): ScreenLine {
  const entries = areaLegend(state, c).map(({ name, style }) => ({ name: name.slice(name.lastIndexOf('/') + 1), style }));
  return legendLine(entries, { name: 'others', style: 'same' }, boxesWidth(state, c));
}

/** The legend for the last line, if it is unused; [] if a legend is already above the boxes. */
function fillMeanings({ colour }: FlameState, c: ViewContext): readonly LegendEntry[] {
  if (!c.fills) return [];
  if (colour === 'code') return CODE_LEGEND;
  return colour === 'self' ? heatLegend('self cost') : colour === 'difference' ? CHANGE_LEGEND : [];
}

function emptyReason(state: FlameState, c: ViewContext): string | undefined {
  const why = noFlameReason(c);
  if (why) return `${why}; v chooses an event`;
  if (currentLayout(state, c).rows.length > 0) return undefined;
  const nothingReason = reasonForNoRows(c.analysis);
  if (nothingReason) return nothingReason;
  return state.tree.roots.length === 0 ? 'there are no frames' : `nothing costs any ${c.event.name}`;
}

export function drawFlame(state: FlameState, c: ViewContext): ScreenLine[] {
  const why = emptyReason(state, c);
  const out: ScreenLine[] = [];
  const pane = why ? 0 : paneWidth(state, c);
  const width = pane > 0 ? boxesWidth(state, c) : 0;
  if (why) out.push(textLine(cutEnd(` ${visible(why)}`, c.width), 'dim'));
  else {
    if (boxLineCount(state, c) < c.height) out.push(drawLegend(state, c));
    const picture = currentPicture(state, c);
    const rows = currentLayout(state, c).rows.length;
    const end = Math.min(rows, state.top + visibleRowCount(state, c));
    const hasTwoLines = linesPerFrame(state, c) === 2;
    for (let r = state.top; r < end; r++) {
      out.push(boxLine(picture.boxesOfRow(r), state.cursor, '▶', width));
      if (hasTwoLines) out.push(boxLine(picture.boxesOfRow(r, true), state.cursor, '', width));
    }
  }
  const spare = c.height - out.length;
  while (out.length < c.height) out.push(boxLine([], -1, '', width));
  const key = !why && !state.withoutPane && spare > 1 ? fillMeanings(state, c) : [];
  if (key.length > 0) out[c.height - 1] = legendLine(key, undefined, boxesWidth(state, c));
  const shown = out.slice(0, c.height);
  if (pane === 0) return shown;
  const paneLines = paneSpans(state, c, pane);
  return shown.map((line, row) => ({ ...line, spans: [...line.spans, ['│', 'dim'], paneLines[row] ?? ['', 'plain']] }));
}
