// The inputs report: cost by input size, one row per point.

import { pointValue } from '../../analysis/answers/inputs/points.ts';
import { type CurvePair, pairedCurves } from '../../analysis/growth/paired.ts';
import { formatCount } from '../../base/units.ts';
import { displayColumn } from '../../columns/builders.ts';
import type { Column, ColumnContext, TableColumns } from '../../columns/column.ts';
import {
  callsText,
  comparedValueColumns,
  curveAndRow,
  fieldColumns,
  pointSides,
  recordedFields,
  valuesAt,
} from '../../columns/growth/points.ts';
import { baseOfKind } from '../../columns/listing.ts';
import { routineColumn, routineKey } from '../../columns/names.ts';
import type { InputField } from '../../model/inputs/tables.ts';
import { makeReport } from '../print.ts';
import { chosenRoutines, ROUTINE_SORTS } from '../routines.ts';

/** Minimum width of text that also shows the sum of all calls; narrower text shows only the worst call. */
const MIN_WIDE_TEXT_WIDTH = 110;

/** A point of a routine or of a calling context. */
interface PointRow extends CurvePair {
  /** Index of the input size in `sizes`. */
  readonly at: number;
}

/** The fields shown to people; the others are only in data. */
const READABLE_FIELDS: readonly InputField[] = ['calls', 'min', 'max', 'sum', 'selfSum'];

function pointTable(fields: readonly InputField[]): TableColumns<PointRow, 'inputs'> {
  return {
    keys: ['routine', 'object', 'context', 'size', ...fields],
    sides: (_, r) => pointSides(r, r.at),
    columns: (c) => {
      const data = fieldColumns<PointRow>((r) => curveAndRow(c, r, r.at), fields);
      const columnOf = (id: InputField): Column<PointRow> => data.find((column) => column.id === id) ?? { id, title: id };
      const fieldText = (id: InputField) => (r: PointRow) => {
        const value = pointValue(r.now, id, r.sizes.now[r.at]);
        return value === undefined ? (id === 'calls' ? '' : '?') : formatCount(value);
      };
      return [
        displayColumn('size', (r) => formatCount(r.sizes.size[r.at]), { align: 'right', value: (r) => r.sizes.size[r.at] }),
        ...(c.base
          ? [...READABLE_FIELDS.map(columnOf), ...changedFieldColumns()]
          : READABLE_FIELDS.map((id) => ({ ...columnOf(id), align: 'right' as const, text: fieldText(id) }))),
        routineColumn<PointRow>(c, (r) => r.routine),
        { id: 'object', title: 'object', value: (r) => routineKey(c.analysis, r.routine).object },
        { id: 'context', title: 'context', value: (r) => contextId(c, r) },
        ...data.filter((column) => !READABLE_FIELDS.some((field) => field === column.id)),
      ];
    },
  };
}

/** Columns for two runs: the number of calls, the worst call, and the sum of all calls of a size. */
function changedFieldColumns(): Column<PointRow>[] {
  const columnsOf = (field: InputField) => {
    const comparedAt = (r: PointRow) => valuesAt(r, r.at, (curve, i) => pointValue(curve, field, i));
    return comparedValueColumns([field, `${field} before`, `Δ ${field}`], comparedAt);
  };
  return [
    { id: 'calls', title: 'calls', align: 'right', text: (r) => callsText(r, r.at) },
    ...columnsOf('max'),
    ...columnsOf('sum').map((column) => ({ ...column, from: MIN_WIDE_TEXT_WIDTH })),
  ];
}

/** The calling context's id in its file; undefined for points of routines. */
function contextId(c: ColumnContext<'inputs'>, { context, contextBefore }: PointRow): number | undefined {
  if (context >= 0) return c.analysis.profile.contexts?.id[context];
  return baseOfKind(c, 'inputs')?.profile.contexts?.id[contextBefore];
}

export const inputs = makeReport<PointRow, 'inputs'>({
  name: 'inputs',
  title: 'cost by input size: one row per routine and size; with --contexts per calling context and size',
  requires: ['inputs'],
  sorts: ROUTINE_SORTS,
  kind: 'inputs',
  table: (context) => pointTable(recordedFields(context.analysis.profile.inputs)),
  *rows(context) {
    const base = baseOfKind(context, 'inputs');
    for (const r of chosenRoutines(context))
      for (const pair of pairedCurves(context.analysis, base, r, context.byContext ?? false))
        for (let at = 0; at < pair.sizes.size.length; at++) yield { ...pair, at };
  },
});
