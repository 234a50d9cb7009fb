// The cost at a size that was not measured. Between measured sizes it stays between theirs; beyond them the interval is as wide as
// what is not known: the scatter, the coefficients, which of the laws holds, and whether it holds further on.
import { type Candidate, chooseLaw } from './choice.ts';
import { type Law, lawAt, shapeOf } from './classes.ts';
import { knownPoints, type LawFit } from './fit.ts';
import type { Points } from './robust.ts';

export interface Prediction {
  readonly cost: number;
  /** 95 % interval for the worst call at the size. */
  readonly low: number;
  readonly high: number;
  readonly law: Law;
}

/** 95 % of a normal distribution lies within this many standard deviations. */
const SPREAD = 1.96;
/** Laws count by exp(-(AICc - least) / 4): more evenly than by their likelihood, for none of them is the whole truth. */
const EVENNESS = 4;
/** Beyond the measured sizes, the exponent of growth may be off by this, and by this much more with few points. */
const DRIFT = 0.06;
const DRIFT_FEW = 1.7;
/** A point further off than this, and than six times the usual distance, is no neighbour. */
const OFF = 0.25;
/** An error of one law counts no more than this: what is not known beyond it is in the spread of the laws. */
const MOST_ERROR = 0.3;

/** The standard error of a law at a size by the scatter about it, relative to the cost: of one call and of the coefficients. */
function errorOf(law: Candidate, { size, cost, floor }: Points, at: number): number {
  const of = law.name === 'power' ? Math.log : shapeOf(law);
  const flat = law.name === 'constant';
  let [sum, sumX, squares] = [0, 0, 0];
  const weights = Array.from(size, (n, i) => {
    const expected = lawAt(law, n);
    const relative = Math.max(0, expected) + floor;
    const u = (cost[i] - expected) / relative / law.scale;
    const counts = 4 / (3 + u * u);
    squares += counts * (u * law.scale) ** 2;
    // A power law is a line through logarithms, whose errors are relative already.
    const w = law.name === 'power' ? counts : counts / relative ** 2;
    if (n > 0 || law.name !== 'power') {
      sum += w;
      sumX += w * of(n);
    }
    return w;
  });
  const middle = sumX / sum;
  const spread = size.reduce((s, n, i) => (n > 0 || law.name !== 'power' ? s + weights[i] * (of(n) - middle) ** 2 : s), 0);
  const variance = squares / Math.max(1, size.length - (flat ? 1 : 2));
  const reach = 1 / sum + (flat || !(spread > 0) ? 0 : (of(at) - middle) ** 2 / spread);
  const relative = law.name === 'power' ? 1 : Math.max(0, lawAt(law, at)) + floor;
  return Math.sqrt(variance * (1 + reach / relative ** 2));
}

/** The cost at a size by the law of the fit, with a 95 % interval; undefined where there is no law. */
export function predict(fit: LawFit, sizes: ArrayLike<number>, costs: ArrayLike<number>, size: number): Prediction | undefined {
  const points = knownPoints(sizes, costs);
  const { law } = fit;
  if (!points || !law) return undefined;
  const { floor } = points;
  const said = Math.max(0, lawAt(law, size));
  if (!Number.isFinite(said)) return undefined;
  const { all } = chooseLaw(points);
  const least = Math.min(...all.map((c) => c.aicc));
  const views = all
    .map((c) => ({
      log: Math.log(Math.max(0, lawAt(c, size)) + floor),
      error: Math.min(MOST_ERROR, errorOf(c, points, size)),
      weight: Math.exp((least - c.aicc) / EVENNESS),
    }))
    .filter((v) => Number.isFinite(v.log + v.error + v.weight));
  const weight = views.reduce((s, v) => s + v.weight, 0);
  // All costs equal: no law but the constant, exactly.
  const middle = weight > 0 ? views.reduce((s, v) => s + v.weight * v.log, 0) / weight : Math.log(said + floor);
  const variance = weight > 0 ? views.reduce((s, v) => s + v.weight * ((v.log - middle) ** 2 + v.error ** 2), 0) / weight : 0;
  const deviation = Math.sqrt(variance + drift(points, size) ** 2);
  const cost = inside(points, law, said, size);
  const low = Math.max(0, Math.exp(middle - SPREAD * deviation) - floor);
  const high = Math.exp(middle + SPREAD * deviation) - floor;
  return { cost, low: Math.min(low, cost), high: Math.max(high, cost), law };
}

/** How far the logarithm of the cost may drift from the law between the nearest measured size and this one. */
function drift({ size }: Points, at: number): number {
  const [first, last] = [Math.max(1, size[0]), size[size.length - 1]];
  const beyond = at > last ? Math.log(at / last) : at < first ? Math.log(first / Math.max(1, at)) : 0;
  return (DRIFT + DRIFT_FEW / size.length) * beyond;
}

/** Between two measured sizes, the cost lies between theirs. Outliers (neither like the law nor between their neighbours) are passed over. */
function inside({ size, cost, floor }: Points, law: Law, said: number, at: number): number {
  const scales = Array.from(size, (n, i) => Math.abs(cost[i] - lawAt(law, n)) / (Math.max(0, lawAt(law, n)) + floor));
  const usual = scales.slice().sort((a, b) => a - b)[size.length >> 1];
  const between = (i: number) => (cost[i] - cost[i - 1]) * (cost[i + 1] - cost[i]) >= 0;
  const near = Array.from(size.keys()).filter((i) => scales[i] <= 6 * usual + OFF || between(i));
  const left = near.filter((i) => size[i] <= at).at(-1);
  const right = near.find((i) => size[i] >= at);
  if (left === undefined || right === undefined) return said;
  const [low, high] = [Math.min(cost[left], cost[right]), Math.max(cost[left], cost[right])];
  return Math.max(0, Math.min(high, Math.max(low, said)));
}
