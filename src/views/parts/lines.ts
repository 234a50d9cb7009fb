// Rows of text with a cursor, for views that are no tables.
import { type Style, spansWidth } from '../../base/style.ts';
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
  const more = text.length > MAX_FIELD_LENGTH ? ` … (${formatCount(text.length)} characters)` : '';
  return visible(text.slice(0, MAX_FIELD_LENGTH)) + more;
}

/** Draws the row under the cursor, which is inverse over the full width. */
export function highlightedRow(spans: readonly Span[], width: number): ScreenLine {
  const blank: Span = [' '.repeat(Math.max(0, width - spansWidth(spans))), 'plain'];
  return { spans: [...spans, blank].map(([text]): Span => [text, 'plain', true]), cursor: true };
}

/** A line that is no row among rows: it begins where theirs do. */
export const indentedLine = ({ spans }: ScreenLine): ScreenLine => ({ spans: [[' ', 'plain'], ...spans] });

/** Draws a row behind the mark of the cursor, or behind a blank. */
export function markedRow(spans: readonly Span[], hasCursor: boolean, width: number): ScreenLine {
  const marked: readonly Span[] = [[hasCursor ? '▶' : ' ', 'plain'], ...spans];
  return hasCursor ? highlightedRow(marked, width) : { spans: marked };
}

/** Draws the visible rows as exactly context.height lines. */
export function drawTextRows(rows: readonly TextRow[], { top, cursor }: ListPosition, c: ViewContext): ScreenLine[] {
  const textOf = (row: TextRow): Span => [fit(visible(keepEnds(row.text, c.width)), c.width - 1), row.style];
  const shown = rows.slice(top, top + c.height).map((row, i) => markedRow([textOf(row)], top + i === cursor, c.width));
  return fillHeight(shown, c.height);
}

/** Makes exactly `height` lines: the rest is cut off, or blank. */
export const fillHeight = (lines: readonly ScreenLine[], height: number): ScreenLine[] =>
  Array.from({ length: height }, (_, row) => lines[row] ?? { spans: [] });
