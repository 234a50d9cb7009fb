// What the Curve view draws: points, the line over them, the axes. Memoized, so that moving the cursor recomputes nothing.
import { type Analysis, isOfKind } from '../analysis/analysis.ts';
import { CLASSES, classOf, labelOf, shapeOf } from '../analysis/inputs/classes.ts';
import { type Fit, fitCurve, robustFit } from '../analysis/inputs/fit.ts';
import { costsOf, type Measure, sameRoutine, variances } from '../analysis/inputs/laws.ts';
import { guessOf, PLOT_TITLES, type PlotKind, plottedCurve, plotValues, smoothed } from '../analysis/inputs/plots.ts';
import { type Curve, costsOfContexts, curveOfRoutine } from '../analysis/inputs/points.ts';
import { memo } from '../base/memo.ts';
import { type Axes, rangeOf } from '../base/plot.ts';
import { heat, type Style } from '../base/style.ts';
import type { List } from './parts/list.ts';
import type { Series } from './parts/plot.ts';
import type { ViewContext } from './view.ts';

export const SHOWN = ['worst', 'all', 'average', 'best', 'self'] as const;
/** Lines over the points. */
export const LINES = ['law', 'robust', 'power', ...CLASSES.map((c) => c.name), 'off'] as const;
export const BUCKETS = [0, 2, 10] as const;
export const SMOOTH = 3;
/** Up to this many points are drawn as marks that stand out from the line; more as dots. */
const MANY = 400;

type DrawnLine = (typeof LINES)[number];

export interface CurveState {
  /** Its rows are the points. */
  readonly list: List;
  readonly placed: number;
  /** Row of the contexts table whose points are shown; -1 for the whole routine. */
  readonly context: number;
  readonly kind: PlotKind;
  readonly shown: (typeof SHOWN)[number];
  /** The line chosen for each routine; `law` for the others. */
  readonly lines: { readonly [routine: number]: DrawnLine };
  readonly xLog: boolean;
  readonly yLog: boolean;
  /** The visible sizes; undefined for all. */
  readonly zoom: readonly [from: number, to: number] | undefined;
  readonly guess: number;
  readonly guessLog: number;
  readonly base: (typeof BUCKETS)[number];
  readonly smooth: boolean;
  readonly table: boolean;
}

export const curveOf = memo(
  (analysis: Analysis<'inputs'>, focus: number, context: number, base: number): Curve | undefined =>
    focus < 0 ? undefined : plottedCurve(analysis, focus, context, base),
  4,
);
export const costs = memo((curve: Curve, measure: Measure) => costsOf(curve, measure), 8);
export const deviations = memo((curve: Curve) => variances(curve).map(Math.sqrt), 2);
export const callsIn = memo((curve: Curve) => (curve.calls ? curve.calls.reduce((a, b) => a + b, 0) : 0), 2);
export const fitOf = memo((curve: Curve, measure: Measure): Fit | undefined => fitCurve(curve.size, costs(curve, measure)), 8);
const robustOf = memo((curve: Curve, measure: Measure) => robustFit(curve.size, costs(curve, measure)), 4);
export const contextsOf = memo((analysis: Analysis<'inputs'>, routine: number): number[] => {
  const { contexts } = analysis.profile;
  if (!contexts) return [];
  const all = Array.from(contexts.id.keys()).filter(
    (c) => contexts.routine[c] === routine && !analysis.partsOff.has(contexts.part[c]),
  );
  const cost = costsOfContexts(analysis).inclusive[0];
  return all.sort((a, b) => cost[b] - cost[a]);
}, 4);

export function curveIn(state: CurveState, c: ViewContext<'inputs'>): Curve | undefined {
  return curveOf(c.analysis, c.focus, state.context, state.base);
}

/** The costs in the run to compare with, which are drawn under those of this one; undefined where there are none. */
export const beforeOf = memo(
  (
    analysis: Analysis<'inputs'>,
    base: Analysis | undefined,
    routine: number,
    measure: Measure,
    ascii: boolean,
  ): Series | undefined => {
    if (!base || !isOfKind(base, 'inputs')) return undefined;
    const same = sameRoutine(analysis, routine, base);
    if (same < 0) return undefined;
    const old = curveOfRoutine(base, same);
    return { name: 'before', x: old.size, y: costs(old, measure), style: 'dim', mark: ascii ? 'o' : '○', dots: false };
  },
  4,
);

export const measureOf = (state: CurveState): Measure => (state.shown === 'all' ? 'worst' : state.shown);

/** The line over the routine in focus. */
export const chosenLine = (state: Pick<CurveState, 'lines' | 'placed'>): DrawnLine => state.lines[state.placed] ?? 'law';

/** The function drawn over the points, and its name. */
export const drawnLine = (state: CurveState, curve: Curve, ascii: boolean) =>
  state.kind === 'cost' ? lineOf(curve, chosenLine(state), measureOf(state), ascii) : undefined;

const withName = <Name, Of extends object>(name: Name, law: Of | undefined) => law && { ...law, name };

const lineOf = memo(
  (curve: Curve, which: DrawnLine, measure: Measure, ascii: boolean): { name: string; of: (n: number) => number } | undefined => {
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
      const { label, of } = classOf(robust.best);
      return { name: `robust ${label}`, of: (n) => robust.a + robust.b * of(n) };
    }
    const law = which === 'law' ? fit.law && { ...fit.law, r2: fit.r2 } : withName(which, fit.fits[which]);
    if (!law) return undefined;
    const of = shapeOf(law);
    const r2 = Number.isNaN(law.r2) || law.name === 'constant' ? '' : ` (r² ${law.r2.toFixed(4)})`;
    return { name: `${labelOf(law, ascii)}${r2}`, of: (n) => law.a + law.b * of(n) };
  },
  4,
);

type Shown = CurveState['shown'];

/** The points as series; the line is added once the axes are known. */
export const seriesOf = memo(
  (curve: Curve, kind: PlotKind, shown: Shown, smooth: boolean, guess: number, guessLog: number, ascii: boolean): Series[] => {
    const soft = (y: Float64Array) => (smooth ? smoothed(y, SMOOTH) : y);
    const mark = ascii ? '*' : '•';
    const dots = curve.size.length > MANY;
    if (kind !== 'cost') {
      const y = soft(plotValues(curve, kind, guessOf(guess, guessLog)));
      return [{ name: PLOT_TITLES[kind], x: curve.size, y, style: 'plain', mark, dots }];
    }
    const one = (measure: Measure, style: Style, sign: string): Series => ({
      name: measure,
      x: curve.size,
      y: soft(costs(curve, measure)),
      style,
      mark: sign,
      dots: false,
    });
    if (shown === 'all') {
      const marks = ascii ? ['w', 'a', 'b'] : ['▴', '●', '▾'];
      return [one('worst', 'hot', marks[0]), one('average', 'plain', marks[1]), one('best', 'accent', marks[2])];
    }
    const { calls } = curve;
    const all = callsIn(curve);
    return [{ ...one(shown, 'plain', mark), dots, ...(calls ? { styles: (i: number) => heat(calls[i] / all) } : {}) }];
  },
  4,
);

export const axesOf = memo(
  (
    series: readonly Series[],
    before: Series | undefined,
    curve: Curve,
    zoom: CurveState['zoom'],
    xLog: boolean,
    yLog: boolean,
  ): Axes => {
    const all = before ? [...series, before] : series;
    const x = zoom ?? rangeOf(before ? [curve.size, before.x] : [curve.size], xLog);
    const y = all.map((s) =>
      zoom ? Float64Array.from(s.y, (v, i) => (s.x[i] >= x[0] && s.x[i] <= x[1] ? v : Number.NaN)) : s.y,
    );
    const from = xLog ? Math.max(x[0], 0.5) : x[0];
    return { x: [from, Math.max(x[1], from + 1e-9)], y: rangeOf(y, yLog), xLog, yLog };
  },
  4,
);

/** The series with the line over them; memoized. */
export const withLine = memo(
  (
    series: readonly Series[],
    line: ((n: number) => number) | undefined,
    axes: Axes,
    width: number,
    before: Series | undefined,
  ): readonly Series[] => [...series, ...(line ? [lineSeries(line, axes, width)] : []), ...(before ? [before] : [])],
);

function lineSeries(of: (n: number) => number, axes: Axes, width: number): Series {
  const n = width * 2;
  const [from, to] = axes.x;
  const x = Float64Array.from({ length: n }, (_, i) =>
    axes.xLog ? from * (to / from) ** ((i + 0.5) / n) : from + ((to - from) * (i + 0.5)) / n,
  );
  return { name: 'line', x, y: x.map(of), style: 'accent', mark: '.', dots: true };
}
