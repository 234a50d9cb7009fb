// Fits lines through points with outliers: errors are relative, and distant points have less weight. Errors are assumed to
// follow Student's t with 3 degrees of freedom, whose tails allow for a call that costs ten times too much. The likelihoods of
// two such fits can be compared (choice.ts).

import { medianOf, medianOfFirst } from '../../base/median.ts';

/** Points in ascending order of size, without unknown costs. */
export interface Points {
  readonly size: Float64Array;
  readonly cost: Float64Array;
  /** Added to each expected cost before errors are divided by it, so that the small costs of small sizes do not decide. */
  readonly floor: number;
}

/**
 * `scale`: the spread of the relative errors: about their standard deviation, outliers left out. `loss`: -2 log of the likelihood, up to a
 * constant.
 */
export type FittedLine = Readonly<Record<'a' | 'b' | 'scale' | 'loss', number>>;

const DEGREES_OF_FREEDOM = 3;
/** The smallest scale: a better fit means nothing, because costs are integers and laws have lower terms. */
export const MIN_SCALE = 0.005;
/** The most iterations of a first, rough fit, and of a fit that starts from a similar line. */
const MAX_ROUGH_STEPS = 4;
const MAX_NEAR_STEPS = 12;
/** The iteration ends when the scale changes by less than this. */
export const MIN_SCALE_CHANGE = 0.005;
/** Passed instead of a floor if the numbers are logarithms. */
const LOGARITHMS_FLOOR = -1;
/** The maximum number of points for which all pairs give slopes. With more, only pairs half of the points apart do. */
const MAX_ALL_PAIRS_POINTS = 8;

// Buffers shared by all fits: allocating them takes longer than a fit of ten points.
let buffers = { e: new Float64Array(64), s: new Float64Array(64), w: new Float64Array(64), x: new Float64Array(64) };

function ensureBuffers(n: number): typeof buffers {
  if (buffers.e.length >= n) return buffers;
  const next = () => new Float64Array(2 * n);
  buffers = { e: next(), s: next(), w: next(), x: next() };
  return buffers;
}

/**
 * The line of Theil and Sen through the first `n` points, x ascending: the median slope of pairs of points, and the median of the rests.
 * `every`: of all pairs, else of those half of the points apart.
 */
export function theilSenLine(x: Float64Array, y: Float64Array, n: number, every: boolean): { a: number; b: number } {
  const { w } = ensureBuffers(every ? Math.max(n, (n * (n - 1)) / 2) : n);
  let slopes = 0;
  for (let i = 0; i < n; i++)
    for (let j = every ? i + 1 : i + (n >> 1); j < n; j++) {
      if (x[j] > x[i]) w[slopes++] = (y[j] - y[i]) / (x[j] - x[i]);
      if (!every) break;
    }
  const b = slopes > 0 ? medianOfFirst(w, slopes) : 0;
  for (let i = 0; i < n; i++) w[i] = y[i] - b * x[i];
  return { a: medianOfFirst(w, n), b };
}

/**
 * Errors of a line, and 1 divided by what they are relative to, in place; the scale that they have when weighted by another
 * one. Without a floor: differences of logarithms, which are relative.
 */
function measureErrors(x: Float64Array, y: Float64Array, n: number, a: number, b: number, floor: number, scale: number): number {
  const { e, s } = buffers;
  const per = 1 / scale;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const expected = a + b * x[i];
    const inverse = floor === LOGARITHMS_FLOOR ? 1 : 1 / ((expected > 0 ? expected : 0) + floor);
    const error = (y[i] - expected) * inverse;
    const u = error * per;
    s[i] = inverse;
    e[i] = error;
    sum += (error * error * (DEGREES_OF_FREEDOM + 1)) / (DEGREES_OF_FREEDOM + u * u);
  }
  const next = Math.sqrt(sum / n);
  return next > MIN_SCALE ? next : MIN_SCALE;
}

function likelihoodLoss(n: number, scale: number): number {
  const { e, s } = buffers;
  let loss = 0;
  for (let i = 0; i < n; i++) {
    const u = e[i] / scale;
    const far = 1 + (u * u) / DEGREES_OF_FREEDOM;
    // This is 2 log(scale / s) + (DEGREES_OF_FREEDOM + 1) log(far), computed as one logarithm.
    loss += 2 * Math.log((scale / s[i]) * far * far);
  }
  return loss;
}

type Start = Pick<FittedLine, 'a' | 'b'>;

/** Weighted least squares, repeated with weights from the last errors (expectation maximization). `flat`: b is fixed at 0. */
function fitReweighted(x: Float64Array, y: Float64Array, n: number, from: Start, floor: number, steps: number, flat = false) {
  const { e, s, w } = ensureBuffers(n);
  let { a, b } = from;
  measureErrors(x, y, n, a, b, floor, 1);
  for (let i = 0; i < n; i++) w[i] = Math.abs(e[i]);
  let scale = Math.max(MIN_SCALE, 1.5 * medianOfFirst(w, n));
  // Sums are of differences from a point in the middle, so that cubes of large sizes lose no digits.
  const midX = x[n >> 1];
  const midY = y[n >> 1];
  for (let step = 0; step < steps; step++) {
    let [sum, sumX, sumY, xx, xy] = [0, 0, 0, 0, 0];
    const per = 1 / scale;
    for (let i = 0; i < n; i++) {
      const u = e[i] * per;
      const weight = (s[i] * s[i]) / (DEGREES_OF_FREEDOM + u * u);
      const dx = x[i] - midX;
      const dy = y[i] - midY;
      sum += weight;
      sumX += weight * dx;
      sumY += weight * dy;
      xx += weight * dx * dx;
      xy += weight * dx * dy;
    }
    const spread = xx - (sumX * sumX) / sum;
    b = flat || !(spread > 0) ? 0 : (xy - (sumX * sumY) / sum) / spread;
    a = midY + sumY / sum - b * (midX + sumX / sum);
    const last = scale;
    scale = measureErrors(x, y, n, a, b, floor, scale);
    if (Math.abs(scale - last) <= MIN_SCALE_CHANGE * scale) break;
  }
  return { a, b, scale, loss: likelihoodLoss(n, scale) };
}

/** The weight of a point whose error is `u` scales. */
export const tWeight = (u: number): number => (DEGREES_OF_FREEDOM + 1) / (DEGREES_OF_FREEDOM + u * u);

const lineIfFinite = (line: FittedLine) => (Number.isFinite(line.loss) && Number.isFinite(line.b) ? line : undefined);

/** Fits cost = a + b x; undefined if numbers are too large. `near`: a similar line, which saves finding a start. */
export function robustLine(x: Float64Array, { cost, floor }: Points, near?: Start): FittedLine | undefined {
  const n = cost.length;
  const from = near ?? theilSenLine(x, cost, n, n <= MAX_ALL_PAIRS_POINTS);
  return lineIfFinite(fitReweighted(x, cost, n, from, floor, near ? MAX_NEAR_STEPS : MAX_ROUGH_STEPS));
}

/** Fits a constant: cost = a. */
export function robustLevel({ cost, floor }: Points): FittedLine | undefined {
  const from = { a: medianOf(cost), b: 0 };
  return lineIfFinite(fitReweighted(cost, cost, cost.length, from, floor, MAX_NEAR_STEPS, true));
}

/** cost = b size^exponent, fitted to logarithms, judged like the lines; undefined with fewer than four points above 0. */
export const robustPower = (points: Points, near?: { b: number; exponent: number }) =>
  fitLogarithms(points, Math.log, (n, exponent) => n ** exponent, near);

/** Fits cost = b growthAt(size, exponent) to logarithms: `of` is the logarithm of the growth, by the exponent. */
export function fitLogarithms(
  { size, cost, floor }: Points,
  of: (n: number) => number,
  growthAt: (n: number, exponent: number) => number,
  near?: { b: number; exponent: number },
) {
  const x = new Float64Array(size.length);
  const y = new Float64Array(size.length);
  let n = 0;
  for (let i = 0; i < size.length; i++) {
    if (!(size[i] > 0 && cost[i] > 0)) continue;
    x[n] = of(size[i]);
    y[n++] = Math.log(cost[i]);
  }
  if (n < 4) return undefined;
  const from = near ? { a: Math.log(near.b), b: near.exponent } : theilSenLine(x, y, n, n <= MAX_ALL_PAIRS_POINTS);
  const steps = near ? MAX_NEAR_STEPS : MAX_ROUGH_STEPS;
  const { a, b: exponent, scale: first } = fitReweighted(x, y, n, from, LOGARITHMS_FLOOR, steps);
  const b = Math.exp(a);
  for (let i = 0; i < size.length; i++) x[i] = growthAt(size[i], exponent);
  let scale = first;
  for (let step = 0; step < MAX_ROUGH_STEPS; step++) scale = measureErrors(x, cost, size.length, 0, b, floor, scale);
  const loss = likelihoodLoss(size.length, scale);
  return Number.isFinite(loss) ? { a: 0, b, scale, loss, exponent } : undefined;
}
