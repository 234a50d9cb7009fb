// The columns of points: one row per size; of two runs, per size of either.

import { type Curve, pointValue } from '../../analysis/answers/inputs/points.ts';
import { costsOf, type Measure, variances } from '../../analysis/growth/laws.ts';
import { type PairedSizes, type PointState, stateOf } from '../../analysis/growth/paired.ts';
import { memo } from '../../base/memo.ts';
import type { Cell } from '../../base/style.ts';
import { columnFormat, type Exact, formatCount, formatShort, formatSignedPercent } from '../../base/units.ts';
import { INPUT_FIELDS, type InputField } from '../../model/inputs/tables.ts';
import type { Column, ColumnContext, Json, RowSides } from '../column.ts';

const deviations = memo((curve: Curve) => variances(curve).map(Math.sqrt), 4);

/** A point: a row of `sizes`, and the curves that these are of. Where nothing is compared, the base's curve has no points. */
export interface Point {
  readonly now: Curve;
  readonly before: Curve;
  readonly sizes: PairedSizes;
}

/** The curve that the context's values are of, and its row; -1 where it lacks the size. */
export const sideOf = ({ side }: ColumnContext, { now, before, sizes }: Point, row: number): [curve: Curve, row: number] =>
  side === 'before' ? [before, sizes.before[row]] : [now, sizes.now[row]];

/** Which of the runs has the size. */
export const pointSides = ({ sizes }: Point, row: number): RowSides => ({
  in: { new: 1, gone: 2, both: 3 }[stateOf(sizes, row)],
});

/** Every field that the report has, for machines; 0 in the run that lacks the size. `at`: the curve and its row. */
export function fieldColumns<Row>(
  at: (row: Row) => readonly [curve: Curve, row: number],
  fields: readonly InputField[],
): Column<Row>[] {
  return fields.map((field) => ({
    id: field,
    title: field,
    measured: true,
    value: (row): Json => {
      const [curve, point] = at(row);
      return point < 0 ? 0 : (pointValue(curve, field, point) ?? null);
    },
  }));
}

export function fieldsOf(curve: { readonly [F in InputField]?: Float64Array }): InputField[] {
  return INPUT_FIELDS.filter((field) => curve[field]);
}

/** For machines: by the row of a size. */
export function pointData(point: Point, c: ColumnContext): Column<number>[] {
  const at = (row: number) => sideOf(c, point, row);
  const deviation = (row: number): Json => {
    const [curve, of] = at(row);
    if (of < 0) return 0;
    const sd = deviations(curve)[of];
    return Number.isNaN(sd) ? null : sd;
  };
  return [
    { id: 'size', title: 'size', value: (row) => point.sizes.size[row] },
    ...fieldColumns(at, fieldsOf(point.now)),
    { id: 'deviation', title: 'sd', measured: true, value: deviation },
  ];
}

const right = { align: 'right' } as const;
const show = (v: Exact | undefined) => {
  if (v === undefined || Number.isNaN(v)) return '?';
  return typeof v === 'bigint' || Number.isInteger(v) ? formatCount(v) : formatShort(v);
};

/** A frame is drawn for every key. */
const formatOf = memo(columnFormat, 8);

/** On the screen: the points of a curve, by their row. */
export function pointColumns(curve: Curve): Column<number>[] {
  const costs = (measure: Measure, width: number, rank: number): Column<number> => {
    const values = costsOf(curve, measure);
    const text = formatOf(values, width);
    return { ...right, id: measure, title: measure, width, rank, text: (row) => text(values[row]) };
  };
  return [
    { ...right, id: 'size', title: 'size', width: 9, rank: 9, flex: 1, text: (row) => formatCount(curve.size[row]) },
    { ...right, id: 'calls', title: 'calls', width: 7, rank: 8, text: (row) => formatCount(curve.calls?.[row] ?? 0) },
    costs('worst', 9, 7),
    costs('average', 8, 6),
    costs('best', 8, 5),
  ];
}

/** The compared values at each size: values of both runs by the rows of their curves. */
export interface ComparedValues {
  readonly title: string;
  readonly now: ArrayLike<number>;
  readonly before: ArrayLike<number>;
}

/** The readable columns of two runs, by the row of a size: a value now and before, and its change. */
export function changeColumns(point: Point, values: ComparedValues): Column<number>[] {
  const { sizes } = point;
  const of = (row: number): Compared => ({
    state: stateOf(sizes, row),
    now: values.now[sizes.now[row]],
    before: values.before[sizes.before[row]],
  });
  return [
    { ...right, id: 'size', title: 'size', width: 8, rank: 9, flex: 1, text: (row) => formatCount(sizes.size[row]) },
    { ...right, id: 'calls', title: 'calls', width: 8, rank: 4, text: (row) => callsText(point, row) },
    ...comparedTexts([values.title, 'before', 'Δ'], of),
    {
      ...right,
      ...{ id: 'change%', title: 'Δ%', width: 8, rank: 5 },
      text: (row) => (stateOf(sizes, row) === 'both' ? changeCell(of(row), signedShare) : ''),
    },
  ];
}

/** The calls of a size: `3`, or `2→3` where they are not as many as before. */
export function callsText({ now, before, sizes }: Point, row: number): string {
  const [ours, theirs] = [now.calls?.[sizes.now[row]] ?? 0, before.calls?.[sizes.before[row]] ?? 0];
  if (stateOf(sizes, row) !== 'both') return formatCount(ours + theirs);
  return ours === theirs ? formatCount(ours) : `${formatCount(theirs)}→${formatCount(ours)}`;
}

/** A value in two runs; undefined or NaN where it is unknown. */
export interface Compared {
  readonly state: PointState;
  readonly now: Exact | undefined;
  readonly before: Exact | undefined;
}

/** The value now, before, and its change. */
export function comparedTexts<Row>(
  [now, before, change]: readonly [now: string, before: string, change: string],
  of: (row: Row) => Compared,
): Column<Row>[] {
  const side = (held: Compared, lacks: PointState, value: Exact | undefined) => (held.state === lacks ? '' : show(value));
  return [
    { ...right, id: now, title: now, width: 9, rank: 7, text: (row) => side(of(row), 'gone', of(row).now) },
    { ...right, id: before, title: before, width: 9, rank: 7, text: (row) => side(of(row), 'new', of(row).before) },
    { ...right, id: change, title: change, width: 8, rank: 8, text: (row) => changeCell(of(row), signed) },
  ];
}

const signed = (difference: Exact) => `${difference > 0 ? '+' : ''}${show(difference)}`;
const signedShare = (difference: Exact, before: number) => (before === 0 ? '' : formatSignedPercent(Number(difference), before));

/** More is worse: these are costs. */
function changeCell({ state, now, before }: Compared, text: (difference: Exact, before: number) => string): Cell {
  if (state !== 'both') return { text: state, style: state === 'new' ? 'warm' : 'dim' };
  if (now === undefined || before === undefined || Number.isNaN(now) || Number.isNaN(before)) return { text: '?', style: 'dim' };
  const difference = typeof now === 'number' && typeof before === 'number' ? now - before : BigInt(now) - BigInt(before);
  // Zeros of both types.
  if (Number(difference) === 0) return { text: '0', style: 'dim' };
  return { text: text(difference, Number(before)), style: difference > 0 ? 'hot' : 'call' };
}
