// Probabilities that differences are chance: binomial, Student's t (by the incomplete beta function), and false discovery rate.

import { gammaln } from 'simple-statistics';

/** The continued fraction converges after about √(a + b) steps. Counts above 10^8 stop earlier and keep fewer digits. */
const MAX_FRACTION_STEPS = 20_000;
const MIN_MAGNITUDE = 1e-300;

/** The regularized incomplete beta function, by Lentz' continued fraction. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MAX_FRACTION_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-12) break;
  }
  return front * fraction;
}

const nonZero = (x: number) => (Math.abs(x) < MIN_MAGNITUDE ? MIN_MAGNITUDE : x);

/** The two-sided probability that `n` trials with probability p give `k` successes or a number as far from the mean. */
export function binomialChance(k: number, n: number, p: number): number {
  const least = k <= 0 ? 1 : incompleteBeta(p, k, n - k + 1);
  const most = k >= n ? 1 : incompleteBeta(1 - p, n - k, k + 1);
  return Math.min(1, 2 * Math.min(least, most));
}

/** The two-sided probability that Student's t with these degrees of freedom is at least as far from 0 as `t`. */
export const studentChance = (t: number, freedom: number): number =>
  incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);

/** The value of t that 5 % of values exceed in magnitude (two-sided). */
export function studentQuantile(freedom: number): number {
  let [from, to] = [0, 20];
  for (let i = 0; i < 60; i++) {
    const middle = (from + to) / 2;
    if (studentChance(middle, freedom) > 0.05) from = middle;
    else to = middle;
  }
  return to;
}

/** The chance up to which results count, so that at most `share` of them are chance (Benjamini, Hochberg 1995); below 0: none. */
export function falseDiscoveryLimit(chances: readonly number[], share: number): number {
  const sorted = Float64Array.from(chances).sort();
  for (let i = sorted.length - 1; i >= 0; i--) if (sorted[i] <= (share * (i + 1)) / sorted.length) return sorted[i];
  return -1;
}
