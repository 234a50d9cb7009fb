// The plots of a curve: costs of single calls, and values derived from them, point by point.

import type { Analysis } from '../answers/analysis.ts';
import { type Curve, curveOfContext, curveOfRoutine, mapColumns, mergeFunction } from '../answers/inputs/points.ts';
import { log2OrZero } from './classes.ts';
import { callVariances, costsOf } from './laws.ts';

export const PLOT_KINDS = ['cost', 'frequency', 'variance', 'total', 'amortized', 'ratio'] as const;
export type PlotKind = (typeof PLOT_KINDS)[number];

/** The subject of each plot, for its title. */
export const PLOT_TITLES: Record<PlotKind, string> = {
  cost: 'cost of a call',
  frequency: 'calls',
  variance: 'variance of the cost',
  total: 'cost of all calls of a size',
  amortized: 'average cost of all calls up to a size',
  ratio: 'cost divided by a guess',
};

/** Guesses for the ratio plot: where it stays level, the guess is the law. */
export const GROWTH_GUESSES = [
  { name: 'n', of: (n: number) => n },
  { name: 'n log log n', of: (n: number) => n * log2OrZero(log2OrZero(n)) },
  { name: 'n log n', of: (n: number) => n * log2OrZero(n) },
  { name: 'n^1.5', of: (n: number) => n ** 1.5 },
  { name: 'n^2', of: (n: number) => n ** 2 },
  { name: 'n^2.5', of: (n: number) => n ** 2.5 },
  { name: 'n^3', of: (n: number) => n ** 3 },
] as const;

/** Times the logarithm, divided by it, or neither. */
const LOG_FACTORS = ['', ' · log n', ' / log n'] as const;

export function growthGuess(guess: number, log: number): { name: string; of: (n: number) => number } {
  const { name, of } = GROWTH_GUESSES[guess];
  const timesLog = (n: number) => (log === 1 ? of(n) * log2OrZero(n) : log === 2 ? of(n) / log2OrZero(n) : of(n));
  return { name: name + LOG_FACTORS[log], of: timesLog };
}

/** The y values of any plot other than `cost`, by point; NaN if unknown. */
export function plotValues(curve: Curve, kind: Exclude<PlotKind, 'cost'>, guess: { of: (n: number) => number }): Float64Array {
  const n = curve.size.length;
  const none = () => new Float64Array(n).fill(Number.NaN);
  if (kind === 'frequency') return curve.calls ?? none();
  if (kind === 'total') return curve.sum ?? none();
  if (kind === 'variance') return callVariances(curve);
  if (kind === 'ratio') {
    const worst = costsOf(curve, 'worst');
    return Float64Array.from(curve.size, (size, i) => {
      const f = guess.of(size);
      return f > 0 && Number.isFinite(f) ? worst[i] / f : Number.NaN;
    });
  }
  let cost = 0;
  let calls = 0;
  return Float64Array.from(curve.size, (_, i) => {
    cost += curve.sum?.[i] ?? Number.NaN;
    calls += curve.calls?.[i] ?? Number.NaN;
    return calls > 0 ? cost / calls : Number.NaN;
  });
}

/** The curve of a routine or a context; sizes in buckets from base^k up to base^(k + 1) where a base is given. */
export function plottedCurve(analysis: Analysis<'inputs'>, routine: number, context: number, base: number): Curve {
  const curve = context >= 0 ? curveOfContext(analysis, context) : curveOfRoutine(analysis, routine);
  return base > 1 ? bucketCurve(curve, base) : curve;
}

function bucketCurve(curve: Curve, base: number): Curve {
  // Logarithms of exact powers come out a hair too small: 2^29 belongs in its own bucket.
  const bucket = (n: number) => (n < 1 ? 0 : base ** Math.floor(Math.log(n) / Math.log(base) + 1e-9));
  const of = Float64Array.from(curve.size, bucket);
  const from = Array.from(of.keys()).filter((i) => i === 0 || of[i] !== of[i - 1]);
  const columns = mapColumns(curve, (column, field) => {
    const merge = mergeFunction(field);
    return Float64Array.from(from, (start, g) => column.subarray(start, from[g + 1]).reduce((a, b) => merge(a, b)));
  });
  return { size: Float64Array.from(from, (i) => of[i]), beyond: new Map(), ...columns };
}

/** Moving average over `reach` points to each side. */
export function movingAverage(values: ArrayLike<number>, reach: number): Float64Array {
  return Float64Array.from(values, (_, i) => {
    let sum = 0;
    let n = 0;
    for (let k = Math.max(0, i - reach); k <= Math.min(values.length - 1, i + reach); k++) {
      if (Number.isNaN(values[k])) continue;
      sum += values[k];
      n++;
    }
    return n > 0 ? sum / n : Number.NaN;
  });
}
