// How the Flame view looks: its rows as lines of styled text.
import { cellsOf } from '../../analysis/answers/flame/layout.ts';
import { whyNothing } from '../../analysis/profiles/transforms/applied.ts';
import { cutEnd, visible } from '../../base/text.ts';
import { type Piece, whyNoFlame } from '../../pictures/flame.ts';
import { CHANGE_LEGEND, heatLegend, type LegendEntry, legendLine } from '../parts/legend.ts';
import { type ScreenLine, type Span, textLine, type ViewContext } from '../view.ts';
import { paneSpans } from './pane.ts';
import { boxesWidth, type FlameState, layoutIn, legendOf, linesEach, linesFor, paneWidth, pictureIn, roomFor } from './state.ts';

/** `width`: blanks up to there. */
function lineOf(pieces: readonly Piece[], cursor: number, mark: string, width: number): ScreenLine {
  const spans: Span[] = [];
  let at = 0;
  let here = false;
  for (const { box, at: from, edge, name, style } of pieces) {
    if (from > at) spans.push([' '.repeat(from - at), 'plain']);
    const lit = cursor !== -1 && box.node === cursor;
    here ||= lit;
    spans.push(lit ? [(mark || edge) + name, style, true] : [edge + name, style]);
    at = cellsOf(box)[1];
  }
  if (at < width) spans.push([' '.repeat(width - at), 'plain']);
  return here ? { spans, cursor: true } : { spans };
}

function legend(state: FlameState, c: ViewContext): ScreenLine {
  const entries = legendOf(state, c).map(({ name, style }) => ({ name: name.slice(name.lastIndexOf('/') + 1), style }));
  return legendLine(entries, { name: 'others', style: 'same' }, boxesWidth(state, c));
}

/** The meaning of fills where it needs no room of its own. */
function keyOf({ colour }: FlameState, c: ViewContext): readonly LegendEntry[] {
  if (!c.fills) return [];
  return colour === 'self' ? heatLegend('self cost') : colour === 'difference' ? CHANGE_LEGEND : [];
}

function nothing(state: FlameState, c: ViewContext): string | undefined {
  const why = whyNoFlame(c);
  if (why) return `${why}; v chooses an event`;
  if (layoutIn(state, c).rows.length > 0) return undefined;
  const gone = whyNothing(c.analysis);
  if (gone) return gone;
  return state.tree.roots.length === 0 ? 'there are no frames' : `nothing costs any ${c.event.name}`;
}

export function drawFlame(state: FlameState, c: ViewContext): ScreenLine[] {
  const why = nothing(state, c);
  const out: ScreenLine[] = [];
  const pane = why ? 0 : paneWidth(state, c);
  const width = pane > 0 ? boxesWidth(state, c) : 0;
  if (why) out.push(textLine(cutEnd(` ${visible(why)}`, c.width), 'dim'));
  else {
    if (linesFor(state, c) < c.height) out.push(legend(state, c));
    const picture = pictureIn(state, c);
    const rows = layoutIn(state, c).rows.length;
    const end = Math.min(rows, state.top + roomFor(state, c));
    const two = linesEach(state, c) === 2;
    for (let r = state.top; r < end; r++) {
      out.push(lineOf(picture.row(r), state.cursor, '▶', width));
      if (two) out.push(lineOf(picture.row(r, true), state.cursor, '', width));
    }
  }
  const spare = c.height - out.length;
  while (out.length < c.height) out.push(lineOf([], -1, '', width));
  const key = !why && !state.alone && spare > 1 ? keyOf(state, c) : [];
  if (key.length > 0) out[c.height - 1] = legendLine(key, undefined, boxesWidth(state, c));
  const shown = out.slice(0, c.height);
  if (pane === 0) return shown;
  const beside = paneSpans(state, c, pane);
  return shown.map((line, row) => ({ ...line, spans: [...line.spans, ['│', 'dim'], beside[row] ?? ['', 'plain']] }));
}
