// The usual columns: words, counts, values for machines, texts for people. A table says what is its own about each.
import { bar } from '../base/text.ts';
import { formatCount } from '../base/units.ts';
import type { Column, ColumnContext, Json } from './column.ts';

/** All but the id; it goes before what the builder makes. */
type Own<Row> = Omit<Partial<Column<Row>>, 'id'>;

/** The value of a number in JSON: null where it is unknown. */
export const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Words, sorted as they are read; none are null for machines and nothing for people. */
export function words<Row>(id: string, of: (row: Row) => string | null | undefined, own?: Own<Row>): Column<Row> {
  const text = (row: Row) => of(row) ?? '';
  return { id, title: id, value: (row) => of(row) ?? null, text, key: text, ...own };
}

/** Counts, on the right; NaN is unknown: null for machines, nothing for people. */
export function counts<Row>(id: string, of: (row: Row) => number, own?: Own<Row>): Column<Row> {
  const text = (row: Row) => (Number.isNaN(of(row)) ? '' : formatCount(of(row)));
  return { id, title: id, align: 'right', value: (row) => known(of(row)), text, key: of, ...own };
}

/** A value for machines; people see the column if `own` has a text. */
export function data<Row>(id: string, value: (row: Row) => Json | undefined, own?: Own<Row>): Column<Row> {
  return { id, title: id, value, ...own };
}

/** A text for people; machines read the column if `own` has a value. */
export function shown<Row>(id: string, text: NonNullable<Column<Row>['text']>, own?: Own<Row>): Column<Row> {
  return { id, title: id, text, ...own };
}

/** Screens from this width have room for longer bars. */
const WIDE = 140;

/** A bar by the largest value of the table, beside the number that it is of. None where no value is above 0. */
export function barColumn<Row>(c: ColumnContext, of: (row: Row) => number, most: number, own?: Own<Row>): Column<Row>[] {
  if (!(most > 0)) return [];
  const width = c.width < WIDE ? 5 : 10;
  const text = (row: Row) => bar(Math.abs(of(row)) / most, width);
  return [shown('bar', text, { title: '', width, rank: 2, style: 'dim', only: 'screen', ...own })];
}

/** The largest of the values, whatever their signs. */
export const largest = <Row>(rows: Iterable<Row>, of: (row: Row) => number): number => {
  let most = 0;
  for (const row of rows) most = Math.max(most, Math.abs(of(row)) || 0);
  return most;
};
