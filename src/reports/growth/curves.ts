// The curves report: the growth law of each routine.

import { lawsByRoutine, type RoutineLaw, routineLaws } from '../../analysis/growth/laws.ts';
import { lawTable } from '../../columns/growth/laws.ts';
import { makeReport } from '../print.ts';
import { routineMatches, sortRows } from '../report.ts';

export const curves = makeReport<RoutineLaw, 'inputs'>({
  name: 'curves',
  title: 'growth law of each routine, by growth × cost',
  requires: ['inputs'],
  sorts: ['score', 'inclusive', 'self', 'calls', 'sizes', 'worst', 'r2', 'slope', 'routine'],
  kind: 'inputs',
  table: () => lawTable,
  rows(context) {
    const { analysis, routine, chosen } = context;
    if (chosen?.lawsOf) return Array.from(chosen.lawsOf).flatMap((r) => lawsByRoutine(analysis).get(r) ?? []);
    const laws = routineLaws(analysis).filter(
      (l) => (routine === undefined || l.routine === routine) && routineMatches(context, l.routine),
    );
    return sortRows(context, laws, lawTable.columns(context), 'score');
  },
});
