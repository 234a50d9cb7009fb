// Draws the Flame view.
import { boxCellRange } from '../../analysis/answers/flame/layout.ts';
import { reasonForNoRows } from '../../analysis/profiles/transforms/applied.ts';
import { cutEnd, visible } from '../../base/text.ts';
import { type BoxLine, type DrawnBox, noFlameReason } from '../../pictures/flame.ts';
import { CHANGE_LEGEND, CODE_LEGEND, heatLegend, type LegendEntry, legendLines } from '../parts/legend.ts';
import { fillHeight } from '../parts/lines.ts';
import { type ScreenLine, type Span, textLine, type ViewContext } from '../view.ts';
import { detailLines } from './details.ts';
import {
  areaLegend,
  currentLayout,
  currentPicture,
  detailsHeight,
  type FlameState,
  legendHeight,
  linesPerFrame,
  rowRange,
  sideAt,
  visibleRowCount,
} from './state.ts';

function boxLine(pieces: readonly DrawnBox[], cursor: number, mark: string): ScreenLine {
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
  return hasCursor ? { spans, cursor: true } : { spans };
}

function drawLegend(state: FlameState, c: ViewContext): ScreenLine {
  if (state.colour === 'difference') return legendLines(CHANGE_LEGEND, c.width)[0];
  const entries = areaLegend(state, c).map(({ name, style }) => ({ name: name.slice(name.lastIndexOf('/') + 1), style }));
  return legendLines([...entries, { name: 'others', style: 'same' }], c.width)[0];
}

/** The legend for the last line, if it is unused; without colours if a legend is already above the boxes. */
function fillMeanings(state: FlameState, c: ViewContext): readonly LegendEntry[] {
  const { colour, tree, sandwich } = state;
  if (!c.fills) return [];
  const hasNumbers = linesPerFrame(state, c) > 1 && (sandwich || !tree.inverted) && colour !== 'difference';
  const fills = colour === 'code' ? CODE_LEGEND : colour === 'self' ? heatLegend('self cost') : [];
  return hasNumbers ? [...fills, { name: 'in frames: self / incl', style: 'plain' }] : fills;
}

function emptyReason(state: FlameState, c: ViewContext): string | undefined {
  const why = noFlameReason(c);
  if (why) return `${why}; v chooses an event`;
  if (currentLayout(state, c).rows.length > 0) return undefined;
  const noCost = state.tree.roots.length === 0 ? 'there are no frames' : `nothing costs any ${c.event.name}`;
  return reasonForNoRows(c.analysis) ?? noCost;
}

const BOX_LINES: readonly BoxLine[] = ['name', 'costs', 'place'];

export function drawFlame(state: FlameState, c: ViewContext): ScreenLine[] {
  const why = emptyReason(state, c);
  if (why) return fillHeight([textLine(cutEnd(` ${visible(why)}`, c.width), 'dim')], c.height);
  const out: ScreenLine[] = legendHeight(state, c) > 0 ? [drawLegend(state, c)] : [];
  const end = Math.min(rowRange(state, c).end, state.top + visibleRowCount(state, c));
  const lines = BOX_LINES.slice(0, linesPerFrame(state, c));
  for (let r = state.top; r < end; r++) {
    const side = sideAt(state, r);
    const picture = currentPicture(side, c);
    for (const line of lines)
      out.push(boxLine(picture.boxesOfRow(Math.abs(r), line), side === state ? state.cursor : -1, line === 'name' ? '▶' : ''));
  }
  const details = detailsHeight(state, c);
  // Details follow the boxes and their legend.
  const height = details > 0 ? Math.min(c.height - details, out.length + 2) : c.height;
  const key = !state.withoutDetails && height - out.length > 1 ? fillMeanings(state, c) : [];
  const filled = [...fillHeight(out, height)];
  if (key.length > 0) filled[Math.min(height - 1, out.length + 1)] = legendLines(key, c.width)[0];
  return height < c.height ? fillHeight([...filled, ...detailLines(state, c, details)], c.height) : filled;
}
