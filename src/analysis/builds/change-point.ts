// Detects a lasting step or a drift in a series of durations. A step is found by the standard normal homogeneity test
// (Alexandersson 1986), a drift by a straight line; both on logarithms, because noise is relative. Permutations of the values
// show how much either explains by chance, so the shape of the noise does not matter; outliers are clipped. Growing noise, and
// values that depend on their predecessors (a machine that is busy for hours), look like changes in permutations. So random
// series with the same autocorrelation and the same growth of noise must also explain less.

import { studentChance } from '../../base/chance.ts';
import { medianOf } from '../../base/median.ts';

export interface ChangePoint {
  /** A step in one build, or a drift over all of them. */
  readonly kind: 'step' | 'drift';
  /** The first value after the step; of a drift the first of all. */
  readonly at: number;
  /** The medians before and after the step; for a drift, the ends of its line. */
  readonly before: number;
  readonly after: number;
  /** The probability that a series without a change looks as much like one. */
  readonly chance: number;
}

const MIN_VALUES_PER_SIDE = 3;
const MIN_VALUES = 6;
/** The accepted probability of a false change. */
export const MAX_FALSE_CHANGES = 0.04;
/** Number of random series; the test stops early once too many of them explain more. */
const SIMULATED_SERIES = 1000;
/** Smaller relative changes are ignored, however significant. */
const MIN_CHANGE_SHARE = 0.02;
/** Values are cut to so many median deviations from the median. */
const MAX_DEVIATIONS = 7;

/** Clipped logarithms without their mean. Times below half a millisecond count as that. */
function clippedLogs(values: readonly number[]): Float64Array {
  const logs = values.map((ms) => Math.log(Math.max(0.5, ms)));
  const middle = medianOf(logs);
  const spread = MAX_DEVIATIONS * medianOf(logs.map((x) => Math.abs(x - middle)));
  const cut = Float64Array.from(logs, (x) => (spread > 0 ? Math.min(middle + spread, Math.max(middle - spread, x)) : x));
  return withoutMean(cut);
}

function meanOf(values: ArrayLike<number>, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return sum / (to - from);
}

function withoutMean(values: Float64Array): Float64Array {
  const mean = meanOf(values, 0, values.length);
  for (let i = 0; i < values.length; i++) values[i] -= mean;
  return values;
}

const sumOfSquares = (values: Float64Array): number => values.reduce((sum, x) => sum + x * x, 0);

/** A kind of change that a series may contain. Values have the mean 0. */
interface ChangeModel {
  /** How much of the squares it explains. */
  explainedSquares(values: Float64Array): number;
  residuals(values: Float64Array): Float64Array;
  /** The number of positions among which the model chooses the best. */
  positionCount(count: number): number;
}

/** The best split: its position and statistic. Values have the mean 0, so the mean of one side gives the other. */
function bestSplit(values: Float64Array): readonly [at: number, statistic: number] {
  const n = values.length;
  let [sum, at, most] = [0, 0, 0];
  for (let k = 1; k <= n - MIN_VALUES_PER_SIDE; k++) {
    sum += values[k - 1];
    const statistic = k < MIN_VALUES_PER_SIDE ? 0 : sum * sum * (1 / k + 1 / (n - k));
    if (statistic > most) [at, most] = [k, statistic];
  }
  return [at, most];
}

const STEP_MODEL: ChangeModel = {
  explainedSquares: (values) => bestSplit(values)[1],
  residuals(values) {
    const [at] = bestSplit(values);
    const [before, after] = [meanOf(values, 0, at), meanOf(values, at, values.length)];
    return values.map((y, i) => y - (i < at ? before : after));
  },
  positionCount: (count) => count - 2 * MIN_VALUES_PER_SIDE + 1,
};

/** The slope of a straight line through values with the mean 0, and the squares that the line explains. */
function fitSlope(values: Float64Array): readonly [slope: number, explained: number] {
  const middle = (values.length - 1) / 2;
  let [spread, along] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    spread += (i - middle) ** 2;
    along += (i - middle) * values[i];
  }
  return [along / spread, along ** 2 / spread];
}

const DRIFT_MODEL: ChangeModel = {
  explainedSquares: (values) => fitSlope(values)[1],
  residuals(values) {
    const [slope] = fitSlope(values);
    return values.map((y, i) => y - slope * (i - (values.length - 1) / 2));
  },
  positionCount: () => 1,
};

/** A pseudo-random generator of numbers from 0 to 1 with a fixed seed, so that every run gives the same result. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A function that returns a new permutation of the values with each call. */
function makeShuffler(values: Float64Array): () => Float64Array {
  const order = values.slice();
  const next = pseudoRandom(12345);
  return () => {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  };
}

/** The autocorrelation at lag 1, corrected for bias. The values have the mean 0. */
function autocorrelation(values: Float64Array): number {
  let together = 0;
  for (let i = 1; i < values.length; i++) together += values[i] * values[i - 1];
  const all = sumOfSquares(values);
  return all > 0 ? Math.max(0, together / all + 1 / values.length) : 0;
}

/** The standard deviation of a normal distribution, divided by its mean distance from the middle. */
const DEVIATION_PER_DISTANCE = Math.sqrt(Math.PI / 2);
/** Above this t, the size of the innovations counts as growing or shrinking over the series. */
const MAX_STEADY_T = 2.5;

/** The size of each innovation; if sizes grow or shrink over the series, at least the usual size at its time. */
function innovationSizes(innovation: Float64Array): Float64Array {
  const n = innovation.length;
  const size = innovation.map(Math.abs);
  const mean = meanOf(size, 0, n);
  const around = withoutMean(size.slice());
  const [slope, explained] = fitSlope(around);
  const left = sumOfSquares(around) - explained;
  if ((n - 2) * explained <= MAX_STEADY_T ** 2 * left) return size;
  return size.map((x, i) => Math.max(x, DEVIATION_PER_DISTANCE * (mean + slope * (i - (n - 1) / 2))));
}

/**
 * Random series without a change, with the given autocorrelation. Each innovation keeps its position and gets a random sign, so
 * growing noise is no change.
 */
function makeAutoregressive(rest: Float64Array, memory: number): () => Float64Array {
  const n = rest.length;
  // Fitting the model used two degrees of freedom.
  const more = Math.sqrt(n / (n - 2));
  const size = innovationSizes(rest.map((x, i) => more * (i === 0 ? x : x - memory * rest[i - 1])));
  const series = new Float64Array(n);
  const next = pseudoRandom(54321);
  return () => {
    for (let i = 0; i < n; i++) series[i] = (i === 0 ? 0 : memory * series[i - 1]) + (next() < 0.5 ? -size[i] : size[i]);
    return withoutMean(series);
  };
}

/** The share of random series that the model explains better than the real one; 1 if that share is too large to matter. */
function shareExplainingMore(form: ChangeModel, explained: number, make: () => Float64Array): number {
  const most = SIMULATED_SERIES * MAX_FALSE_CHANGES;
  let more = 0;
  for (let t = 0; t < SIMULATED_SERIES; t++)
    if (form.explainedSquares(make()) > explained * (1 + 1e-9) && ++more > most) return 1;
  return more / SIMULATED_SERIES;
}

/** The probability that a series without a change is explained so well by a model; 1 if it is too large to matter. */
function chanceOfModel(form: ChangeModel, values: Float64Array): number {
  const n = values.length;
  const explained = form.explainedSquares(values);
  const orders = shareExplainingMore(form, explained, makeShuffler(values));
  if (orders === 1) return 1;
  const rest = form.residuals(values);
  const memory = autocorrelation(values);
  const more = Math.max(orders, shareExplainingMore(form, explained, makeAutoregressive(rest, memory)));
  if (more > 0) return more;
  // No random series comes near. Autocorrelated values carry less information (variance of a mean of AR(1)).
  const t = Math.sqrt((((n - 2) * explained) / sumOfSquares(rest)) * ((1 - memory) / (1 + memory)));
  return Math.min(1 / SIMULATED_SERIES, form.positionCount(n) * studentChance(t, n - 2));
}

/** The minimum size of a later change, as a share of the first, to revoke the first. */
const MIN_LATER_SHARE = 0.5;

/** The last significant change; undefined if there is none. */
export function findChangePoint(values: readonly number[]): ChangePoint | undefined {
  if (values.length < MIN_VALUES) return undefined;
  const first = findChange(values, 0);
  // A step is replaced by a later one that is large enough.
  let last = first;
  while (first && last && last.kind === 'step' && values.length - last.at >= MIN_VALUES) {
    const next = findChange(values, last.at);
    // A drift is a change over the whole series.
    if (
      next?.kind !== 'step' ||
      Math.abs(Math.log(next.after / next.before)) < MIN_LATER_SHARE * Math.abs(Math.log(first.after / first.before))
    )
      break;
    last = next;
  }
  return last;
}

function findChange(all: readonly number[], from: number): ChangePoint | undefined {
  const values = all.slice(from);
  const logs = clippedLogs(values);
  const kind = STEP_MODEL.explainedSquares(logs) > DRIFT_MODEL.explainedSquares(logs) ? 'step' : 'drift';
  const chance = chanceOfModel(kind === 'step' ? STEP_MODEL : DRIFT_MODEL, logs);
  if (chance > MAX_FALSE_CHANGES) return undefined;
  const at = kind === 'step' ? bestSplit(logs)[0] : 0;
  const [before, after] = kind === 'step' ? [medianOf(values.slice(0, at)), medianOf(values.slice(at))] : driftEnds(values, logs);
  return Math.abs(after - before) > MIN_CHANGE_SHARE * before ? { kind, at: from + at, before, after, chance } : undefined;
}

/** Where the line through the logarithms begins and ends, in milliseconds. */
function driftEnds(values: readonly number[], logs: Float64Array): readonly [number, number] {
  const half = (fitSlope(logs)[0] * (values.length - 1)) / 2;
  const middle = medianOf(values);
  return [middle * Math.exp(-half), middle * Math.exp(half)];
}
