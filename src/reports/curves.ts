// The curves report: by routine, the law that its cost follows.
import { type RoutineLaw, routineLaws } from '../analysis/inputs/laws.ts';
import { lawTable } from '../columns/laws.ts';
import { report } from './print.ts';
import { routineTexts, withRows } from './report.ts';

const list = withRows<RoutineLaw, 'inputs'>({
  name: 'curves',
  title: 'by routine, how cost grows with input: what grows worst and costs most first',
  asks: ['inputs'],
  sorts: ['score', 'inclusive', 'self', 'calls', 'sizes', 'worst', 'r2', 'slope', 'routine'],
  kind: 'inputs',
  table: () => lawTable,
  all: ({ analysis, routine }) => routineLaws(analysis).filter((l) => routine === undefined || l.routine === routine),
  texts: (l, { analysis }) => routineTexts(analysis.profile, l.routine),
  usual: 'score',
});

export const curves = report({ ...list, rows: (context) => context.chosen?.laws ?? list.rows(context) });
