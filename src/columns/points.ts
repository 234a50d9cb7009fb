// The columns of points: one row per size.
import { costsOf, variances } from '../analysis/inputs/laws.ts';
import { type Curve, pointValue } from '../analysis/inputs/points.ts';
import { memo } from '../base/memo.ts';
import { formatCount, formatShort } from '../base/units.ts';
import { INPUT_FIELDS } from '../model/inputs/rows.ts';
import type { InputField } from '../model/inputs/tables.ts';
import type { Column, ColumnContext, Json } from './column.ts';

const deviations = memo((curve: Curve) => variances(curve).map(Math.sqrt), 2);

/** Every field that the report has, for machines. */
export function fieldColumns<Row>(
  curve: (row: Row) => Curve,
  at: (row: Row) => number,
  fields: readonly InputField[],
): Column<Row>[] {
  return fields.map((field) => ({
    id: field,
    title: field,
    value: (row): Json => pointValue(curve(row), field, at(row)) ?? null,
  }));
}

export function fieldsOf(curve: { readonly [F in InputField]?: Float64Array }): InputField[] {
  return INPUT_FIELDS.filter((field) => curve[field]);
}

/** A curve's points, by their row. */
export function pointColumns(curve: Curve, c: ColumnContext): Column<number>[] {
  const sd = (row: number) => deviations(curve)[row];
  const fields = fieldColumns<number>(
    () => curve,
    (row) => row,
    fieldsOf(curve),
  );
  if (c.medium === 'text')
    return [
      { id: 'size', title: 'size', value: (row) => curve.size[row] },
      ...fields,
      { id: 'deviation', title: 'sd', value: (row) => (Number.isNaN(sd(row)) ? null : sd(row)) },
    ];
  const show = (v: number) => (Number.isNaN(v) ? '?' : Number.isInteger(v) ? formatCount(v) : formatShort(v));
  const [worst, average, best] = [costsOf(curve, 'worst'), costsOf(curve, 'average'), costsOf(curve, 'best')];
  const right = { align: 'right' } as const;
  return [
    { ...right, id: 'size', title: 'size', width: 9, rank: 9, flex: 1, text: (row) => formatCount(curve.size[row]) },
    { ...right, id: 'calls', title: 'calls', width: 7, rank: 8, text: (row) => formatCount(curve.calls?.[row] ?? 0) },
    { ...right, id: 'worst', title: 'worst', width: 9, rank: 7, text: (row) => show(worst[row]) },
    { ...right, id: 'average', title: 'average', width: 8, rank: 6, text: (row) => show(average[row]) },
    { ...right, id: 'best', title: 'best', width: 8, rank: 5, text: (row) => show(best[row]) },
  ];
}
