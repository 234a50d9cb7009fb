// The growth of cost with input size: the law of a curve (choice.ts), and least-squares fits of each class:
// cost = a + b f(n), and cost = c n^e on logarithms. Sums are centred (simple-statistics), so n^3 of large sizes stays exact.
import { mean, sampleCorrelation, sampleCovariance, sampleVariance, sum } from 'simple-statistics';
import { medianOf } from '../../base/median.ts';
import { type Candidate, chooseLaw, growthValues, isOutlier, pointsUpTo } from './choice.ts';
import { type ClassName, GROWTH_CLASSES, growthFunction, type Law, type LawName, lawLabel, tenfoldFactor } from './classes.ts';
import { type Points, theilSenLine } from './robust.ts';

/** cost = a + b f(n); r2 = 1 - SSE/SST. */
export type ClassFit = Readonly<Record<'a' | 'b' | 'r2', number>>;

export interface LawFit {
  readonly points: number;
  /** `power` is n^exponent; `none` if costs vary too much for any law. */
  readonly best: LawName | 'none';
  readonly exponent?: number;
  /** The points do not settle the class. */
  readonly undecided: boolean;
  /** The best law as a function; its coefficients are those of a fit that outliers do not move. */
  readonly law: Law | undefined;
  /** The fit of the law, over points that are no outliers; NaN for a constant. */
  readonly r2: number;
  readonly outliers: number;
  /** The slope of the cost's logarithm over the size's, by least squares; NaN where costs or sizes are 0. */
  readonly slope: number;
  /** The laws that still fit, the best one too. */
  readonly fitting: readonly Law[];
  /** The best of the other laws. */
  readonly next: Law | undefined;
  /** The factor between the costs of the largest sizes and the law of the smaller ones; undefined if they follow it. */
  readonly tail: number | undefined;
}

export type CurveFit = NonNullable<ReturnType<typeof fitCurve>>;

/** With fewer distinct sizes than this, no law is fitted. */
export const MIN_POINTS = 5;
/** Medians are over all pairs of points; of more points than this, an even sample is used. */
const MAX_ROBUST_POINTS = 200;
/** The floor of expected costs, as a share of the median cost. */
const FLOOR_PER_MEDIAN = 0.02;

function leastSquaresLine(xs: number[], ys: number[]): ClassFit | undefined {
  const variance = sampleVariance(xs);
  if (!(variance > 0)) return undefined;
  const b = sampleCovariance(xs, ys) / variance;
  const r = sampleCorrelation(xs, ys);
  return Number.isFinite(b) && Number.isFinite(r) ? { a: mean(ys) - b * mean(xs), b, r2: r * r } : undefined;
}

/** The points of a curve whose cost is known; undefined below five sizes. */
export function knownPoints(sizes: ArrayLike<number>, costs: ArrayLike<number>): Points | undefined {
  const isKnown = (_: number, i: number) => Number.isFinite(costs[i]);
  const [size, cost] = [sizes, costs].map((column) => Float64Array.from(column).filter(isKnown));
  return size.length < MIN_POINTS ? undefined : { size, cost, floor: FLOOR_PER_MEDIAN * medianOf(cost.map(Math.abs)) || 1 };
}

/** The law of a curve, without the fits that only machines read. Sizes ascend and differ; undefined below five sizes. */
export function fitLaw(sizes: ArrayLike<number>, costs: ArrayLike<number>): LawFit | undefined {
  const points = knownPoints(sizes, costs);
  if (!points) return undefined;
  const n = points.size.length;
  if (points.cost.every((y) => y === points.cost[0])) {
    const law: Law = { name: 'constant', a: points.cost[0], b: 0 };
    const settled = { best: 'constant', undecided: false, law, fitting: [law], next: undefined, tail: undefined } as const;
    return { points: n, ...settled, r2: Number.NaN, outliers: 0, slope: 0 };
  }
  const { best, next, undecided, fitting, tail } = chooseLaw(points);
  const quality = best ? goodnessOfFit(best, tail ? pointsUpTo(points, tail.after) : points) : { r2: Number.NaN, outliers: 0 };
  const chosen = { best: best?.name ?? 'none', undecided, law: best, fitting, next, tail: tail?.times } as const;
  const law = { points: n, ...chosen, ...quality, slope: logLogSlope(points) };
  return best?.exponent === undefined ? law : { ...law, exponent: best.exponent };
}

/**
 * The law of a curve, and plain least-squares fits. Sizes must ascend and differ; points with NaN costs are skipped. undefined below five sizes.
 * `margin`: the lead of the greatest r² of a class over the second; null without a second one. `power`: cost = factor n^slope, over the points
 * where both are above 0.
 */
export function fitCurve(sizes: ArrayLike<number>, costs: ArrayLike<number>) {
  const law = fitLaw(sizes, costs);
  const points = law && knownPoints(sizes, costs);
  if (!law || !points) return undefined;
  const [ns, ys] = [Array.from(points.size), Array.from(points.cost)];
  const power = leastSquaresPower(ns, ys);
  if (ys.every((y) => y === ys[0]))
    return { ...law, fits: { constant: { a: ys[0], b: 0, r2: 1 } }, runnerUp: null, margin: null, power };
  const fits: { [C in ClassName]?: ClassFit } = { constant: { a: sum(ys) / ys.length, b: 0, r2: 0 } };
  const rising: number[] = [];
  for (const c of GROWTH_CLASSES) {
    const fit = leastSquaresLine(ns.map(c.of), ys);
    if (!fit) continue;
    fits[c.name] = fit;
    if (fit.b > 0) rising.push(fit.r2);
  }
  rising.sort((a, b) => b - a);
  const margin = rising.length > 1 ? rising[0] - rising[1] : null;
  return { ...law, fits, runnerUp: law.next?.name ?? null, margin, power };
}

/** r² of a law over points that are not outliers, and the number of outliers. A constant has no r². */
function goodnessOfFit(law: Candidate, { size, cost, floor }: Points): { r2: number; outliers: number } {
  const left = growthValues(growthFunction(law), size);
  let n = 0;
  let sum = 0;
  for (let i = 0; i < size.length; i++) {
    const expected = law.a + law.b * left[i];
    const error = cost[i] - expected;
    const outlier = isOutlier(cost[i], expected, law, floor);
    left[i] = outlier ? Number.NaN : error;
    if (outlier) continue;
    n++;
    sum += cost[i];
  }
  let [errors, whole] = [0, 0];
  for (let i = 0; i < size.length; i++) {
    if (Number.isNaN(left[i])) continue;
    errors += left[i] ** 2;
    whole += (cost[i] - sum / n) ** 2;
  }
  const r2 = law.name === 'constant' || !(whole > 0) ? Number.NaN : Math.max(0, 1 - errors / whole);
  return { r2, outliers: size.length - n };
}

function logLogSlope({ size, cost }: Points): number {
  let [n, sumX, sumY, xx, xy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < size.length; i++) {
    if (!(size[i] > 0 && cost[i] > 0)) continue;
    const x = Math.log(size[i]);
    const y = Math.log(cost[i]);
    n++;
    sumX += x;
    sumY += y;
    xx += x * x;
    xy += x * y;
  }
  const spread = xx - (sumX * sumX) / n;
  return spread > 1e-12 * xx ? (xy - (sumX * sumY) / n) / spread : Number.NaN;
}

function leastSquaresPower(ns: readonly number[], ys: readonly number[]) {
  const use = ns.map((_, i) => i).filter((i) => ns[i] > 0 && ys[i] > 0);
  if (use.length < 2) return null;
  const logarithms = (all: readonly number[]) => use.map((i) => Math.log(all[i]));
  const fit = leastSquaresLine(logarithms(ns), logarithms(ys));
  return fit ? { factor: Math.exp(fit.a), slope: fit.b, r2: fit.r2 } : null;
}

/** The class whose Theil-Sen line leaves the smallest median residual; points with NaN costs are skipped. */
export function robustFit(sizes: ArrayLike<number>, costs: ArrayLike<number>) {
  const known = Array.from({ length: sizes.length }, (_, i) => i).filter((i) => !Number.isNaN(costs[i]));
  if (known.length < MIN_POINTS) return undefined;
  const step = Math.max(1, known.length / MAX_ROBUST_POINTS);
  const use = Array.from({ length: Math.min(known.length, MAX_ROBUST_POINTS) }, (_, k) => known[Math.floor(k * step)]);
  const y = Float64Array.from(use, (i) => costs[i]);
  const middle = medianOf(y);
  const medianResidual = (a: number, b: number, f: (n: number) => number) =>
    medianOf(use.map((i, k) => Math.abs(y[k] - a - b * f(sizes[i]))));
  let best: { readonly best: ClassName; readonly a: number; readonly b: number } = { best: 'constant', a: middle, b: 0 };
  let rest = medianResidual(middle, 0, () => 0);
  for (const c of GROWTH_CLASSES) {
    const x = Float64Array.from(use, (i) => c.of(sizes[i]));
    if (new Set(x).size < 2) continue;
    const { a, b } = theilSenLine(x, y, x.length, true);
    if (!(b > 0) || !Number.isFinite(a)) continue;
    const mine = medianResidual(a, b, c.of);
    if (mine >= rest) continue;
    best = { best: c.name, a, b };
    rest = mine;
  }
  return best;
}

/** An undecided law that explains less of the variance of the costs is not named. */
const MIN_NAMED_R2 = 0.5;

/** Whether the law explains so little of the costs that nothing follows from it. */
export const isUnclear = (fit: LawFit | undefined): boolean =>
  fit?.undecided === true && fit.best !== 'constant' && fit.r2 < MIN_NAMED_R2;

/** How the law is written: `n²`, `n log n ?` if the points do not settle it, `unclear` if it explains little, `none` if no law fits. */
export function lawText(fit: LawFit | undefined): string {
  if (!fit) return '';
  if (isUnclear(fit)) return 'unclear';
  return fit.law ? lawLabel(fit.law) + (fit.undecided ? ' ?' : '') : 'none';
}

/** Labels of the other laws that still fit. */
export function otherLaws({ fitting, law }: LawFit): string[] {
  const labels = new Set(fitting.map(lawLabel));
  if (law) labels.delete(lawLabel(law));
  return Array.from(labels);
}

/** The doubt about the law: the largest sizes, other laws, or how much the costs scatter. */
export function doubtText(fit: LawFit): string {
  if (fit.tail !== undefined) return `the largest sizes cost ${fit.tail.toPrecision(2)}× the law`;
  const others = otherLaws(fit);
  return others.length > 0 ? `${others.join(', ')} would fit, too` : 'the costs scatter';
}

/**
 * The growth factor for ten times the largest input, by the slowest-growing law that still fits (a lower bound). Undefined
 * without a law.
 */
export function tenfoldGrowth(fit: LawFit | undefined, largest: number): number | undefined {
  const factors = (fit?.fitting ?? []).map((law) => tenfoldFactor(law, largest)).filter((f) => f !== undefined);
  return factors.length > 0 ? Math.min(...factors) : undefined;
}
