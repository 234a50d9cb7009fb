// How cost grows with input: least squares of cost = a + b f(n) over the points, for f of each class, and cost = c n^e on
// logarithms. Sums are centred (simple-statistics), so that n^3 of large sizes loses no digits. A robust fit (Theil-Sen: median
// of slopes) complements the plain one, since first calls, slowed by symbol resolution, are outliers.
import { TheilSenRegression } from 'ml-regression-theil-sen';
import { mean, median, sampleCorrelation, sampleCovariance, sampleVariance, sum } from 'simple-statistics';

const log2 = (n: number) => (n > 1 ? Math.log2(n) : 0);

/** The classes in order of growth. For n below 2 the logarithm is taken as 0. */
export const CLASSES = [
  { name: 'logN', label: 'log n', of: log2 },
  { name: 'n', label: 'n', of: (n: number) => n },
  { name: 'nLogN', label: 'n log n', of: (n: number) => n * log2(n) },
  { name: 'n2', label: 'n²', of: (n: number) => n * n },
  { name: 'n3', label: 'n³', of: (n: number) => n * n * n },
] as const;

export type ClassName = 'constant' | (typeof CLASSES)[number]['name'];

/** cost = a + b f(n); r2 = 1 - SSE/SST. */
export interface ClassFit {
  readonly a: number;
  readonly b: number;
  readonly r2: number;
}

export interface Fit {
  readonly points: number;
  readonly fits: { readonly [C in ClassName]?: ClassFit };
  /** The class other than constant with b > 0 and the greatest r2, if that is 0.5 or more. */
  readonly best: ClassName | 'none';
  readonly runnerUp: ClassName | null;
  /** Its lead in r2 over the runner-up; null where there is none. */
  readonly margin: number | null;
  /** The lead is too small to decide between the two. */
  readonly undecided: boolean;
  /** cost = factor n^slope, over the points where both are above 0. */
  readonly power: { readonly factor: number; readonly slope: number; readonly r2: number } | null;
}

/** With fewer distinct sizes than this, no law is fitted. */
export const LEAST_POINTS = 5;
const LEAST_R2 = 0.5;
/** A lead below this is noise: n and n log n differ by less over two decades of sizes. */
const CLEAR_MARGIN = 0.005;
/** Medians are over all pairs of points; of more points than this, an even sample is used. */
const MOST_ROBUST = 200;

function line(xs: readonly number[], ys: readonly number[]): ClassFit | undefined {
  const variance = sampleVariance(xs as number[]);
  if (!(variance > 0)) return undefined;
  const b = sampleCovariance(xs as number[], ys as number[]) / variance;
  const r = sampleCorrelation(xs as number[], ys as number[]);
  return Number.isFinite(b) && Number.isFinite(r)
    ? { a: mean(ys as number[]) - b * mean(xs as number[]), b, r2: r * r }
    : undefined;
}

/** Sizes must be distinct; points with NaN costs are skipped. undefined below five sizes. */
export function fitCurve(sizes: ArrayLike<number>, costs: ArrayLike<number>): Fit | undefined {
  const ns: number[] = [];
  const ys: number[] = [];
  for (let i = 0; i < sizes.length; i++) {
    if (Number.isNaN(costs[i])) continue;
    ns.push(sizes[i]);
    ys.push(costs[i]);
  }
  if (ns.length < LEAST_POINTS) return undefined;
  const power = powerLaw(ns, ys);
  if (ys.every((y) => y === ys[0])) {
    const constant = { a: ys[0], b: 0, r2: 1 };
    return {
      points: ns.length,
      fits: { constant },
      best: 'constant',
      runnerUp: null,
      margin: null,
      undecided: false,
      power,
    };
  }
  const fits: { [C in ClassName]?: ClassFit } = { constant: { a: sum(ys) / ys.length, b: 0, r2: 0 } };
  const rank: { name: ClassName; r2: number }[] = [];
  for (const c of CLASSES) {
    const fit = line(ns.map(c.of), ys);
    if (!fit) continue;
    fits[c.name] = fit;
    if (fit.b > 0) rank.push({ name: c.name, r2: fit.r2 });
  }
  rank.sort((a, b) => b.r2 - a.r2);
  const [first, second] = rank;
  const best = first && first.r2 >= LEAST_R2 ? first.name : 'none';
  const margin = first && second ? first.r2 - second.r2 : null;
  return {
    points: ns.length,
    fits,
    best,
    runnerUp: best === 'none' ? null : (second?.name ?? null),
    margin,
    undecided: best !== 'none' && margin !== null && margin < CLEAR_MARGIN,
    power,
  };
}

function powerLaw(ns: readonly number[], ys: readonly number[]): Fit['power'] {
  const use = ns.map((_, i) => i).filter((i) => ns[i] > 0 && ys[i] > 0);
  if (use.length < 2) return null;
  const fit = line(
    use.map((i) => Math.log(ns[i])),
    use.map((i) => Math.log(ys[i])),
  );
  return fit ? { factor: Math.exp(fit.a), slope: fit.b, r2: fit.r2 } : null;
}

export interface RobustFit {
  readonly best: ClassName;
  readonly a: number;
  readonly b: number;
}

/** The class whose Theil-Sen line leaves the smallest median residual; points with NaN costs are skipped. */
export function robustFit(sizes: ArrayLike<number>, costs: ArrayLike<number>): RobustFit | undefined {
  const known = Array.from({ length: sizes.length }, (_, i) => i).filter((i) => !Number.isNaN(costs[i]));
  if (known.length < LEAST_POINTS) return undefined;
  const step = Math.max(1, known.length / MOST_ROBUST);
  const use = Array.from({ length: Math.min(known.length, MOST_ROBUST) }, (_, k) => known[Math.floor(k * step)]);
  const y = use.map((i) => costs[i]);
  const middle = median(y);
  const left = (a: number, b: number, f: (n: number) => number) =>
    median(use.map((i, k) => Math.abs(y[k] - a - b * f(sizes[i]))));
  let best: RobustFit = { best: 'constant', a: middle, b: 0 };
  let rest = left(middle, 0, () => 0);
  for (const c of CLASSES) {
    const x = use.map((i) => c.of(sizes[i]));
    if (new Set(x).size < 2) continue;
    const { slope: b, intercept: a } = new TheilSenRegression(x, y);
    if (!(b > 0) || !Number.isFinite(a)) continue;
    const mine = left(a, b, c.of);
    if (mine >= rest) continue;
    best = { best: c.name, a, b };
    rest = mine;
  }
  return best;
}

export function classOf(name: ClassName): { readonly label: string; readonly of: (n: number) => number } {
  return CLASSES.find((c) => c.name === name) ?? { label: '1', of: () => 0 };
}

/** How the law is written: `n²`, `n log n ?` if another class is nearly as good, `none` if no class fits. */
export function lawText(fit: Fit | undefined, ascii = false): string {
  if (!fit) return '';
  const plain = (t: string) => (ascii ? t.replace('²', '^2').replace('³', '^3') : t);
  if (fit.best === 'none') return 'none';
  return plain(classOf(fit.best).label) + (fit.undecided ? ' ?' : '');
}

export interface Prediction {
  readonly cost: number;
  /** 95 % prediction interval for one call at the size. */
  readonly low: number;
  readonly high: number;
}

/**
 * The cost at a size by the best class, with its 95 % prediction interval:
 *   y0 +- t(0.975, n - 2) s sqrt(1 + 1/n + (x0 - mean x)^2 / Sxx),  s^2 = SSE / (n - 2)
 * (simple linear regression in x = f(n)). It is valid as far as the law is.
 */
export function predict(fit: Fit, sizes: ArrayLike<number>, costs: ArrayLike<number>, size: number): Prediction | undefined {
  const law = fit.best === 'none' ? undefined : fit.fits[fit.best];
  if (!law || fit.best === 'none') return undefined;
  const { of } = classOf(fit.best);
  const use = Array.from({ length: sizes.length }, (_, i) => i).filter((i) => !Number.isNaN(costs[i]));
  const xs = use.map((i) => of(sizes[i]));
  const n = xs.length;
  const cost = law.a + law.b * of(size);
  const middle = mean(xs);
  const spread = sum(xs.map((x) => (x - middle) ** 2));
  const error = sum(use.map((i, k) => (costs[i] - law.a - law.b * xs[k]) ** 2));
  const s = Math.sqrt(error / (n - 2));
  const reach = spread > 0 ? (of(size) - middle) ** 2 / spread : 0;
  const width = studentQuantile(n - 2) * s * Math.sqrt(1 + 1 / n + reach);
  return { cost, low: cost - width, high: cost + width };
}

/** t(0.975) for 1 to 4 degrees of freedom, where the expansion below is not accurate to three digits. */
const FEW_FREE = [12.7062, 4.30265, 3.18245, 2.77645] as const;

/** t(0.975) by degrees of freedom: Hill's expansion (Algorithm 396, CACM 1970). */
export function studentQuantile(freedom: number): number {
  const n = Math.max(1, Math.round(freedom));
  if (n <= FEW_FREE.length) return FEW_FREE[n - 1];
  const z = 1.959964;
  const [z3, z5, z7, z9] = [z ** 3, z ** 5, z ** 7, z ** 9];
  return (
    z +
    (z3 + z) / (4 * n) +
    (5 * z5 + 16 * z3 + 3 * z) / (96 * n ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n ** 3) +
    (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * n ** 4)
  );
}

/** The factor by which cost grows if the largest input grows tenfold; undefined without a law. */
export function tenfold(fit: Fit | undefined, largest: number): number | undefined {
  if (!fit || fit.best === 'none') return undefined;
  const law = fit.fits[fit.best]!;
  const { of } = classOf(fit.best);
  const now = law.a + law.b * of(largest);
  return now > 0 ? (law.a + law.b * of(10 * largest)) / now : undefined;
}
