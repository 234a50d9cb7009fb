// Rows of plain text with a cursor, for views that are not tables.
import type { Style } from '../../base/style.ts';
import { cellWidth, fit, keepEnds, visible } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import type { ScreenLine, Span, ViewContext } from '../view.ts';
import type { ListPosition } from './list.ts';

export interface TextRow {
  readonly text: string;
  readonly style: Style;
}

/** Longer fields are cut: a link command may have 200,000 characters. */
const LONGEST = 20_000;

/** A field's text in printable form, cut to LONGEST characters. */
export function fieldText(text: string): string {
  return visible(text.slice(0, LONGEST)) + (text.length > LONGEST ? ` … (${formatCount(text.length)} characters)` : '');
}

/** The row under the cursor: inverse over the whole width. */
export function cursorRow(spans: readonly Span[], width: number): ScreenLine {
  const used = spans.reduce((sum, [text]) => sum + cellWidth(text), 0);
  const blank: Span = [' '.repeat(Math.max(0, width - used)), 'plain'];
  return { spans: [...spans, blank].map(([text]): Span => [text, 'plain', true]), cursor: true };
}

/** Exactly context.height lines. */
export function drawLines(rows: readonly TextRow[], list: ListPosition, c: ViewContext): ScreenLine[] {
  const out: ScreenLine[] = [];
  for (let i = list.top; i < rows.length && out.length < c.height; i++) {
    const cursor = i === list.cursor;
    const spans: readonly Span[] = [
      [cursor ? '▶' : ' ', 'plain'],
      [fit(visible(keepEnds(rows[i].text, c.width)), c.width - 1), rows[i].style],
    ];
    out.push(cursor ? cursorRow(spans, c.width) : { spans });
  }
  while (out.length < c.height) out.push({ spans: [] });
  return out;
}
