// How the Flame view looks: its rows as lines of styled text.
import { whyNothing } from '../../analysis/profiles/transforms/applied.ts';
import { cellWidth, cutEnd, fit, visible } from '../../base/text.ts';
import { type Piece, whyNoFlame } from '../../pictures/flame.ts';
import { type ScreenLine, type Span, textLine, type ViewContext } from '../view.ts';
import { type FlameState, layoutIn, legendOf, pictureIn, roomFor } from './state.ts';

/** Cells of the name under the cursor that are lit: each move writes them twice. */
const MOST_LIT = 32;

function litSpans({ edge, name, style }: Piece): Span[] {
  const text = name.trimEnd();
  if (text === '')
    return [
      [edge, style, true],
      [name, style],
    ];
  const lit = cutEnd(text, MOST_LIT);
  return [
    [edge, style],
    [lit, style, true],
    [name.slice(lit.length), style],
  ];
}

function lineOf(pieces: readonly Piece[], cursor: number): ScreenLine {
  const spans: Span[] = [];
  let at = 0;
  let here = false;
  for (const piece of pieces) {
    if (piece.at > at) spans.push([' '.repeat(piece.at - at), 'plain']);
    const lit = cursor >= 0 && piece.box.node === cursor;
    here ||= lit;
    if (lit) spans.push(...litSpans(piece));
    else spans.push([piece.edge + piece.name, piece.style]);
    at = piece.at + cellWidth(piece.edge) + cellWidth(piece.name);
  }
  return here ? { spans, cursor: true } : { spans };
}

function legendLine(state: FlameState, c: ViewContext): ScreenLine {
  const spans: Span[] = [];
  let left = c.width;
  const legend = legendOf(state, c);
  for (const { name, style } of legend) {
    const shown = visible(name.slice(name.lastIndexOf('/') + 1));
    const text = ` ■ ${fit(shown, Math.min(cellWidth(shown), 24), 'left', 'middle')} `;
    if (cellWidth(text) > left) break;
    spans.push([text, style]);
    left -= cellWidth(text);
  }
  const rest = ' others without a colour';
  if (rest.length <= left) spans.push([rest, 'dim']);
  return { spans };
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
  if (why) out.push(textLine(cutEnd(` ${visible(why)}`, c.width), 'dim'));
  else {
    const room = roomFor(state, c);
    if (room < c.height) out.push(legendLine(state, c));
    const picture = pictureIn(state, c);
    const rows = layoutIn(state, c).rows.length;
    for (let r = state.top; r < rows && r < state.top + room; r++) out.push(lineOf(picture.row(r), state.cursor));
  }
  while (out.length < c.height) out.push({ spans: [] });
  return out.slice(0, c.height);
}
