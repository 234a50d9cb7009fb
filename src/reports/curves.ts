// The curves report: by routine, the law that its cost follows.
import { CLASSES, type Fit, fitCurve, lawText, robustFit } from '../analysis/fit.ts';
import { curveOfRoutine } from '../analysis/inputs.ts';
import { costsOf, lawKey, lawsByName, type Measure, type RoutineLaw, routineLaws } from '../analysis/laws.ts';
import { orderByNumber } from '../analysis/order.ts';
import { formatCost, formatCount, formatShort } from '../base/units.ts';
import { textColumn } from './cells.ts';
import { costsByName, type Json, type Report, type ReportContext, ReportError, type Row, routineKey } from './report.ts';
import { routineMatches } from './routines.ts';

/** A fit as JSON; null where there are too few sizes. */
export function fitJson(fit: Fit | undefined): Json {
  if (!fit) return null;
  const fits = Object.fromEntries(
    (['constant', ...CLASSES.map((c) => c.name)] as const).map((name) => [name, fit.fits[name] ? { ...fit.fits[name] } : null]),
  );
  return {
    points: fit.points,
    best: fit.best,
    runnerUp: fit.runnerUp,
    margin: fit.margin,
    undecided: fit.undecided,
    slope: fit.power?.slope ?? null,
    power: fit.power ? { ...fit.power } : null,
    fits,
  } as Json;
}

function lawCell(row: Row): string {
  return row['best'] === null ? '' : lawText({ best: row['best'], undecided: row['undecided'] } as Fit);
}

/** The law of the same routine in the run to compare with. */
function before(context: ReportContext, routine: number): Json {
  const law = lawsByName(context.base!).get(lawKey(context.analysis, routine));
  const { fit } = law ?? {};
  if (!fit) return null;
  const r2 = fit.best === 'none' ? null : fit.fits[fit.best]!.r2;
  return { best: fit.best, undecided: fit.undecided, r2, slope: fit.power?.slope ?? null, worst: law!.worst, points: law!.sizes };
}

const SORTS = {
  score: (l: RoutineLaw) => l.score,
  inclusive: (l: RoutineLaw, c: ReportContext) => c.analysis.totals.inclusive[0][l.routine],
  self: (l: RoutineLaw, c: ReportContext) => c.analysis.totals.self[0][l.routine],
  calls: (l: RoutineLaw) => l.calls,
  sizes: (l: RoutineLaw) => l.sizes,
  worst: (l: RoutineLaw) => l.worst,
  r2: (l: RoutineLaw) => (l.fit && l.fit.best !== 'none' ? l.fit.fits[l.fit.best]!.r2 : -1),
  slope: (l: RoutineLaw) => l.fit?.power?.slope ?? Number.NEGATIVE_INFINITY,
} as const;

export const curves: Report = {
  name: 'curves',
  title: 'by routine, how cost grows with input: what grows worst and costs most first',
  requires: ['inputs'],
  sorts: Object.keys(SORTS),
  *rows(context) {
    const { analysis, routine, sort } = context;
    const column = sort?.column ?? 'score';
    const key = SORTS[column as keyof typeof SORTS];
    if (!key) throw new ReportError(`--sort ${column}: no such column; there are ${curves.sorts.join(', ')}`);
    const laws = routineLaws(analysis).filter((l) => routine === undefined || l.routine === routine);
    let left = context.limit;
    const values = laws.map((l) => key(l, context));
    for (const i of orderByNumber(
      values.map((v) => (Number.isNaN(v) ? -1 : v)),
      sort?.descending ?? true,
    )) {
      const law = laws[i];
      if (!routineMatches(context, law.routine)) continue;
      if (left-- <= 0) return;
      const { fit } = law;
      const curve = curveOfRoutine(analysis, law.routine);
      const of = (measure: Measure) => fitJson(fitCurve(curve.size, costsOf(curve, measure)));
      const best = fit && fit.best !== 'none' ? fit.fits[fit.best]! : null;
      const known = (v: number) => (Number.isNaN(v) ? null : v);
      const row: Row = {
        ...routineKey(analysis, law.routine),
        points: law.sizes,
        calls: law.calls,
        best: fit?.best ?? null,
        r2: best?.r2 ?? null,
        margin: fit?.margin ?? null,
        undecided: fit?.undecided ?? null,
        slope: fit?.power?.slope ?? null,
        tenfold: law.tenfold ?? null,
        fits: fit ? ((fitJson(fit) as { fits: Json }).fits as Json) : null,
        robust: { ...robustFit(curve.size, costsOf(curve, 'worst')) } as Row,
        average: of('average'),
        selfWorst: of('self'),
        cost: costsByName(analysis.events, analysis.totals.inclusive, law.routine),
        worst: known(law.worst),
        averageCost: known(law.average),
        bestCost: known(law.best),
        deviation: known(law.deviation),
        hiddenInput: law.hidden,
        ...(context.base ? { before: before(context, law.routine) } : {}),
      };
      yield row;
    }
  },
  columns: (context) => [
    {
      title: 'cost',
      align: 'right',
      cell: (row) => formatCost((row['cost'] as Record<string, number>)[context.event.name], context.event.unit),
    },
    { title: 'calls', align: 'right', cell: (row) => formatCount(row['calls'] as number) },
    { title: 'sizes', align: 'right', cell: (row) => formatCount(row['points'] as number) },
    {
      title: 'worst',
      align: 'right',
      cell: (row) => (row['worst'] === null ? '?' : formatCost(row['worst'] as number, context.event.unit)),
    },
    {
      title: 'law',
      align: 'left',
      cell: (row) => lawCell(row),
    },
    { title: 'r²', align: 'right', cell: (row) => (row['r2'] === null ? '' : (row['r2'] as number).toFixed(4)) },
    { title: 'slope', align: 'right', cell: (row) => (row['slope'] === null ? '' : (row['slope'] as number).toFixed(2)) },
    { title: '×10', align: 'right', cell: (row) => (row['tenfold'] === null ? '' : formatShort(row['tenfold'] as number)) },
    ...(context.base
      ? [{ title: 'before', align: 'left' as const, cell: (row: Row) => lawCell((row['before'] ?? { best: null }) as Row) }]
      : []),
    {
      ...textColumn('routine', 'routine', 'middle'),
      cell: (row) => `${row['routine'] || '???'}${row['hiddenInput'] ? ' (input hidden from rms)' : ''}`,
    },
  ],
};
