// Rows of plain text with a cursor, for views that are not tables.
import type { Style } from '../../base/style.ts';
import { ends, fit, visible } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import type { ScreenLine, ViewContext } from '../view.ts';
import type { List } from './list.ts';

export interface TextRow {
  readonly text: string;
  readonly style: Style;
}

/** Longer fields are cut: a link command may have 200,000 characters. */
const LONGEST = 20_000;

/** A text that is wrapped, as people see it. */
export function fieldText(text: string): string {
  return visible(text.slice(0, LONGEST)) + (text.length > LONGEST ? ` … (${formatCount(text.length)} characters)` : '');
}

/** Exactly context.height lines. */
export function drawLines(rows: readonly TextRow[], list: List, c: ViewContext): ScreenLine[] {
  const out: ScreenLine[] = [];
  for (let i = list.top; i < rows.length && out.length < c.height; i++) {
    const cursor = i === list.cursor;
    out.push({
      spans: [
        [cursor ? '▶' : ' ', 'plain'],
        [fit(visible(ends(rows[i].text, c.width)), c.width - 1), rows[i].style, cursor],
      ],
      ...(cursor ? { cursor } : {}),
    });
  }
  while (out.length < c.height) out.push({ spans: [] });
  return out;
}
