// The data of the Curve view: points, fitted curve and axes. Memoized, so that cursor moves compute nothing.
import { type Analysis, isOfKind } from '../../../analysis/answers/analysis.ts';
import { type Curve, contextsOfRoutine, costsOfContexts, NO_POINTS } from '../../../analysis/answers/inputs/points.ts';
import { CLASSES, growthClassOf, growthFunction, growthText } from '../../../analysis/growth/classes.ts';
import { type Fit, fitCurve, robustFit } from '../../../analysis/growth/fit.ts';
import { type CostKind, costsOf, variances } from '../../../analysis/growth/laws.ts';
import { type PairedSizes, pairedContexts, pairSizes } from '../../../analysis/growth/paired.ts';
import { guessOf, movingAverage, PLOT_TITLES, type PlotKind, plottedCurve, plotValues } from '../../../analysis/growth/plots.ts';
import { memo } from '../../../base/memo.ts';
import { type Axes, rangeOf } from '../../../base/plot.ts';
import { heatStyle, type Style } from '../../../base/style.ts';
import type { ListPosition } from '../../parts/list.ts';
import type { StyledSeries } from '../../parts/plot.ts';
import type { ViewContext } from '../../view.ts';

export const SHOWN = ['worst', 'all', 'average', 'best', 'self'] as const;
/** Lines over the points. */
export const LINES = ['law', 'robust', 'power', ...CLASSES.map((c) => c.name), 'off'] as const;
export const BUCKETS = [0, 2, 10] as const;
export const SMOOTH = 3;
/** Up to this many points are drawn as marks, more points as dots. */
const MANY = 400;

type DrawnLine = (typeof LINES)[number];

export interface CurveState {
  /** Its rows are the points. */
  readonly list: ListPosition;
  readonly placedFocus: number;
  /** Row of the contexts table whose points are shown; -1 for the whole routine. */
  readonly context: number;
  readonly kind: PlotKind;
  readonly shown: (typeof SHOWN)[number];
  /** The fitted curve selected for each routine; `law` if none was selected. */
  readonly lines: { readonly [routine: number]: DrawnLine };
  readonly xLog: boolean;
  readonly yLog: boolean;
  /** The visible sizes; undefined for all. */
  readonly zoom: readonly [from: number, to: number] | undefined;
  readonly guess: number;
  readonly guessLog: number;
  /** Sizes are grouped by powers of this base; 0 for no grouping. */
  readonly bucket: (typeof BUCKETS)[number];
  readonly smooth: boolean;
  readonly table: boolean;
}

/** The points of this run and of the base. The rows are the sizes that occur in either. */
export interface CurvePoints {
  readonly now: Curve;
  /** Empty if there is no base, or if the base lacks the routine or context. */
  readonly before: Curve;
  readonly sizes: PairedSizes;
  readonly compared: boolean;
}

const pointsOf = memo(
  (
    analysis: Analysis<'inputs'>,
    base: Analysis | undefined,
    focus: number,
    context: number,
    bucket: number,
  ): CurvePoints | undefined => {
    if (focus < 0) return undefined;
    const now = plottedCurve(analysis, focus, context, bucket);
    const then = base && isOfKind(base, 'inputs') ? base : undefined;
    const before = then ? baseCurve(analysis, then, focus, context, bucket) : NO_POINTS;
    return { now, before, sizes: pairSizes(now, before), compared: then !== undefined };
  },
  4,
);

/** The points of the same routine and context in the base. */
function baseCurve(
  analysis: Analysis<'inputs'>,
  base: Analysis<'inputs'>,
  focus: number,
  context: number,
  bucket: number,
): Curve {
  const baseContext = context < 0 ? -1 : pairedContexts(analysis, base).before[context];
  return context >= 0 && baseContext < 0 ? NO_POINTS : plottedCurve(base, focus, baseContext, bucket);
}

export const costs = memo((curve: Curve, measure: CostKind) => costsOf(curve, measure), 16);
export const deviations = memo((curve: Curve) => variances(curve).map(Math.sqrt), 4);
const callsIn = memo((curve: Curve) => (curve.calls ? curve.calls.reduce((a, b) => a + b, 0) : 0), 2);
export const fitOf = memo((curve: Curve, measure: CostKind): Fit | undefined => fitCurve(curve.size, costs(curve, measure)), 8);
const robustOf = memo((curve: Curve, measure: CostKind) => robustFit(curve.size, costs(curve, measure)), 4);
export const contextsOf = memo((analysis: Analysis<'inputs'>, routine: number): number[] => {
  if (routine < 0 || !analysis.profile.contexts) return [];
  const cost = costsOfContexts(analysis).inclusive[0];
  return Array.from(contextsOfRoutine(analysis, routine)).sort((a, b) => cost[b] - cost[a]);
}, 4);

export const pointsIn = (state: Pick<CurveState, 'context' | 'bucket'>, c: ViewContext<'inputs'>): CurvePoints | undefined =>
  pointsOf(c.analysis, c.base, c.focus, state.context, state.bucket);

export const measureOf = (state: CurveState): CostKind => (state.shown === 'all' ? 'worst' : state.shown);

/** The fitted curve that is selected for the routine in focus. */
export const chosenLine = (state: Pick<CurveState, 'lines' | 'placedFocus'>): DrawnLine =>
  state.lines[state.placedFocus] ?? 'law';

/** The fitted function and its name; undefined if none is drawn. */
export const drawnLine = (state: CurveState, curve: Curve) =>
  state.kind === 'cost' ? lineOf(curve, chosenLine(state), measureOf(state)) : undefined;

const withName = <Name, Of extends object>(name: Name, law: Of | undefined) => law && { ...law, name };

const lineOf = memo(
  (curve: Curve, which: DrawnLine, measure: CostKind): { name: string; of: (n: number) => number } | undefined => {
    if (which === 'off') return undefined;
    const fit = fitOf(curve, measure);
    if (!fit) return undefined;
    if (which === 'power') {
      const { power } = fit;
      return power
        ? {
            name: `n^${power.slope.toFixed(2)} (r² ${power.r2.toFixed(4)} of logarithms)`,
            of: (n) => power.factor * n ** power.slope,
          }
        : undefined;
    }
    if (which === 'robust') {
      const robust = robustOf(curve, measure);
      if (!robust) return undefined;
      const { label, of } = growthClassOf(robust.best);
      return { name: `robust ${label}`, of: (n) => robust.a + robust.b * of(n) };
    }
    const law = which === 'law' ? fit.law && { ...fit.law, r2: fit.r2 } : withName(which, fit.fits[which]);
    if (!law) return undefined;
    const of = growthFunction(law);
    const r2 = Number.isNaN(law.r2) || law.name === 'constant' ? '' : ` (r² ${law.r2.toFixed(4)})`;
    return { name: `${growthText(law)}${r2}`, of: (n) => law.a + law.b * of(n) };
  },
  8,
);

type ShownCost = CurveState['shown'];

/** The plotted values by point; the worst costs if all three are shown. */
export const valuesOf = memo(
  (curve: Curve, kind: PlotKind, measure: CostKind, guess: number, guessLog: number): Float64Array =>
    kind === 'cost' ? costs(curve, measure) : plotValues(curve, kind, guessOf(guess, guessLog)),
  8,
);

const smoothIf = (values: Float64Array, smooth: boolean) => (smooth ? movingAverage(values, SMOOTH) : values);

/** The points as series. withLines() adds the fitted curve, which needs the axes. */
export const seriesOf = memo(
  (curve: Curve, kind: PlotKind, shown: ShownCost, smooth: boolean, guess: number, guessLog: number): StyledSeries[] => {
    const mark = '•';
    const dots = curve.size.length > MANY;
    if (kind !== 'cost') {
      const y = smoothIf(valuesOf(curve, kind, 'worst', guess, guessLog), smooth);
      return [{ name: PLOT_TITLES[kind], x: curve.size, y, style: 'plain', mark, dots }];
    }
    const seriesOfCost = (measure: CostKind, style: Style, sign: string): StyledSeries => ({
      name: measure,
      x: curve.size,
      y: smoothIf(costs(curve, measure), smooth),
      style,
      mark: sign,
      dots: false,
    });
    if (shown === 'all') {
      const marks = ['▴', '●', '▾'];
      return [
        seriesOfCost('worst', 'hot', marks[0]),
        seriesOfCost('average', 'plain', marks[1]),
        seriesOfCost('best', 'accent', marks[2]),
      ];
    }
    const { calls } = curve;
    const all = callsIn(curve);
    return [
      { ...seriesOfCost(shown, 'plain', mark), dots, ...(calls ? { styles: (i: number) => heatStyle(calls[i] / all) } : {}) },
    ];
  },
  4,
);

/** The points of the base, drawn below those of this run. */
export const baseSeries = memo(
  (
    { before: { size }, before }: CurvePoints,
    kind: PlotKind,
    measure: CostKind,
    smooth: boolean,
    guess: number,
    guessLog: number,
  ): StyledSeries => {
    const y = smoothIf(valuesOf(before, kind, measure, guess, guessLog), smooth);
    return { name: 'before', x: size, y, style: 'dim', mark: '○', dots: false };
  },
  4,
);

export const axesOf = memo(
  (
    series: readonly StyledSeries[],
    before: StyledSeries,
    { sizes: { size } }: CurvePoints,
    zoom: CurveState['zoom'],
    xLog: boolean,
    yLog: boolean,
  ): Axes => {
    const x = zoom ?? rangeOf([size], xLog);
    const y = [...series, before].map((s) =>
      zoom ? Float64Array.from(s.y, (v, i) => (s.x[i] >= x[0] && s.x[i] <= x[1] ? v : Number.NaN)) : s.y,
    );
    const from = xLog ? Math.max(x[0], 0.5) : x[0];
    return { x: [from, Math.max(x[1], from + 1e-9)], y: rangeOf(y, yLog), xLog, yLog };
  },
  4,
);

type FittedLine = ((n: number) => number) | undefined;

/** All series in drawing order: points and curve of this run, then those of the base. */
export const withLines = memo(
  (
    series: readonly StyledSeries[],
    before: StyledSeries,
    line: FittedLine,
    lineBefore: FittedLine,
    axes: Axes,
    width: number,
  ): readonly StyledSeries[] => [
    ...series,
    ...(line ? [{ ...lineSeries(line, axes, width * 2), style: 'accent' as const, mark: '.', dots: true }] : []),
    ...(before.x.length > 0 ? [before] : []),
    // A mark in every second cell.
    ...(lineBefore ? [{ ...lineSeries(lineBefore, axes, width >> 1), style: 'dim' as const, mark: '·', dots: false }] : []),
  ],
);

function lineSeries(of: (n: number) => number, axes: Axes, n: number): Pick<StyledSeries, 'name' | 'x' | 'y'> {
  const [from, to] = axes.x;
  const x = Float64Array.from({ length: n }, (_, i) =>
    axes.xLog ? from * (to / from) ** ((i + 0.5) / n) : from + ((to - from) * (i + 0.5)) / n,
  );
  return { name: 'line', x, y: x.map(of) };
}
