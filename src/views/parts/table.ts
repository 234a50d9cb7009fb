// Draws a table whose columns fit the width: less important columns are dropped first, flexible ones share the rest.
import type { FilterProgress } from '../../base/match.ts';
import type { TableCell } from '../../base/style.ts';
import { cellWidth, cutEnd, fit, keepEnds, visible } from '../../base/text.ts';
import { padUnit, shortenNumber } from '../../base/units.ts';
import { type Column, chosenColumns, readColumns } from '../../columns/column.ts';
import type { ScreenLine, Span, ViewContext } from '../view.ts';
import { type ColumnLayout, fitColumns } from './layout.ts';
import { fillHeight, markedRow } from './lines.ts';
import type { ListPosition } from './list.ts';
import { highlightLine, languageOf } from './syntax.ts';

export interface TableSpec<Row> {
  readonly columns: readonly Column<Row>[];
  /** An array, or an object that makes each shown row. */
  readonly rows: { readonly length: number; at(row: number): Row | undefined };
  /** The names of the columns that the user chose; absent: all. */
  readonly chosen?: readonly string[] | undefined;
  /** The column that rows are sorted by. The heading marks it. */
  readonly sorted?: { readonly id: string; readonly descending: boolean } | undefined;
  /** The text of a row that spans all columns, such as a title; undefined for other rows. */
  readonly banner?: (at: number) => string | undefined;
  readonly empty: string;
}

/** The message of a table without rows: about its filter; `none` without one. `noMatch`: no row passes the filter. */
export function emptyTableText(
  { filter: text }: Pick<ViewContext, 'filter'>,
  filter: Pick<FilterProgress, 'done' | 'wrong'> | undefined,
  none: string,
  noMatch = `nothing matches ${text}`,
): string {
  if (!filter) return none;
  return filter.done ? (filter.wrong ?? noMatch) : 'searching …';
}

/** Draws heading and rows as exactly `height` lines. */
export function drawTable<Row>(list: ListPosition, width: number, height: number, spec: TableSpec<Row>): ScreenLine[] {
  const { heading, spansOf } = layOutTable(chosenColumns(spec.columns, spec.chosen), width, spec.sorted);
  const out: ScreenLine[] = [heading];
  if (spec.rows.length === 0) out.push({ spans: [[fit(' ' + spec.empty, width), 'dim']] });
  for (let at = list.top; at < spec.rows.length && out.length < height; at++) {
    const row = spec.rows.at(at);
    if (row === undefined) break;
    const banner = spec.banner?.(at);
    const spans: Span[] =
      banner === undefined ? spansOf(row, list.left) : [[fit(visible(keepEnds(banner, width)), width - 1), 'bold']];
    out.push(markedRow(spans, at === list.cursor, width));
  }
  return fillHeight(out, height);
}

/** The heading of a table, and the spans of a row without its mark, for a width that includes the mark. */
export function layOutTable<Row>(all: readonly Column<Row>[], width: number, sorted?: TableSpec<Row>['sorted']) {
  const columns = readColumns(all, 'screen');
  const layout = fitColumns(columns, width - 1);
  const spansOf = (row: Row, left = 0) => rowSpans(columns, layout, row, left);
  return { heading: tableHeading(columns, layout, sorted), spansOf };
}

function rowSpans<Row>(columns: readonly Column<Row>[], layout: ColumnLayout, row: Row, left: number): Span[] {
  const spans: Span[] = [];
  for (const [i, w] of layout) {
    const column = columns[i];
    const cell = column.text?.(row) ?? '';
    const content: TableCell = typeof cell === 'string' ? { text: cell } : cell;
    const { style = column.style ?? 'plain', short, cut = column.cut ?? 'end' } = content;
    // A name that is scrolled sideways is shown in full instead of shortened.
    const shifts = column.flex && left > 0;
    const raw = visible(keepEnds(short && !shifts ? short(w) : content.text, w + left));
    const number = padUnit(raw, column.unitCells ?? 0);
    const shifted = shifts ? cutTextStart(raw, left) : column.align === 'right' ? shortenNumber(number, w) : raw;
    const text = fit(shifted, w, column.align ?? 'left', cut);
    const gap = i === layout[0][0] ? '' : ' ';
    const language = content.source !== undefined && style === 'plain' ? languageOf(content.source) : undefined;
    if (content.back) spans.push([gap + text.slice(0, content.back), 'dim'], [text.slice(content.back), style]);
    else if (language) spans.push([gap, 'plain'], ...highlightLine(text, language));
    else spans.push([gap + text, style]);
  }
  return spans;
}

/** The text without its first `left` cells. A wide character across that boundary stays. */
const cutTextStart = (text: string, left: number): string => text.slice(cutEnd(text, left).length);

function tableHeading<Row>(columns: readonly Column<Row>[], layout: ColumnLayout, sorted: TableSpec<Row>['sorted']): ScreenLine {
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
