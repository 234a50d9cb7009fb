// The usual columns: words, counts, values for machines, texts for people. A table says what is its own about each.
import { formatCount } from '../base/units.ts';
import type { Column, Json } from './column.ts';

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
