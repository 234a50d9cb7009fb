// Selects the columns that fit in a table, and sets their widths.
import { type Column, readColumns } from '../../columns/column.ts';

const COLUMN_GAP = 1;

export type ColumnLayout = readonly (readonly [column: number, width: number])[];

export function fitColumns<Row>(columns: readonly Column<Row>[], width: number): ColumnLayout {
  const least = (i: number) => columns[i].width ?? 0;
  const rank = (i: number) => columns[i].rank ?? 0;
  let shown = columns.map((_, i) => i);
  const needed = () => shown.reduce((n, i) => n + least(i) + COLUMN_GAP, -COLUMN_GAP);
  while (shown.length > 1 && needed() > width) {
    const first = shown.filter((i) => rank(i) < 9).sort((a, b) => rank(a) - rank(b) || b - a)[0];
    if (first === undefined) break;
    shown = shown.filter((i) => i !== first);
  }
  const wide = flexibleColumnWidths(columns, shown, Math.max(0, width - needed()));
  let remaining = width;
  return shown.map((i) => {
    const w = Math.max(0, Math.min(least(i) + (wide.get(i) ?? 0), remaining));
    remaining -= w + COLUMN_GAP;
    return [i, w];
  });
}

/** Widths of flexible columns, which share spare cells by weight. Cells that a column cannot use go to the others. */
function flexibleColumnWidths<Row>(columns: readonly Column<Row>[], shown: readonly number[], all: number) {
  const flexOf = (i: number) => columns[i].flex ?? 0;
  const usableCells = (i: number) => Math.max(0, (columns[i].most ?? Number.POSITIVE_INFINITY) - (columns[i].width ?? 0));
  // The columns that can use the fewest additional cells come first.
  const order = shown
    .filter((i) => flexOf(i) > 0)
    .sort((a, b) => usableCells(a) / flexOf(a) - usableCells(b) / flexOf(b) || a - b);
  let spare = all;
  let shares = order.reduce((n, i) => n + flexOf(i), 0);
  return new Map(
    order.map((i) => {
      const more = Math.min(usableCells(i), Math.floor((spare * flexOf(i)) / shares));
      spare -= more;
      shares -= flexOf(i);
      return [i, more];
    }),
  );
}

/** The id of the column at cell `x` of a table; undefined between columns, and on the cursor mark. */
export function columnAt(all: readonly Column<never>[], width: number, x: number): string | undefined {
  const columns = readColumns(all, 'screen');
  let from = 1;
  for (const [i, w] of fitColumns(columns, width - 1)) {
    if (x >= from && x < from + w) return columns[i].id;
    from += w + COLUMN_GAP;
  }
  return undefined;
}
