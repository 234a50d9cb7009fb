// Builders of the usual columns: words, numbers, values for machines, texts for people. Each table passes its own overrides.
import { barText } from '../base/text.ts';
import { formatCount } from '../base/units.ts';
import type { Column, ColumnContext, Json } from './column.ts';

/** Column properties that override those of the builder. The id cannot be overridden. */
type ColumnOverrides<Row> = Omit<Partial<Column<Row>>, 'id'>;

/** A number in JSON and CSV: an unknown value (NaN) and an infinite one become null. */
export const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** A column of words, sorted by text. A missing word is null for machines and empty for people. */
export function wordColumn<Row>(
  id: string,
  of: (row: Row) => string | null | undefined,
  own?: ColumnOverrides<Row>,
): Column<Row> {
  const text = (row: Row) => of(row) ?? '';
  return { id, title: id, value: (row) => of(row) ?? null, text, key: text, ...own };
}

/** A right-aligned column of numbers. NaN is unknown: null for machines, empty for people. */
export function numberColumn<Row>(id: string, of: (row: Row) => number, own?: ColumnOverrides<Row>): Column<Row> {
  const text = (row: Row) => (Number.isNaN(of(row)) ? '' : formatCount(of(row)));
  return { id, title: id, align: 'right', value: (row) => finiteOrNull(of(row)), text, key: of, ...own };
}

/** A column of values for machines. People see the column only if `own` has a text. */
export const dataColumn = <Row>(id: string, value: (row: Row) => Json | undefined, own?: ColumnOverrides<Row>): Column<Row> => ({
  id,
  title: id,
  value,
  ...own,
});

/** For machines: a column that is `true` in the rows that `is` accepts. No column unless it is `known` of rows. */
export const flagColumn = <Row>(id: string, known: boolean, is: (row: Row) => boolean | number | undefined): Column<Row>[] =>
  known ? [dataColumn(id, (row) => (is(row) ? true : undefined), { optional: true })] : [];

/** A column of texts for people. Machines get the column only if `own` has a value. */
export function displayColumn<Row>(id: string, text: NonNullable<Column<Row>['text']>, own?: ColumnOverrides<Row>): Column<Row> {
  return { id, title: id, text, ...own };
}

const MIN_WIDTH_FOR_LONG_BARS = 140;

/** A bar column, scaled to `most`, the largest value of the table. No column if `most` is not above 0. */
export function barColumn<Row>(
  c: ColumnContext,
  of: (row: Row) => number,
  most: number,
  own?: ColumnOverrides<Row>,
): Column<Row>[] {
  if (!(most > 0)) return [];
  const width = c.width < MIN_WIDTH_FOR_LONG_BARS ? 5 : 10;
  const text = (row: Row) => barText(Math.abs(of(row)) / most, width);
  return [displayColumn('bar', text, { title: '', width, rank: 2, style: 'bar', only: 'screen', ...own })];
}

export const largestMagnitude = <Row>(rows: Iterable<Row>, of: (row: Row) => number): number => {
  let most = 0;
  for (const row of rows) most = Math.max(most, Math.abs(of(row)) || 0);
  return most;
};
