// The inputs report: cost by input size, one row per point.

import { type Curve, curveOfContext, curveOfRoutine, pointValue } from '../analysis/inputs/points.ts';
import { formatCount } from '../base/units.ts';
import type { Column, Table } from '../columns/column.ts';
import { nameCell, routineKey } from '../columns/names.ts';
import { fieldColumns, fieldsOf } from '../columns/points.ts';
import type { InputField } from '../model/inputs/tables.ts';
import { report } from './print.ts';
import { ofKind, type ReportContext, routineMatches } from './report.ts';
import { ROUTINE_SORTS, sortedRoutines } from './routines.ts';

interface PointRow {
  readonly routine: number;
  /** The calling context's id in the file; undefined for points of routines. */
  readonly context: number | undefined;
  readonly curve: Curve;
  /** Row of the curve. */
  readonly at: number;
}

function pointTable(fields: readonly InputField[]): Table<PointRow, 'inputs'> {
  const data = fieldColumns<PointRow>(
    (r) => r.curve,
    (r) => r.at,
    fields,
  );
  const shown = (field: InputField, unknown: string): Column<PointRow>['text'] => {
    return (r) => {
      const value = pointValue(r.curve, field, r.at);
      return value === undefined ? unknown : formatCount(value);
    };
  };
  const number = (id: InputField, unknown: string): Column<PointRow> => ({
    ...(data.find((column) => column.id === id) ?? { id }),
    title: id,
    align: 'right',
    text: shown(id, unknown),
  });
  const first = ['calls', 'min', 'max', 'sum', 'selfSum'] as const;
  return {
    keys: ['routine', 'object', 'context', 'size', ...fields],
    columns: (c) => [
      {
        id: 'size',
        title: 'size',
        align: 'right',
        value: (r) => r.curve.size[r.at],
        text: (r) => formatCount(r.curve.size[r.at]),
      },
      ...first.map((field) => number(field, field === 'calls' ? '' : '?')),
      {
        id: 'routine',
        title: 'routine',
        flex: 1,
        cut: 'middle',
        value: (r) => routineKey(c.analysis, r.routine).routine,
        text: (r) => nameCell(c, r.routine),
      },
      { id: 'object', title: 'object', value: (r) => routineKey(c.analysis, r.routine).object },
      { id: 'context', title: 'context', value: (r) => r.context },
      ...data.filter((column) => !first.some((field) => field === column.id)),
    ],
  };
}

function* curvesOf(context: ReportContext<'inputs'>, routine: number): Generator<Omit<PointRow, 'at'>> {
  const { analysis, byContext } = context;
  const { contexts } = analysis.profile;
  if (!byContext || !contexts) {
    yield { routine, context: undefined, curve: curveOfRoutine(analysis, routine) };
    return;
  }
  for (let c = 0; c < contexts.id.length; c++)
    if (contexts.routine[c] === routine && !analysis.partsOff.has(contexts.part[c]))
      yield { routine, context: contexts.id[c], curve: curveOfContext(analysis, c) };
}

export const inputs = report<PointRow, 'inputs'>({
  name: 'inputs',
  title: 'cost by input size: a row a routine and size; with --contexts a calling context and size',
  asks: ['inputs'],
  sorts: ROUTINE_SORTS,
  of: ofKind('inputs'),
  table: (context) => pointTable(fieldsOf(context.analysis.profile.inputs)),
  *rows(context) {
    const { routine } = context;
    const order = sortedRoutines(context);
    for (const r of routine === undefined ? order : [routine]) {
      if (!routineMatches(context, r)) continue;
      for (const of of curvesOf(context, r)) for (let at = 0; at < of.curve.size.length; at++) yield { ...of, at };
    }
  },
});
