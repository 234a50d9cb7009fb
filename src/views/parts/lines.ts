// Rows of text with a cursor, for views that are no tables.
import { spansWidth } from '../../base/spans.ts';
import type { Style } from '../../base/style.ts';
import { fit, keepEnds, visible } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import type { ScreenLine, Span, ViewContext } from '../view.ts';
import type { ListPosition } from './list.ts';

export interface TextRow {
  readonly text: string;
  readonly style: Style;
}

/** Maximum characters of a field; longer ones are cut. A link command may have 200,000 characters. */
const MAX_FIELD_LENGTH = 20_000;

/** The text of a field with control characters made visible, cut to MAX_FIELD_LENGTH characters. */
export function printableFieldText(text: string): string {
  return (
    visible(text.slice(0, MAX_FIELD_LENGTH)) +
    (text.length > MAX_FIELD_LENGTH ? ` … (${formatCount(text.length)} characters)` : '')
  );
}

/** Draws the row under the cursor, which is inverse over the full width. */
export function highlightedRow(spans: readonly Span[], width: number): ScreenLine {
  const blank: Span = [' '.repeat(Math.max(0, width - spansWidth(spans))), 'plain'];
  return { spans: [...spans, blank].map(([text]): Span => [text, 'plain', true]), cursor: true };
}

/** Draws the visible rows as exactly context.height lines. */
export function drawTextRows(rows: readonly TextRow[], list: ListPosition, c: ViewContext): ScreenLine[] {
  const out: ScreenLine[] = [];
  for (let i = list.top; i < rows.length && out.length < c.height; i++) {
    const cursor = i === list.cursor;
    const spans: readonly Span[] = [
      [cursor ? '▶' : ' ', 'plain'],
      [fit(visible(keepEnds(rows[i].text, c.width)), c.width - 1), rows[i].style],
    ];
    out.push(cursor ? highlightedRow(spans, c.width) : { spans });
  }
  return fillHeight(out, c.height);
}

/** Makes exactly `height` lines: the rest is cut off, or blank. */
export function fillHeight(lines: readonly ScreenLine[], height: number): ScreenLine[] {
  return Array.from({ length: height }, (_, row) => lines[row] ?? { spans: [] });
}
