// Predicts the cost at a size. A measured size has its measured cost, and a size between two of them a cost between theirs.
// Beyond them, the interval covers the scatter, the coefficients, the choice of the law, and a possible drift from it.
import { type Candidate, chooseLaw, pointsUpTo } from './choice.ts';
import { costByLaw, growthFunction, type Law } from './classes.ts';
import { knownPoints, type LawFit } from './fit.ts';
import type { Points } from './robust.ts';

export type Prediction = NonNullable<ReturnType<typeof predict>>;

/** Half the width of a 95 % interval of a normal distribution, in standard deviations. */
const DEVIATIONS_OF_95_PERCENT = 1.96;
/** Laws are weighted by exp(-(AICc - least) / 4), more evenly than by likelihood, because none of them is entirely true. */
const AICC_WEIGHT_DIVISOR = 4;
/**
 * How far the exponent of growth may drift beyond the measured sizes. FEW_POINTS_DRIFT is added with few points: all of it for costs that
 * scatter by FULL_DRIFT_SCALE about the laws, less for others. Tuned on seed 1 of known-growth.ts and on the reports of fixtures/aprof.
 */
const EXPONENT_DRIFT = 0.04;
const FEW_POINTS_DRIFT = 1.7;
const FULL_DRIFT_SCALE = 0.1;
const MIN_SCATTER_SHARE = 0.6;
/** The maximum relative error of one law. Further doubt shows in the spread of the laws. */
const MAX_RELATIVE_ERROR = 0.3;

/** By law that is a line through logarithms: the x of the line. Errors of these laws are relative. */
const LOG_LAW_X: { readonly [N in Law['name']]?: (n: number) => number } = { power: Math.log, exponential: (n) => n };

/** The standard error of a law at a size by the scatter about it, relative to the cost: of one call and of the coefficients. */
function relativeError(law: Candidate, { size, cost, floor }: Points, at: number): number {
  const inLogs = LOG_LAW_X[law.name];
  const of = inLogs ?? growthFunction(law);
  const flat = law.name === 'constant';
  let [sum, sumX, squares] = [0, 0, 0];
  const weights = Array.from(size, (n, i) => {
    const expected = costByLaw(law, n);
    const relative = Math.max(0, expected) + floor;
    const u = (cost[i] - expected) / relative / law.scale;
    const counts = 4 / (3 + u * u);
    squares += counts * (u * law.scale) ** 2;
    // The offset has no influence on the growth.
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
  const relative = inLogs ? 1 : Math.max(0, costByLaw(law, at)) + floor;
  const error = Math.sqrt(variance * (1 + reach / relative ** 2));
  // Far away, an exponential law depends only on its rate, so its error is not capped.
  return law.name === 'exponential' ? error : Math.min(MAX_RELATIVE_ERROR, error);
}

/**
 * The cost at a size by the law of the fit, with a 95 % interval for the worst call at the size; undefined where there is no
 * law. `measured`: whether the size and its cost were measured.
 */
export function predict(fit: LawFit, sizes: ArrayLike<number>, costs: ArrayLike<number>, size: number) {
  const points = knownPoints(sizes, costs);
  const { law } = fit;
  if (!points || !law) return undefined;
  const { floor } = points;
  const row = points.size.indexOf(size);
  if (row >= 0) return { cost: points.cost[row], low: points.cost[row], high: points.cost[row], law, measured: true };
  const lawCost = Math.max(0, costByLaw(law, size));
  if (!Number.isFinite(lawCost)) return undefined;
  const { all, tail } = chooseLaw(points);
  // The law and its scatter come from the sizes below the tail.
  const fittedPoints = tail ? pointsUpTo(points, tail.after) : points;
  const least = Math.min(...all.map((c) => c.aicc));
  const views = all
    .map((c) => ({
      log: logCostByLaw(c, size, floor),
      error: relativeError(c, fittedPoints, size),
      // Exponential laws come from few neighbouring sizes, so a small scatter proves little.
      scale: c.name === 'exponential' ? FULL_DRIFT_SCALE : c.scale,
      weight: Math.exp((least - c.aicc) / AICC_WEIGHT_DIVISOR),
    }))
    .filter((v) => Number.isFinite(v.log + v.error + v.weight));
  const weight = views.reduce((s, v) => s + v.weight, 0);
  // If all costs are equal, only the constant fits, exactly.
  const middle = weight > 0 ? views.reduce((s, v) => s + v.weight * v.log, 0) / weight : Math.log(lawCost + floor);
  const variance = weight > 0 ? views.reduce((s, v) => s + v.weight * ((v.log - middle) ** 2 + v.error ** 2), 0) / weight : 0;
  const scale = weight > 0 ? views.reduce((s, v) => s + v.weight * v.scale, 0) / weight : 0;
  const reach = DEVIATIONS_OF_95_PERCENT * Math.sqrt(variance + logCostDrift(points, size, scale) ** 2);
  // Larger sizes may continue the tail, or the law of all sizes.
  const beyond = tail && size > tail.after ? [middle + Math.log(tail.times), logCostByLaw(tail.over, size, floor)] : [];
  const ways = [middle, ...beyond.filter(Number.isFinite)];
  const low = Math.max(0, Math.exp(Math.min(...ways) - reach) - floor);
  const high = Math.exp(Math.max(...ways) + reach) - floor;
  const cost = clampBetweenNeighbours(points, lawCost, size);
  return { cost, low: Math.min(low, cost), high: Math.max(high, cost), law, measured: false };
}

const logCostByLaw = (law: Law | undefined, size: number, floor: number) =>
  law ? Math.log(Math.max(0, costByLaw(law, size)) + floor) : Number.NaN;

/** How far the logarithm of the cost may drift from laws with errors of `scale` between the nearest measured size and this one. */
function logCostDrift({ size }: Points, at: number, scale: number): number {
  const [first, last] = [Math.max(1, size[0]), size[size.length - 1]];
  const beyond = at > last ? Math.log(at / last) : at < first ? Math.log(first / Math.max(1, at)) : 0;
  const scatter = Math.min(1, Math.max(MIN_SCATTER_SHARE, scale / FULL_DRIFT_SCALE));
  return (EXPONENT_DRIFT + (scatter * FEW_POINTS_DRIFT) / size.length) * beyond;
}

/** Clamps a predicted cost between the costs of the neighbouring measured sizes. */
function clampBetweenNeighbours({ size, cost }: Points, lawCost: number, at: number): number {
  const right = size.findIndex((n) => n > at);
  if (right <= 0) return lawCost;
  const [low, high] = [Math.min(cost[right - 1], cost[right]), Math.max(cost[right - 1], cost[right])];
  return Math.max(0, Math.min(high, Math.max(low, lawCost)));
}
