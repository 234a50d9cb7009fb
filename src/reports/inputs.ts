// The inputs report: cost by input size, a row a point.
import { type Curve, curveOfContext, curveOfRoutine, pointValue } from '../analysis/inputs.ts';
import { formatCount } from '../base/units.ts';
import { INPUT_FIELDS } from '../model/inputs.ts';
import { numberColumn, textColumn } from './cells.ts';
import { type Report, type ReportContext, type Row, routineKey } from './report.ts';
import { routineMatches, sortedRoutines } from './routines.ts';

function* points(curve: Curve, head: Row): Generator<Row> {
  for (let i = 0; i < curve.size.length; i++) {
    const fields = INPUT_FIELDS.filter((f) => curve[f]).map((f) => [f, pointValue(curve, f, i) ?? null] as const);
    yield { ...head, size: curve.size[i], ...Object.fromEntries(fields) };
  }
}

export const inputs: Report = {
  name: 'inputs',
  title: 'cost by input size: a row a routine and size; with --contexts a calling context and size',
  requires: ['inputs'],
  sorts: ['self', 'inclusive', 'calls', 'routine', 'object'],
  *rows(context: ReportContext) {
    const { analysis, routine } = context;
    const { contexts } = analysis.profile;
    let left = context.limit;
    for (const r of routine === undefined ? sortedRoutines(context) : [routine]) {
      if (!routineMatches(context, r)) continue;
      const key = routineKey(analysis, r);
      const head: Row = { routine: key.routine, object: key.object };
      if (context.byContext && contexts) {
        for (let c = 0; c < contexts.id.length; c++) {
          if (contexts.routine[c] !== r || analysis.partsOff.has(contexts.part[c])) continue;
          for (const row of points(curveOfContext(analysis, c), { ...head, context: contexts.id[c] })) if (left-- > 0) yield row;
        }
      } else for (const row of points(curveOfRoutine(analysis, r), head)) if (left-- > 0) yield row;
      if (left <= 0) return;
    }
  },
  columns: () => [
    numberColumn('size', 'size'),
    numberColumn('calls', 'calls'),
    ...(['min', 'max', 'sum', 'selfSum'] as const).map((key) => ({
      title: key,
      align: 'right' as const,
      cell: (row: Row) => (row[key] === null || row[key] === undefined ? '?' : formatCount(row[key] as number | bigint)),
    })),
    textColumn('routine', 'routine', 'middle'),
  ],
};
