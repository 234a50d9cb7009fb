// The inputs report: cost by input size, one row per point.

import { isOfKind } from '../../analysis/answers/analysis.ts';
import { pointValue } from '../../analysis/answers/inputs/points.ts';
import { type CurvePair, pairedCurves, stateOf } from '../../analysis/growth/paired.ts';
import { formatCount } from '../../base/units.ts';
import { shown } from '../../columns/builders.ts';
import type { Column, ColumnContext, Table } from '../../columns/column.ts';
import {
  type Compared,
  callsText,
  comparedTexts,
  fieldColumns,
  fieldsOf,
  pointSides,
  sideOf,
} from '../../columns/growth/points.ts';
import { baseOf } from '../../columns/listing.ts';
import { nameCell, routineKey } from '../../columns/names.ts';
import type { InputField } from '../../model/inputs/tables.ts';
import { report } from '../print.ts';
import { chosenRoutines, ROUTINE_SORTS } from '../routines.ts';

/** Narrower text has the worst call alone. */
const WIDE = 110;

/** A point of a routine or of a calling context. */
interface PointRow extends CurvePair {
  /** Row of the sizes. */
  readonly at: number;
}

/** The fields that people read. */
const READ: readonly InputField[] = ['calls', 'min', 'max', 'sum', 'selfSum'];

function pointTable(fields: readonly InputField[]): Table<PointRow, 'inputs'> {
  return {
    keys: ['routine', 'object', 'context', 'size', ...fields],
    sides: (_, r) => pointSides(r, r.at),
    columns: (c) => {
      const data = fieldColumns<PointRow>((r) => sideOf(c, r, r.at), fields);
      const of = (id: InputField): Column<PointRow> => data.find((column) => column.id === id) ?? { id, title: id };
      return [
        shown('size', (r) => formatCount(r.sizes.size[r.at]), { align: 'right', value: (r) => r.sizes.size[r.at] }),
        ...(c.base ? [...READ.map(of), ...changes()] : READ.map((id) => ({ ...of(id), ...fieldText(id) }))),
        shown('routine', (r) => nameCell(c, r.routine), {
          flex: 1,
          cut: 'middle',
          value: (r) => routineKey(c.analysis, r.routine).routine,
        }),
        { id: 'object', title: 'object', value: (r) => routineKey(c.analysis, r.routine).object },
        { id: 'context', title: 'context', value: (r) => contextId(c, r) },
        ...data.filter((column) => !READ.some((field) => field === column.id)),
      ];
    },
  };
}

const fieldText = (id: InputField): Pick<Column<PointRow>, 'align' | 'text'> => ({
  align: 'right',
  text(r) {
    const value = pointValue(r.now, id, r.sizes.now[r.at]);
    return value === undefined ? (id === 'calls' ? '' : '?') : formatCount(value);
  },
});

/** With two runs, the calls, the worst call and all calls of a size. */
function changes(): Column<PointRow>[] {
  const compared = (field: InputField) => {
    const of = (r: PointRow): Compared => ({
      state: stateOf(r.sizes, r.at),
      now: pointValue(r.now, field, r.sizes.now[r.at]),
      before: pointValue(r.before, field, r.sizes.before[r.at]),
    });
    return comparedTexts([field, `${field} before`, `Δ ${field}`], of);
  };
  return [
    { id: 'calls', title: 'calls', align: 'right', text: (r) => callsText(r, r.at) },
    ...compared('max'),
    ...compared('sum').map((column) => ({ ...column, from: WIDE })),
  ];
}

/** The calling context's id in its file; undefined for points of routines. */
function contextId({ analysis, base }: ColumnContext<'inputs'>, { context, contextBefore }: PointRow): number | undefined {
  if (context >= 0) return analysis.profile.contexts?.id[context];
  return base && isOfKind(base, 'inputs') ? base.profile.contexts?.id[contextBefore] : undefined;
}

export const inputs = report<PointRow, 'inputs'>({
  name: 'inputs',
  title: 'cost by input size: a row a routine and size; with --contexts a calling context and size',
  asks: ['inputs'],
  sorts: ROUTINE_SORTS,
  kind: 'inputs',
  table: (context) => pointTable(fieldsOf(context.analysis.profile.inputs)),
  *rows(context) {
    const base = baseOf(context, 'inputs');
    for (const r of chosenRoutines(context))
      for (const pair of pairedCurves(context.analysis, base, r, context.byContext))
        for (let at = 0; at < pair.sizes.size.length; at++) yield { ...pair, at };
  },
});
