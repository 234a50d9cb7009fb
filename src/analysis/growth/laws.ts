// Evaluates all points of a routine: how its cost grows and varies, and whether its sizes reflect its input.
import { memo } from '../../base/lists.ts';
import { formatCount } from '../../base/units.ts';
import type { Analysis } from '../answers/analysis.ts';
import { type Curve, curveOfRoutine, pointsByRoutine } from '../answers/inputs/points.ts';
import { once } from '../answers/once.ts';
import { orderByNumber } from '../answers/order.ts';
import { routineName } from '../names/names.ts';
import { degreeOf, growthText } from './classes.ts';
import { doubtText, fitLaw, isUnclear, type LawFit, MIN_POINTS, otherLaws, tenfoldGrowth } from './fit.ts';
import { type Prediction, predict } from './predict.ts';

/** Which cost of a point: that of the worst, average or best call, or the worst self cost. */
export type CostKind = keyof typeof COST_GETTERS;

const COST_GETTERS = {
  worst: (curve: Curve) => curve.max ?? averageCosts(curve),
  average: averageCosts,
  best: (curve: Curve) => curve.min,
  self: (curve: Curve) => curve.selfMax,
} as const;

/** The costs of a curve by point; NaN if the report does not record them. */
export const costsOf = (curve: Curve, measure: CostKind): Float64Array =>
  COST_GETTERS[measure](curve) ?? new Float64Array(curve.size.length).fill(Number.NaN);

function averageCosts({ sum, calls }: Curve): Float64Array | undefined {
  // 0 calls have no average.
  return sum && calls && sum.map((s, i) => (calls[i] > 0 ? s / calls[i] : Number.NaN));
}

/** Variance of a call's cost by point: mean of squares minus squared mean. NaN if unknown, or if the sum of squares wrapped. */
export function callVariances(curve: Curve): Float64Array {
  const { sum, calls, sumSquares } = curve;
  return Float64Array.from(curve.size, (_, i) => {
    if (!sum || !calls || !sumSquares || !(calls[i] > 0)) return Number.NaN;
    const mean = sum[i] / calls[i];
    const variance = sumSquares[i] / calls[i] - mean * mean;
    // A single call has no variance; slightly negative values are rounding errors.
    return variance < -1e-9 * mean * mean ? Number.NaN : Math.max(0, variance);
  });
}

export interface RoutineLaw extends Readonly<Record<'routine' | 'sizes' | 'calls' | 'largest', number>> {
  /** The share of all input that came from system calls and other threads; NaN where it is not recorded. */
  readonly external: number;
  /** Over all points; NaN if the report does not record it. */
  readonly worst: number;
  readonly average: number;
  readonly best: number;
  /** Standard deviation of a call's cost over all calls; NaN where squares are unknown or wrapped. */
  readonly deviation: number;
  /** The law of the worst cost. */
  readonly fit: LawFit | undefined;
  /** Factor of the cost for ten times the largest input, by the lowest law that fits; undefined without a law. */
  readonly tenfold: number | undefined;
  /**
   * Inclusive cost times the tenfold factor, which ranks expensive routines that grow fast first; an unclear law counts as no growth.
   * Routines with too few sizes for a law have a negative score: they come last, by cost.
   */
  readonly score: number;
  /** Few sizes, many calls of different costs: the input comes from somewhere the metric does not see. */
  readonly hidden: boolean;
  /** Worst cost by size in eight steps: heights from 0 to 7, -1 for steps without a size. */
  readonly spark: readonly number[];
}

/** The predicted worst cost of a routine for a size, as a sentence; with a base, also the base's prediction. */
export function predictText(analysis: Analysis<'inputs'>, routine: number, sizeText: string, base?: Analysis<'inputs'>): string {
  const size = Number(sizeText);
  if (!(size >= 0) || sizeText.trim() === '') return 'a size must be a number, 0 or more';
  if (routine < 0) return 'no routine is in focus';
  const name = routineName(analysis.profile, routine);
  const prediction = predictRoutine(analysis, routine, size);
  const basePrediction = base && predictRoutine(base, routine, size);
  const before = basePrediction ? `; before ${basePredictionText(basePrediction.predicted)}` : '';
  if (!prediction) return `no law fits ${name}, so there is no prediction${before}`;
  const { size: sizes } = prediction.curve;
  const beyond = size > sizes[sizes.length - 1] || size < sizes[0] ? ', outside the measured range' : '';
  return `${name} ${predictionText(prediction.fit, prediction.predicted, size)}${beyond}${before}`;
}

const basePredictionText = ({ cost, law, measured }: Prediction) =>
  measured ? formatCount(Math.round(cost)) : `≈${formatCount(Math.round(cost))} by ${growthText(law)}`;

function predictRoutine(analysis: Analysis<'inputs'>, routine: number, size: number) {
  const curve = curveOfRoutine(analysis, routine);
  const costs = costsOf(curve, 'worst');
  const fit = fitLaw(curve.size, costs);
  const predicted = fit && predict(fit, curve.size, costs, size);
  return predicted && { curve, fit, predicted };
}

/** A prediction with the law that it assumes: `at 1,000: ≈5,000 (95 %: 4,000 to 6,000) if it grows as n²`. */
export function predictionText(fit: LawFit, predicted: Prediction, size: number): string {
  const round = (v: number) => formatCount(Math.round(v));
  const { cost, low, high, law, measured } = predicted;
  if (measured) return `at ${formatCount(size)}: ${round(cost)}, as measured`;
  const also = fit.undecided && (fit.tail !== undefined || otherLaws(fit).length > 0) ? `; ${doubtText(fit)}` : '';
  const grows = law.name === 'constant' ? 'it stays constant' : `it grows as ${growthText(law)}`;
  return `at ${formatCount(size)}: ≈${round(cost)} (95 %: ${round(low)} to ${round(high)}) if ${grows}${also}`;
}

/** The share of the input of some points that came from system calls and other threads; NaN if one of them does not record it. */
export function externalShare({ size, calls, syscall, thread }: Curve, points: readonly number[]): number {
  let [external, all] = [0, 0];
  for (const i of points) {
    external += (syscall?.[i] ?? Number.NaN) + (thread?.[i] ?? Number.NaN);
    all += size[i] * (calls?.[i] ?? Number.NaN);
  }
  return all > 0 ? external / all : Number.NaN;
}

const SPARK_STEPS = 8;
/** Calls whose mean is at most this multiple of the cheapest one cost the same. */
const EQUAL_FACTOR = 1.1;

/** The number of routines, costliest first, that are ranked by their laws. Other laws are fitted when shown. */
const MAX_RANKED_ROUTINES = 5000;

/** One entry per routine that has points, by routine number. */
export const routineLaws = memo((analysis: Analysis<'inputs'>): RoutineLaw[] => {
  const { from } = pointsByRoutine(analysis);
  const { inclusive } = analysis.totals;
  const routines = Array.from({ length: from.length - 1 }, (_, r) => r).filter((r) => from[r + 1] > from[r]);
  const fitted = Uint32Array.from(routines.filter((r) => from[r + 1] - from[r] >= MIN_POINTS));
  const ranked = new Set(
    fitted.length > MAX_RANKED_ROUTINES ? orderByNumber(inclusive[0], true, fitted).subarray(0, MAX_RANKED_ROUTINES) : fitted,
  );
  return routines.map((r) => buildRoutineLaw(analysis, r, ranked.has(r)));
}, 4);

/** The laws by routine number. Routines have the same number in both runs. */
export const lawsByRoutine = memo((analysis: Analysis<'inputs'>) => new Map(routineLaws(analysis).map((l) => [l.routine, l])));

function buildRoutineLaw(analysis: Analysis<'inputs'>, routine: number, ranked: boolean): RoutineLaw {
  const curve = curveOfRoutine(analysis, routine);
  const inclusive = analysis.totals.inclusive[0][routine];
  const n = curve.size.length;
  const worstCosts = costsOf(curve, 'worst');
  const total = (column: Float64Array | undefined) => (column ? column.reduce((a, b) => a + (b || 0), 0) : Number.NaN);
  const calls = total(curve.calls);
  const average = calls > 0 ? total(curve.sum) / calls : Number.NaN;
  const spread = total(curve.sumSquares) / calls - average * average;
  const worst = worstCosts.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a), Number.NaN);
  const bestCosts = costsOf(curve, 'best');
  const best = bestCosts.reduce((a, b) => (b < a || Number.isNaN(a) ? b : a), Number.NaN);
  // One expensive call among equal ones, such as the first, is no sign of input: the others must differ, too.
  const isOnlyOne = (i: number) =>
    curve.sum && curve.calls && (curve.sum[i] - worstCosts[i]) / (curve.calls[i] - 1) <= EQUAL_FACTOR * bestCosts[i];
  const differs = worstCosts.some((cost, i) => cost > 2 * bestCosts[i] && !isOnlyOne(i));
  const largest = curve.size[n - 1];
  const fits = n >= MIN_POINTS && worstCosts.reduce((known, y) => known + (Number.isFinite(y) ? 1 : 0), 0) >= MIN_POINTS;
  const now = fits && ranked ? fitLaw(curve.size, worstCosts) : undefined;
  const factor = tenfoldGrowth(now, largest);
  const law: RoutineLaw = {
    routine,
    sizes: n,
    calls,
    external: externalShare(curve, [...curve.size.keys()]),
    largest,
    worst,
    average,
    best,
    deviation: spread < -1e-9 * average * average ? Number.NaN : Math.sqrt(Math.max(0, spread)),
    fit: now,
    tenfold: factor,
    score: fits ? inclusive * ((isUnclear(now) ? undefined : factor) ?? 1) : -1 / (1 + Math.max(0, inclusive)),
    hidden: analysis.profile.inputs.misses !== undefined && n <= 3 && calls >= 20 && differs,
    spark: sparkHeights(curve.size, worstCosts),
  };
  return fits && !ranked ? withLazyLaw(law, analysis) : law;
}

/** The routine's law, fitted on first use. The curve is not kept, because there may be a million. */
function withLazyLaw(law: RoutineLaw, analysis: Analysis<'inputs'>): RoutineLaw {
  const fit = once(() => {
    const curve = curveOfRoutine(analysis, law.routine);
    return fitLaw(curve.size, costsOf(curve, 'worst'));
  });
  return {
    ...law,
    get fit() {
      return fit();
    },
    get tenfold() {
      return tenfoldGrowth(fit(), law.largest);
    },
  };
}

function sparkHeights(sizes: Float64Array, costs: Float64Array): number[] {
  const n = sizes.length;
  const out = Array<number>(SPARK_STEPS).fill(-1);
  const low = sizes[0];
  const range = sizes[n - 1] - low;
  const most = costs.reduce((a, b) => (b > a ? b : a), 0);
  for (let i = 0; i < n; i++) {
    if (Number.isNaN(costs[i])) continue;
    const cell = range > 0 ? Math.min(SPARK_STEPS - 1, Math.floor(((sizes[i] - low) / range) * SPARK_STEPS)) : 0;
    out[cell] = Math.max(out[cell], most > 0 ? Math.round((costs[i] / most) * 7) : 0);
  }
  return out;
}

/** Exponents of power laws that differ by less count as equal. */
const SAME_EXPONENT_GAP = 0.25;

const stillFits = ({ law }: LawFit, other: LawFit): boolean =>
  other.fitting.some((l) => l.name === law?.name && Math.abs((l.exponent ?? 0) - (law.exponent ?? 0)) < SAME_EXPONENT_GAP);

/** A law changed if neither run's law fits the other run's points. Undefined if one of the runs has no law. */
export function lawChange(now: LawFit | undefined, before: LawFit | undefined): 'worse' | 'better' | 'same' | undefined {
  if (!now?.law || !before?.law) return undefined;
  if (stillFits(now, before) || stillFits(before, now)) return 'same';
  return degreeOf(now.law) > degreeOf(before.law) ? 'worse' : 'better';
}

/** The change in the degree of growth; 0 for the same law, NaN without two laws to compare. */
export function degreeChange(now: LawFit | undefined, before: LawFit | undefined): number {
  const change = lawChange(now, before);
  if (change === undefined || !now?.law || !before?.law) return Number.NaN;
  return change === 'same' ? 0 : degreeOf(now.law) - degreeOf(before.law);
}
