// The columns of laws: one row per routine with points. For `--print curves` and the Growth view.
import { type Analysis, isOfKind, percentageBase } from '../../analysis/answers/analysis.ts';
import { type Curve, curveOfRoutine } from '../../analysis/answers/inputs/points.ts';
import { CLASS_NAMES, degreeOf } from '../../analysis/growth/classes.ts';
import { type CurveFit, fitCurve, isUnclear, type LawFit, lawText, robustFit } from '../../analysis/growth/fit.ts';
import { type CostKind, costsOf, degreeChange, lawChange, lawsByRoutine, type RoutineLaw } from '../../analysis/growth/laws.ts';
import { routineName } from '../../analysis/names/names.ts';
import { memo } from '../../base/lists.ts';
import { heatStyle, type TableCell } from '../../base/style.ts';
import { formatCost, formatCount, formatPercent, formatShort } from '../../base/units.ts';
import { exactValue } from '../../model/head.ts';
import { dataColumn, displayColumn, finiteOrNull, numberColumn, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, type Json, onScreen, type TableColumns } from '../column.ts';
import { costColumnLayout, costsByName, costText, isNarrow, shareCell, shareColumn } from '../costs.ts';
import { nameCell, routineKey } from '../names.ts';

/** JSON of a fit; null if there are too few sizes. */
export function fitJson(fit: CurveFit | undefined): Json {
  if (!fit) return null;
  const { points, best, exponent = null, runnerUp, margin, undecided, power } = fit;
  return {
    ...{ points, best, exponent, runnerUp, margin, undecided, law: lawJson(fit) },
    ...{ slope: power?.slope ?? null, power: power ? { ...power } : null, fits: fitsJson(fit) },
  };
}

/** JSON of a law: cost = a + b f(n). Sums and exponential laws also have the size to which f is scaled. */
function lawJson({ law, r2, outliers, fitting, tail }: LawFit): Json {
  if (!law) return null;
  const { a, b, base, from } = law;
  const scaled = from === undefined ? {} : base === undefined ? { from } : { base, from };
  return { a, b, ...scaled, r2: finiteOrNull(r2), outliers, fitting: fitting.map((l) => l.name), largestSizes: tail ?? null };
}

const fitsJson = (fit: CurveFit): Json =>
  Object.fromEntries(CLASS_NAMES.map((name) => [name, fit.fits[name] ? { ...fit.fits[name] } : null]));

/** r² of the law; NaN without a law or for a constant. */
const r2Of = (law: RoutineLaw): number => law.fit?.r2 ?? Number.NaN;

/** The sort key of a law, by growth: -1 if no law fits, -2 without a fit. */
const growthRank = ({ fit }: RoutineLaw): number => (fit?.law ? degreeOf(fit.law) : fit ? -1 : -2);

export const lawTable: TableColumns<RoutineLaw, 'inputs'> = {
  keys: (
    'routine file object points calls best exponent r2 margin undecided slope tenfold fits robust average selfWorst cost worst averageCost ' +
    'bestCost deviation hiddenInput before change'
  ).split(' '),
  columns: (c) => [...costColumns(c), ...callColumns(c), ...lawColumns(c), ...nameColumns(c), ...fitColumns(c)],
};

function costColumns(c: ColumnContext<'inputs'>): Column<RoutineLaw>[] {
  const { totals, events } = c.analysis;
  const inclusive = (l: RoutineLaw) => totals.inclusive[0][l.routine];
  const self = (l: RoutineLaw) => totals.self[0][l.routine];
  const share = shareColumn<RoutineLaw>(c, '%', (l) => shareCell(c, inclusive(l)), { rank: 4 });
  return [
    displayColumn('cost', (l) => costText(c, exactValue(c.event, totals.inclusive, l.routine)), {
      ...costColumnLayout(c, onScreen(c, 'incl', 'cost')),
      also: 'inclusive',
      rank: 8,
      key: inclusive,
      value: (l) => costsByName(events, totals.inclusive, l.routine),
    }),
    ...onScreen(c, share, []),
    { ...costColumnLayout(c, 'self'), id: 'self', rank: 2, key: self, only: 'screen', text: (l) => costText(c, self(l)) },
  ];
}

/** A number rounded to at most six cells. The table of curve points has the exact numbers. */
const shortNumber = (value: number) => (Number.isNaN(value) ? '?' : formatShort(value));

function callColumns(c: ColumnContext<'inputs'>): Column<RoutineLaw>[] {
  const narrow = isNarrow(c);
  const only = 'screen' as const;
  const worst = (l: RoutineLaw) =>
    onScreen(c, shortNumber(l.worst), Number.isNaN(l.worst) ? '?' : formatCost(l.worst, c.event.unit));
  const rough = (id: string, title: string, width: number, rank: number, of: (l: RoutineLaw) => number) =>
    numberColumn(id, of, { title, width, rank, only, text: (l) => shortNumber(of(l)), key: undefined });
  return [
    numberColumn('calls', (l) => l.calls, {
      ...{ width: narrow ? 6 : 9, rank: 4 },
      text: (l) => (narrow ? formatShort(l.calls) : formatCount(l.calls)),
    }),
    numberColumn('points', (l) => l.sizes, { also: 'sizes', title: 'sizes', width: 6, rank: 6 }),
    numberColumn('externalInput', (l) => l.external, {
      ...{ title: 'external', width: 8, rank: 1, key: undefined },
      text: c.analysis.profile.inputs.syscall && ((l) => (Number.isNaN(l.external) ? '?' : formatPercent(l.external, 1))),
    }),
    numberColumn('worst', (l) => l.worst, { width: 8, rank: 3, text: worst, key: (l) => l.worst || 0 }),
    rough('averageCost', 'average', 8, 1, (l) => l.average),
    rough('bestCost', 'best', 8, 0, (l) => l.best),
    rough('deviation', 'sd', 7, 0, (l) => l.deviation),
  ];
}

function lawColumns(c: ColumnContext<'inputs'>): Column<RoutineLaw>[] {
  const { totals } = c.analysis;
  const law = (l: RoutineLaw): string | TableCell => {
    const text = lawText(l.fit);
    const isExpensive = totals.inclusive[0][l.routine] > 0.01 * percentageBase(c.analysis, c.event);
    return { text, style: growthRank(l) >= 1.5 && isExpensive ? 'hot' : 'plain' };
  };
  const isNothing = ({ fit, tenfold = 0 }: RoutineLaw) => isUnclear(fit) || (fit?.undecided === true && tenfold <= 1);
  const tenfold = (l: RoutineLaw): TableCell => ({
    // If several laws fit, the factor is that of the slowest, at least.
    text: l.tenfold === undefined || isNothing(l) ? '' : `${l.fit?.undecided ? '≥' : ''}${formatShort(l.tenfold)}`,
    style: heatStyle((l.tenfold ?? 0) / 1000),
  });
  const r2 = (l: RoutineLaw) => (Number.isNaN(r2Of(l)) ? '' : r2Of(l).toFixed(4));
  const slope = (l: RoutineLaw) => (l.fit && !Number.isNaN(l.fit.slope) ? l.fit.slope : undefined);
  return [
    wordColumn('best', (l) => l.fit?.best, { title: 'law', also: 'law', width: 9, rank: 8, text: law, key: growthRank }),
    dataColumn('exponent', (l) => l.fit?.exponent ?? null),
    numberColumn('r2', r2Of, { title: 'r²', width: 6, rank: 5, text: r2, key: (l) => r2Of(l) || -1 }),
    numberColumn('slope', (l) => slope(l) ?? Number.NaN, {
      ...{ only: 'text', key: (l) => slope(l) ?? Number.NEGATIVE_INFINITY },
      text: (l) => slope(l)?.toFixed(2) ?? '',
    }),
    numberColumn('tenfold', (l) => l.tenfold ?? Number.NaN, { title: '×10', width: 6, rank: 5, text: tenfold, key: undefined }),
    ...baseLawColumns(c),
  ];
}

/** The sort key of a change: above 1 for faster growth, 0 to 1 for slower growth, 0 for no change, -1 for unknown. */
const growthChangeKey = (change: number) =>
  Number.isNaN(change) ? -1 : change > 0 ? 1 + change : change < 0 ? Math.min(1, -change / 10) : 0;

function baseLawColumns(c: ColumnContext<'inputs'>): Column<RoutineLaw>[] {
  const base = c.base;
  if (!base || !isOfKind(base, 'inputs')) return [];
  const before = (l: RoutineLaw) => lawsByRoutine(base).get(l.routine);
  const value = (l: RoutineLaw): Json => {
    const law = before(l);
    if (!law?.fit) return null;
    const { best, exponent = null, undecided, slope } = law.fit;
    const { worst, sizes: points } = law;
    return { best, exponent, undecided, r2: finiteOrNull(r2Of(law)), slope: finiteOrNull(slope), worst, points };
  };
  return [
    dataColumn('before', value, {
      ...{ also: 'changed', width: 9, rank: 7 },
      text: (l): TableCell => {
        const old = before(l)?.fit;
        return { text: lawText(old), style: lawChange(l.fit, old) === 'worse' ? 'hot' : 'plain' };
      },
      // Faster growth first, then slower growth; laws that cannot be compared come last.
      key: (l) => growthChangeKey(degreeChange(l.fit, before(l)?.fit)),
    }),
    dataColumn('change', (l) => lawChange(l.fit, before(l)?.fit) ?? null),
  ];
}

function nameColumns(c: ColumnContext<'inputs'>): Column<RoutineLaw>[] {
  const { analysis } = c;
  const { profile } = analysis;
  const key = (l: RoutineLaw) => routineKey(analysis, l.routine);
  const { metric } = profile.inputs;
  const hidden = (l: RoutineLaw) => {
    if (!l.hidden) return '';
    return c.medium === 'text' ? ` (input hidden from ${metric})` : ` ⋯ input hidden from ${metric}`;
  };
  // A range of sizes without points is blank.
  const spark = (l: RoutineLaw) => (l.fit?.law ? l.spark.map((h) => (h < 0 ? ' ' : '▁▂▃▄▅▆▇█'[h])).join('') : '');
  const star = (l: RoutineLaw) => (c.favourites.has(routineName(profile, l.routine)) ? '★ ' : '');
  return [
    displayColumn('spark', spark, { title: 'by size', width: 8, rank: 5, only: 'screen' }),
    wordColumn('routine', (l) => key(l).routine, {
      ...{ width: isNarrow(c) ? 14 : 20, flex: 1, cut: 'middle', rank: 9, ascends: true },
      key: (l) => routineName(profile, l.routine),
      text: (l) => nameCell(c, l.routine, { before: star(l), after: hidden(l) }),
    }),
    dataColumn('file', (l) => key(l).file),
    dataColumn('object', (l) => key(l).object),
    dataColumn('hiddenInput', (l) => l.hidden),
    // Sorts by growth, weighted by cost.
    { id: 'score', title: 'growth × cost', key: (l) => l.score },
  ];
}

const cachedCurveOf = memo((analysis: Analysis<'inputs'>, routine: number) => curveOfRoutine(analysis, routine), 4);

const fitAllLaws = memo((curve: Curve, measure: CostKind) => fitCurve(curve.size, costsOf(curve, measure)), 3);

/** Columns only for machines: the fits of all law classes, and the fits of other costs. */
function fitColumns({ analysis }: ColumnContext<'inputs'>): Column<RoutineLaw>[] {
  const full = (l: RoutineLaw, measure: CostKind) => fitAllLaws(cachedCurveOf(analysis, l.routine), measure);
  const of = (measure: CostKind) => (l: RoutineLaw) => fitJson(full(l, measure));
  const fits = (l: RoutineLaw) => {
    const fit = full(l, 'worst');
    return fit ? fitsJson(fit) : null;
  };
  return [
    dataColumn('margin', (l) => full(l, 'worst')?.margin ?? null),
    dataColumn('undecided', (l) => l.fit?.undecided ?? null),
    dataColumn('fits', fits),
    dataColumn('robust', (l) => robustJson(cachedCurveOf(analysis, l.routine))),
    dataColumn('average', of('average')),
    dataColumn('selfWorst', of('self')),
  ];
}

/** The robust fit of the worst cost; an empty object if there are too few sizes. */
export const robustJson = (curve: Parameters<typeof costsOf>[0]): Json => ({ ...robustFit(curve.size, costsOf(curve, 'worst')) });
