// Which columns of a table fit, and where they stand.
import { type Column, readColumns } from '../../columns/column.ts';

const GAP = 1;

export type Layout = readonly (readonly [column: number, width: number])[];

/** Indices and widths of the columns that fit. */
export function layOut<Row>(columns: readonly Column<Row>[], width: number): Layout {
  const least = (i: number) => columns[i].width ?? 0;
  const rank = (i: number) => columns[i].rank ?? 0;
  let shown = columns.map((_, i) => i);
  const needed = () => shown.reduce((n, i) => n + least(i) + GAP, -GAP);
  while (shown.length > 1 && needed() > width) {
    const first = shown.filter((i) => rank(i) < 9).sort((a, b) => rank(a) - rank(b) || b - a)[0];
    if (first === undefined) break;
    shown = shown.filter((i) => i !== first);
  }
  let spare = Math.max(0, width - needed());
  let shares = shown.reduce((n, i) => n + (columns[i].flex ?? 0), 0);
  let room = width;
  return shown.map((i) => {
    const { flex } = columns[i];
    let w = least(i);
    if (flex && shares > 0) {
      const more = Math.floor((spare * flex) / shares);
      w += more;
      spare -= more;
      shares -= flex;
    }
    w = Math.max(0, Math.min(w, room));
    room -= w + GAP;
    return [i, w];
  });
}

/** The id of the column at a cell of a table of this width, counted from 0; undefined on a gap, or on the cursor's mark. */
export function columnAt(all: readonly Column<never>[], width: number, x: number): string | undefined {
  const columns = readColumns(all, 'screen');
  let from = 1;
  for (const [i, w] of layOut(columns, width - 1)) {
    if (x >= from && x < from + w) return columns[i].id;
    from += w + GAP;
  }
  return undefined;
}
