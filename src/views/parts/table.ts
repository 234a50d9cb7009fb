// Rows as aligned columns that fit the width: less important columns are dropped first, flexible ones share the rest.
import type { Cell } from '../../base/style.ts';
import { cellWidth, cutEnd, ends, fit, visible } from '../../base/text.ts';
import { shorterNumber } from '../../base/units.ts';
import { type Column, readColumns } from '../../columns/column.ts';
import type { ScreenLine, Span } from '../view.ts';
import { type Layout, layOut } from './layout.ts';
import { cursorRow } from './lines.ts';
import type { List } from './list.ts';
import { coloured, languageOf } from './syntax.ts';

/** The column that rows are sorted by, marked in the heading. */
export interface Sorted {
  readonly id: string;
  readonly descending: boolean;
}

export interface TableSpec<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: number;
  readonly row: (at: number) => Row;
  readonly sorted?: Sorted | undefined;
  /** The text of a heading row across all columns; undefined for other rows. */
  readonly banner?: (at: number) => string | undefined;
  readonly empty: string;
}

/** Heading and rows: exactly `height` lines. */
export function drawTable<Row>(spec: TableSpec<Row>, list: List, width: number, height: number): ScreenLine[] {
  const columns = readColumns(spec.columns, 'screen');
  const layout = layOut(columns, width - 1);
  const out: ScreenLine[] = [heading(columns, layout, spec.sorted)];
  if (spec.rows === 0) out.push({ spans: [[fit(' ' + spec.empty, width), 'dim']] });
  for (let at = list.top; at < spec.rows && out.length < height; at++) {
    const cursor = at === list.cursor;
    const mark: Span = [cursor ? '▶' : ' ', 'plain'];
    const banner = spec.banner?.(at);
    const spans: Span[] =
      banner === undefined
        ? [mark, ...rowSpans(columns, layout, spec.row(at), list.left)]
        : [mark, [fit(visible(ends(banner, width)), width - 1), 'bold']];
    out.push(cursor ? cursorRow(spans, width) : { spans });
  }
  while (out.length < height) out.push({ spans: [] });
  return out.slice(0, height);
}

function rowSpans<Row>(columns: readonly Column<Row>[], layout: Layout, row: Row, left: number): Span[] {
  const spans: Span[] = [];
  for (const [i, w] of layout) {
    const column = columns[i];
    const cell = column.text?.(row) ?? '';
    const held: Cell = typeof cell === 'string' ? { text: cell } : cell;
    const { style = column.style ?? 'plain', short, cut = column.cut ?? 'end' } = held;
    // Scrolling sideways is for the whole name.
    const shifts = column.flex && left > 0;
    const raw = visible(ends(short && !shifts ? short(w) : held.text, w + left));
    const number = column.msDecimals === undefined ? raw : withoutMs(raw, column.msDecimals);
    const shifted = shifts ? shiftText(raw, left) : column.align === 'right' ? shorterNumber(number, w) : raw;
    const text = fit(shifted, w, column.align ?? 'left', cut);
    const gap = i === layout[0][0] ? '' : ' ';
    if (held.back) spans.push([gap + text.slice(0, held.back), 'dim'], [text.slice(held.back), style]);
    else if (held.source !== undefined && style === 'plain') spans.push(...sourceSpans(gap, text, held.source));
    else spans.push([gap + text, style]);
  }
  return spans;
}

/** A number of milliseconds whose unit is in the heading, with its point below those of other rows. */
const withoutMs = (text: string, decimals: number): string =>
  text.replace(MS, (_, fraction = '') =>
    fraction === '' ? ' '.repeat(decimals > 0 ? 1 + decimals : 0) : fraction.padEnd(1 + decimals, '0'),
  );
const MS = /(\.\d+)? ms$/; // bounded: a cell

/** A line of a source in its colours. */
function sourceSpans(gap: string, text: string, file: string): Span[] {
  const language = languageOf(file);
  if (!language) return [[gap + text, 'plain']];
  return [[gap, 'plain'], ...coloured(text, language)];
}

/** Without its first `left` cells; a wide character that only half goes stays. */
const shiftText = (text: string, left: number): string => text.slice(cutEnd(text, left).length);

function heading<Row>(columns: readonly Column<Row>[], layout: Layout, sorted: Sorted | undefined): ScreenLine {
  const cells = layout.map(([i, w]) => {
    const { id, title, align } = columns[i];
    const arrow = id !== sorted?.id ? '' : sorted.descending ? '▼' : '▲';
    const text = visible(title);
    return align === 'right'
      ? fit(arrow + text, w, align)
      : fit((cellWidth(text) + arrow.length > w ? fit(text, w - arrow.length) : text) + arrow, w);
  });
  return { spans: [[' ' + cells.join(' '), 'header']] };
}
