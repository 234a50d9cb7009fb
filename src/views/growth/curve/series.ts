// The data of the Curve view: points, fitted curves and axes. Memoized, so that cursor moves need no computation.
import { type Analysis, isOfKind } from '../../../analysis/answers/analysis.ts';
import { type Curve, contextsOfRoutine, costsOfContexts, EMPTY_CURVE } from '../../../analysis/answers/inputs/points.ts';
import { GROWTH_CLASSES, growthClassOf, growthFunction, growthText } from '../../../analysis/growth/classes.ts';
import { fitCurve, robustFit } from '../../../analysis/growth/fit.ts';
import { type CostKind, costsOf } from '../../../analysis/growth/laws.ts';
import { pairedContexts, pairSizes } from '../../../analysis/growth/paired.ts';
import { growthGuess, movingAverage, type PlotKind, plottedCurve, plotValues } from '../../../analysis/growth/plots.ts';
import { memo } from '../../../base/lists.ts';
import { type Axes, axisRangeOf } from '../../../base/plot.ts';
import { heatStyle, type Style } from '../../../base/style.ts';
import type { StateWithList } from '../../parts/list.ts';
import type { StyledSeries } from '../../parts/plot.ts';
import type { ViewContext } from '../../view.ts';

export const SHOWN_COSTS = ['worst', 'all', 'average', 'best', 'self'] as const;
/** The fitted curves that can be drawn over the points. */
export const LINE_CHOICES = ['law', 'robust', 'power', ...GROWTH_CLASSES.map((c) => c.name), 'off'] as const;
export const BUCKET_BASES = [0, 2, 10] as const;
export const SMOOTHING_RADIUS = 3;
/** Maximum points that are drawn as marks; more points are drawn as dots. */
const MAX_MARKED_POINTS = 400;

type LineChoice = (typeof LINE_CHOICES)[number];

/** The state of the view. Each point is a row of its list. */
export interface CurveState extends StateWithList, Pick<Axes, 'xLog' | 'yLog'> {
  readonly placedFocus: number;
  /** The calling context whose points are shown, as its row in the contexts table; -1 for the whole routine. */
  readonly context: number;
  readonly kind: PlotKind;
  readonly shown: (typeof SHOWN_COSTS)[number];
  /** By routine, the fitted curve that the user selected; absent: `law`. */
  readonly lines: { readonly [routine: number]: LineChoice };
  /** The zoomed range of sizes; undefined for all sizes. */
  readonly zoom: readonly [from: number, to: number] | undefined;
  readonly guess: number;
  readonly guessLog: number;
  /** The number whose powers group the sizes; 0 for no grouping. */
  readonly bucket: (typeof BUCKET_BASES)[number];
  readonly smooth: boolean;
  readonly table: boolean;
}

export type CurvePoints = NonNullable<ReturnType<typeof curvePointsOf>>;

/** The points of this run and of the base, which has none if it lacks the routine or context. `compared`: there is a base. */
const curvePointsOf = memo(
  (analysis: Analysis<'inputs'>, base: Analysis | undefined, focus: number, context: number, bucket: number) => {
    if (focus < 0) return undefined;
    const now = plottedCurve(analysis, focus, context, bucket);
    const then = base && isOfKind(base, 'inputs') ? base : undefined;
    const before = then ? baseCurve(analysis, then, focus, context, bucket) : EMPTY_CURVE;
    return { now, before, sizes: pairSizes(now, before), compared: then !== undefined };
  },
  4,
);

function baseCurve(analysis: Analysis<'inputs'>, base: Analysis<'inputs'>, focus: number, context: number, bucket: number) {
  const baseContext = context < 0 ? -1 : pairedContexts(analysis, base).before[context];
  return context >= 0 && baseContext < 0 ? EMPTY_CURVE : plottedCurve(base, focus, baseContext, bucket);
}

export const costsByPoint = memo((curve: Curve, measure: CostKind) => costsOf(curve, measure), 16);

const totalCallsOf = memo((curve: Curve) => (curve.calls ? curve.calls.reduce((a, b) => a + b, 0) : 0));
export const fittedLawOf = memo((curve: Curve, measure: CostKind) => fitCurve(curve.size, costsByPoint(curve, measure)), 8);
const robustFitOf = memo((curve: Curve, measure: CostKind) => robustFit(curve.size, costsByPoint(curve, measure)), 4);
export const contextsByCost = memo((analysis: Analysis<'inputs'>, routine: number): number[] => {
  if (routine < 0 || !analysis.profile.contexts) return [];
  const cost = costsOfContexts(analysis).inclusive[0];
  return Array.from(contextsOfRoutine(analysis, routine)).sort((a, b) => cost[b] - cost[a]);
}, 4);

export const shownPoints = (state: Pick<CurveState, 'context' | 'bucket'>, c: ViewContext<'inputs'>): CurvePoints | undefined =>
  curvePointsOf(c.analysis, c.base, c.focus, state.context, state.bucket);

export const plottedCostKind = (state: CurveState): CostKind => (state.shown === 'all' ? 'worst' : state.shown);

/** The fitted curve that is selected for the routine in focus. */
export const chosenLine = (state: Pick<CurveState, 'lines' | 'placedFocus'>): LineChoice =>
  state.lines[state.placedFocus] ?? 'law';

/** The fitted curve to draw, with its name; undefined if none is drawn. */
export const drawnLine = (state: CurveState, curve: Curve) =>
  state.kind === 'cost' ? fittedLineOf(curve, chosenLine(state), plottedCostKind(state)) : undefined;

const fittedLineOf = memo(
  (curve: Curve, which: LineChoice, measure: CostKind): { name: string; of: (n: number) => number } | undefined => {
    if (which === 'off') return undefined;
    const fit = fittedLawOf(curve, measure);
    if (!fit) return undefined;
    if (which === 'power') {
      const { power } = fit;
      if (!power) return undefined;
      const name = `n^${power.slope.toFixed(2)} (r² ${power.r2.toFixed(4)} of logarithms)`;
      return { name, of: (n) => power.factor * n ** power.slope };
    }
    if (which === 'robust') {
      const robust = robustFitOf(curve, measure);
      if (!robust) return undefined;
      const { label, of } = growthClassOf(robust.best);
      return { name: `robust ${label}`, of: (n) => robust.a + robust.b * of(n) };
    }
    const law = which === 'law' ? fit.law && { ...fit.law, r2: fit.r2 } : fit.fits[which] && { ...fit.fits[which], name: which };
    if (!law) return undefined;
    const of = growthFunction(law);
    const r2 = Number.isNaN(law.r2) || law.name === 'constant' ? '' : ` (r² ${law.r2.toFixed(4)})`;
    return { name: `${growthText(law)}${r2}`, of: (n) => law.a + law.b * of(n) };
  },
  8,
);

type ShownCost = CurveState['shown'];

/** The plotted value of each point: the worst cost if all kinds of cost are shown. */
export const plottedValuesOf = memo(
  (curve: Curve, kind: PlotKind, measure: CostKind, guess: number, guessLog: number): Float64Array =>
    kind === 'cost' ? costsByPoint(curve, measure) : plotValues(curve, kind, growthGuess(guess, guessLog)),
  8,
);

type ValueChoice = [kind: PlotKind, measure: CostKind, smooth: boolean, guess: number, guessLog: number];

function drawnValuesOf(curve: Curve, ...[kind, measure, smooth, guess, guessLog]: ValueChoice): Float64Array {
  const values = plottedValuesOf(curve, kind, measure, guess, guessLog);
  return smooth ? movingAverage(values, SMOOTHING_RADIUS) : values;
}

/** The points as plot series. addFittedLines() adds the fitted curve, which needs the axes. */
export const pointSeriesOf = memo(
  (curve: Curve, kind: PlotKind, shown: ShownCost, smooth: boolean, guess: number, guessLog: number): StyledSeries[] => {
    const seriesOf = (measure: CostKind, style: Style, mark: string, dots = false): StyledSeries => {
      return { x: curve.size, y: drawnValuesOf(curve, kind, measure, smooth, guess, guessLog), style, mark, dots };
    };
    if (kind === 'cost' && shown === 'all')
      return [seriesOf('worst', 'bar', '▴'), seriesOf('average', 'plain', '●'), seriesOf('best', 'accent', '▾')];
    const { calls, size } = curve;
    const all = totalCallsOf(curve);
    const styles = kind === 'cost' && calls ? { styles: (i: number) => heatStyle(calls[i] / all) } : {};
    return [{ ...seriesOf(shown === 'all' ? 'worst' : shown, 'plain', '•', size.length > MAX_MARKED_POINTS), ...styles }];
  },
  4,
);

/** The points of the base as plot series, drawn below the points of this run. */
export const basePointSeries = memo(({ before }: CurvePoints, ...choice: ValueChoice): StyledSeries => {
  return { x: before.size, y: drawnValuesOf(before, ...choice), style: 'dim', mark: '○', dots: false };
}, 4);

export const plotAxesOf = memo(
  (
    series: readonly StyledSeries[],
    before: StyledSeries,
    { sizes: { size } }: CurvePoints,
    zoom: CurveState['zoom'],
    xLog: boolean,
    yLog: boolean,
  ): Axes => {
    const x = zoom ?? axisRangeOf([size], xLog);
    const y = [...series, before].map((s) =>
      zoom ? Float64Array.from(s.y, (v, i) => (s.x[i] >= x[0] && s.x[i] <= x[1] ? v : Number.NaN)) : s.y,
    );
    const from = xLog ? Math.max(x[0], 0.5) : x[0];
    return { x: [from, Math.max(x[1], from + 1e-9)], y: axisRangeOf(y, yLog), xLog, yLog };
  },
  4,
);

type FittedLine = ((n: number) => number) | undefined;

/** All plot series in drawing order: points and fitted curve of this run, then those of the base. */
export const addFittedLines = memo(
  (
    series: readonly StyledSeries[],
    before: StyledSeries,
    line: FittedLine,
    lineBefore: FittedLine,
    axes: Axes,
    width: number,
  ): readonly StyledSeries[] => [
    ...series,
    ...(line ? [{ ...fittedLineSeries(line, axes, width * 2), style: 'accent' as const, mark: '.', dots: true }] : []),
    ...(before.x.length > 0 ? [before] : []),
    // The fitted curve of the base has a mark in every second cell.
    ...(lineBefore ? [{ ...fittedLineSeries(lineBefore, axes, width >> 1), style: 'dim' as const, mark: '·', dots: false }] : []),
  ],
);

function fittedLineSeries(of: (n: number) => number, axes: Axes, n: number): Pick<StyledSeries, 'x' | 'y'> {
  const [from, to] = axes.x;
  const x = Float64Array.from({ length: n }, (_, i) =>
    axes.xLog ? from * (to / from) ** ((i + 0.5) / n) : from + ((to - from) * (i + 0.5)) / n,
  );
  return { x, y: x.map(of) };
}
