// The columns of curve points: one row per input size of either run.

import { type Curve, pointValue } from '../../analysis/answers/inputs/points.ts';
import { type CostKind, callVariances, costsOf, externalShare } from '../../analysis/growth/laws.ts';
import { type CurvePair, type PointState, pointState } from '../../analysis/growth/paired.ts';
import { memo } from '../../base/lists.ts';
import type { TableCell } from '../../base/style.ts';
import { columnFormat, type Exact, formatCount, formatPercent, formatShort, formatSignedPercent } from '../../base/units.ts';
import { INPUT_FIELDS, type InputField } from '../../model/inputs/tables.ts';
import { dataColumn, displayColumn, finiteOrNull } from '../builders.ts';
import type { Column, ColumnContext, Json, RowSides } from '../column.ts';

export const standardDeviations = memo((curve: Curve) => callVariances(curve).map(Math.sqrt), 4);

/** The curves of this run and the base, and their paired sizes. Without a base, `before` has no points. */
export type PairedCurves = Pick<CurvePair, 'now' | 'before' | 'sizes'>;

/** The curve of the run that the context shows, and the size's index in that curve; -1 if the run lacks the size. */
export const curveAndRow = (
  { side }: ColumnContext,
  { now, before, sizes }: PairedCurves,
  row: number,
): [curve: Curve, row: number] => (side === 'before' ? [before, sizes.before[row]] : [now, sizes.now[row]]);

export const pointSides = ({ sizes }: PairedCurves, row: number): RowSides => ({
  in: { new: 1, gone: 2, both: 3 }[pointState(sizes, row)],
});

/** The curve of a row, and the index of the row's point in it; -1 if the run lacks the size. */
type PointOf<Row> = (row: Row) => readonly [curve: Curve, point: number];

/** A number of a point, for machines; 0 in a run without the size. */
function pointNumberColumn<Row>(id: string, at: PointOf<Row>, of: (curve: Curve, point: number) => Json, title = id) {
  const value = (row: Row): Json => {
    const [curve, point] = at(row);
    return point < 0 ? 0 : of(curve, point);
  };
  return dataColumn(id, value, { title, measured: true });
}

export const fieldColumns = <Row>(at: PointOf<Row>, fields: readonly InputField[]): Column<Row>[] =>
  fields.map((field) => pointNumberColumn(field, at, (curve, point) => pointValue(curve, field, point) ?? null));

export const recordedFields = (curve: { readonly [F in InputField]?: Float64Array }): InputField[] =>
  INPUT_FIELDS.filter((field) => curve[field]);

export function pointDataColumns(point: PairedCurves, c: ColumnContext): Column<number>[] {
  const at = (row: number) => curveAndRow(c, point, row);
  return [
    dataColumn('size', (row) => point.sizes.size[row]),
    ...fieldColumns(at, recordedFields(point.now)),
    pointNumberColumn('deviation', at, (curve, i) => finiteOrNull(standardDeviations(curve)[i]), 'sd'),
  ];
}

const formatValue = (v: Exact | undefined) => {
  if (v === undefined || Number.isNaN(v)) return '?';
  return typeof v === 'bigint' || Number.isInteger(v) ? formatCount(v) : formatShort(v);
};

/** Cached, because the screen is redrawn after every key. */
const cachedColumnFormat = memo(columnFormat, 8);

/** A column of numbers for people. */
const shownColumn = <Row>(id: string, width: number, rank: number, text: NonNullable<Column<Row>['text']>, title = id) =>
  displayColumn<Row>(id, text, { title, width, rank, align: 'right' });

export function pointColumns(curve: Curve): Column<number>[] {
  const costs = (measure: CostKind, width: number, rank: number): Column<number> => {
    const values = costsOf(curve, measure);
    const text = cachedColumnFormat(values, width);
    return shownColumn(measure, width, rank, (row) => text(values[row]));
  };
  const externals = curve.syscall && ((row: number) => formatPercent(externalShare(curve, [row]), 1));
  return [
    { ...shownColumn('size', 9, 9, (row: number) => formatCount(curve.size[row])), flex: 1 },
    shownColumn('calls', 7, 8, (row) => formatCount(curve.calls?.[row] ?? 0)),
    ...(externals ? [shownColumn('external', 8, 4, externals)] : []),
    costs('worst', 9, 7),
    costs('average', 8, 6),
    costs('best', 8, 5),
  ];
}

/** Columns for people that compare two runs: per size, the value now, the value in the base, and the change. */
export function sizeChangeColumns(point: PairedCurves, title: string, valuesOf: (curve: Curve) => ArrayLike<number>) {
  const values = new Map([point.now, point.before].map((curve) => [curve, valuesOf(curve)]));
  const of = (row: number) => valuesAt(point, row, (curve, i) => values.get(curve)?.[i]);
  const changed = (row: number) => (of(row).state === 'both' ? valueChangeCell(of(row), signedShareText) : '');
  return [
    { ...shownColumn('size', 8, 9, (row: number) => formatCount(point.sizes.size[row])), flex: 1 },
    shownColumn<number>('calls', 8, 4, (row) => callsText(point, row)),
    ...comparedValueColumns([title, 'before', 'Δ'], of),
    shownColumn('change%', 8, 5, changed, 'Δ%'),
  ];
}

/** The calls at a size: `3`, or `2→3` if the base made 2. */
export function callsText({ now, before, sizes }: PairedCurves, row: number): string {
  const [ours, theirs] = [now.calls?.[sizes.now[row]] ?? 0, before.calls?.[sizes.before[row]] ?? 0];
  if (pointState(sizes, row) !== 'both') return formatCount(ours + theirs);
  return ours === theirs ? formatCount(ours) : `${formatCount(theirs)}→${formatCount(ours)}`;
}

/** A value in this run and in the base; undefined or NaN if unknown. */
export function valuesAt({ now, before, sizes }: PairedCurves, row: number, of: (curve: Curve, i: number) => Exact | undefined) {
  return { state: pointState(sizes, row), now: of(now, sizes.now[row]), before: of(before, sizes.before[row]) };
}

type ValuePair = ReturnType<typeof valuesAt>;

/** Three columns: the value now, the value in the base, and the change. */
export function comparedValueColumns<Row>(
  [now, before, change]: readonly [now: string, before: string, change: string],
  of: (row: Row) => ValuePair,
): Column<Row>[] {
  const side = (held: ValuePair, lacks: PointState, value: Exact | undefined) => (held.state === lacks ? '' : formatValue(value));
  return [
    shownColumn(now, 9, 7, (row) => side(of(row), 'gone', of(row).now)),
    shownColumn(before, 9, 7, (row) => side(of(row), 'new', of(row).before)),
    shownColumn(change, 8, 8, (row) => valueChangeCell(of(row), signedText)),
  ];
}

const signedText = (difference: Exact) => `${difference > 0 ? '+' : ''}${formatValue(difference)}`;
const signedShareText = (difference: Exact, before: number) =>
  before === 0 ? '' : formatSignedPercent(Number(difference), before);

/** A change as a cell. An increase has the style `hot`, because values are costs. */
function valueChangeCell({ state, now, before }: ValuePair, text: (difference: Exact, before: number) => string): TableCell {
  if (state !== 'both') return { text: state, style: state === 'new' ? 'warm' : 'dim' };
  if (now === undefined || before === undefined || Number.isNaN(now) || Number.isNaN(before)) return { text: '?', style: 'dim' };
  const difference = typeof now === 'number' && typeof before === 'number' ? now - before : BigInt(now) - BigInt(before);
  // Number() handles both 0 and 0n.
  if (Number(difference) === 0) return { text: '0', style: 'dim' };
  return { text: text(difference, Number(before)), style: difference > 0 ? 'more' : 'less' };
}
