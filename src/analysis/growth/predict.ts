// The cost at a size. At a measured one it is what was measured, between two it lies between theirs; beyond them the interval is as wide as
// what is not known: the scatter, the coefficients, which of the laws holds, and whether it holds further on.
import { type Candidate, chooseLaw, upTo } from './choice.ts';
import { type Law, lawAt, shapeOf } from './classes.ts';
import { knownPoints, type LawFit } from './fit.ts';
import type { Points } from './robust.ts';

export interface Prediction {
  readonly cost: number;
  /** 95 % interval for the worst call at the size. */
  readonly low: number;
  readonly high: number;
  readonly law: Law;
  /** The size was measured, and so was the cost. */
  readonly measured: boolean;
}

/** 95 % of a normal distribution lies within this many standard deviations. */
const SPREAD = 1.96;
/** Laws count by exp(-(AICc - least) / 4): more evenly than by their likelihood, for none of them is the whole truth. */
const EVENNESS = 4;
/** Beyond the measured sizes, the exponent of growth may be off by this, and by this much more with few points. */
const DRIFT = 0.06;
const DRIFT_FEW = 1.7;
/** An error of one law counts no more than this: what is not known beyond it is in the spread of the laws. */
const MOST_ERROR = 0.3;

/** Laws that are lines through logarithms, whose errors are relative already: the x of the line. */
const LOGARITHMS: { readonly [N in Law['name']]?: (n: number) => number } = { power: Math.log, exponential: (n) => n };

/** The standard error of a law at a size by the scatter about it, relative to the cost: of one call and of the coefficients. */
function errorOf(law: Candidate, { size, cost, floor }: Points, at: number): number {
  const inLogs = LOGARITHMS[law.name];
  const of = inLogs ?? shapeOf(law);
  const flat = law.name === 'constant';
  let [sum, sumX, squares] = [0, 0, 0];
  const weights = Array.from(size, (n, i) => {
    const expected = lawAt(law, n);
    const relative = Math.max(0, expected) + floor;
    const u = (cost[i] - expected) / relative / law.scale;
    const counts = 4 / (3 + u * u);
    squares += counts * (u * law.scale) ** 2;
    // An offset says nothing of what grows.
    const w = inLogs ? counts * ((expected - law.a) / relative) ** 2 : counts / relative ** 2;
    if (Number.isFinite(of(n))) {
      sum += w;
      sumX += w * of(n);
    }
    return w;
  });
  const middle = sumX / sum;
  const spread = size.reduce((s, n, i) => (Number.isFinite(of(n)) ? s + weights[i] * (of(n) - middle) ** 2 : s), 0);
  const variance = squares / Math.max(1, size.length - (flat ? 1 : 2));
  const reach = 1 / sum + (flat || !(spread > 0) ? 0 : (of(at) - middle) ** 2 / spread);
  const relative = inLogs ? 1 : Math.max(0, lawAt(law, at)) + floor;
  const error = Math.sqrt(variance * (1 + reach / relative ** 2));
  // The rate of an exponential law decides alone what it says far away.
  return law.name === 'exponential' ? error : Math.min(MOST_ERROR, error);
}

/** The cost at a size by the law of the fit, with a 95 % interval; undefined where there is no law. */
export function predict(fit: LawFit, sizes: ArrayLike<number>, costs: ArrayLike<number>, size: number): Prediction | undefined {
  const points = knownPoints(sizes, costs);
  const { law } = fit;
  if (!points || !law) return undefined;
  const { floor } = points;
  const row = points.size.indexOf(size);
  if (row >= 0) return { cost: points.cost[row], low: points.cost[row], high: points.cost[row], law, measured: true };
  const said = Math.max(0, lawAt(law, size));
  if (!Number.isFinite(said)) return undefined;
  const { all, tail } = chooseLaw(points);
  // The law is that of the sizes below the tail, and so is the scatter about it.
  const about = tail ? upTo(points, tail.after) : points;
  const least = Math.min(...all.map((c) => c.aicc));
  const views = all
    .map((c) => ({
      log: logOf(c, size, floor),
      error: errorOf(c, about, size),
      weight: Math.exp((least - c.aicc) / EVENNESS),
    }))
    .filter((v) => Number.isFinite(v.log + v.error + v.weight));
  const weight = views.reduce((s, v) => s + v.weight, 0);
  // All costs equal: no law but the constant, exactly.
  const middle = weight > 0 ? views.reduce((s, v) => s + v.weight * v.log, 0) / weight : Math.log(said + floor);
  const variance = weight > 0 ? views.reduce((s, v) => s + v.weight * ((v.log - middle) ** 2 + v.error ** 2), 0) / weight : 0;
  const reach = SPREAD * Math.sqrt(variance + drift(points, size) ** 2);
  // Larger sizes may go on as the tail does, or as the law of all sizes says.
  const beyond = tail && size > tail.after ? [middle + Math.log(tail.times), logOf(tail.over, size, floor)] : [];
  const ways = [middle, ...beyond.filter(Number.isFinite)];
  const low = Math.max(0, Math.exp(Math.min(...ways) - reach) - floor);
  const high = Math.exp(Math.max(...ways) + reach) - floor;
  const cost = between(points, said, size);
  return { cost, low: Math.min(low, cost), high: Math.max(high, cost), law, measured: false };
}

const logOf = (law: Law | undefined, size: number, floor: number) =>
  law ? Math.log(Math.max(0, lawAt(law, size)) + floor) : Number.NaN;

/** How far the logarithm of the cost may drift from the law between the nearest measured size and this one. */
function drift({ size }: Points, at: number): number {
  const [first, last] = [Math.max(1, size[0]), size[size.length - 1]];
  const beyond = at > last ? Math.log(at / last) : at < first ? Math.log(first / Math.max(1, at)) : 0;
  return (DRIFT + DRIFT_FEW / size.length) * beyond;
}

/** Between two measured sizes, the cost lies between theirs. */
function between({ size, cost }: Points, said: number, at: number): number {
  const right = size.findIndex((n) => n > at);
  if (right <= 0) return said;
  const [low, high] = [Math.min(cost[right - 1], cost[right]), Math.max(cost[right - 1], cost[right])];
  return Math.max(0, Math.min(high, Math.max(low, said)));
}
