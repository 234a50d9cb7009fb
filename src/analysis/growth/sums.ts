// Laws with two terms that grow, and exponential ones, fitted to relative errors as the lines of robust.ts are.
import { medianOf } from '../../base/median.ts';
import { GROWTH_SUMS, growthClassOf, type Law } from './classes.ts';
import { type FittedLine, fitLogarithms, MIN_SCALE, MIN_SCALE_CHANGE, type Points, robustLine, tWeight } from './robust.ts';

export interface FittedLaw extends FittedLine, Pick<Law, 'base' | 'exponent' | 'from'> {
  readonly name: Law['name'];
  /** Coefficients that were fitted, with the scale. */
  readonly parameters: number;
}

/** The minimum number and range of sizes that can separate two terms. An exponential law needs this range of costs. */
const MIN_SIZES = 8;
const MIN_SIZE_RANGE = 16;
/** A higher term with a smaller share of the cost at the largest size is ignored. */
const MIN_HIGHER_TERM_SHARE = 0.2;
/** The minimum number of sizes below the crossover. With fewer, only the higher term is the law. */
const MIN_SIZES_BELOW = 2;
const MAX_FIT_STEPS = 12;
/** The number of steps after which a fit that is far worse than others is given up. */
const STEPS_BEFORE_GIVING_UP = 3;

/** The laws of two terms that fit the points. A fit is given up early if its loss stays above `most`. */
export function sumLaws(points: Points, most: number): FittedLaw[] {
  const { size } = points;
  const largest = size[size.length - 1];
  if (size.length < MIN_SIZES || !(largest >= MIN_SIZE_RANGE * size[0])) return [];
  return GROWTH_SUMS.flatMap(({ name, lower, higher }) => {
    // Each term is 1 at the largest size.
    const [low, high] = [lower, higher].map((term) => growthClassOf(term).of);
    const [perLow, perHigh] = [1 / low(largest), 1 / high(largest)];
    const terms = [size.map((n) => low(n) * perLow), size.map((n) => high(n) * perHigh)] as const;
    const fit = fitTwoTerms(...terms, points, most);
    if (!fit) return [];
    const { a, b, c, scale, loss, free } = fit;
    if (!(c >= MIN_HIGHER_TERM_SHARE * (a + b + c))) return [];
    const from = crossoverSize(lower === 'nLogN', (b * perLow) / (c * perHigh));
    return from < size[MIN_SIZES_BELOW] ? [] : { name, a, b: b * perLow, scale, loss, from, parameters: free ? 4 : 3 };
  });
}

/** The size where b n = c n², or b n log n = c n². */
function crossoverSize(withLog: boolean, ratio: number): number {
  let from = Math.max(2, ratio);
  if (withLog) for (let i = 0; i < 20; i++) from = Math.max(2, ratio * Math.log2(from));
  return withLog ? from : ratio;
}

/** Fits cost = a + b x + c z with a ≥ 0, b > 0, c > 0. Undefined if no such fit exists or its loss stays above `most`. */
function fitTwoTerms(x: Float64Array, z: Float64Array, { cost, floor }: Points, most: number) {
  const n = cost.length;
  const weight = new Float64Array(n);
  const error = new Float64Array(n);
  const relative = new Float64Array(n);
  for (let i = 0; i < n; i++) weight[i] = 1 / (Math.max(0, cost[i]) + floor) ** 2;
  let scale = 0;
  for (let step = 1; step <= MAX_FIT_STEPS; step++) {
    const line = solveLeastSquares(x, z, cost, weight);
    if (!line) return undefined;
    const { a, b, c } = line;
    for (let i = 0; i < n; i++) {
      const expected = a + b * x[i] + c * z[i];
      relative[i] = Math.max(0, expected) + floor;
      error[i] = (cost[i] - expected) / relative[i];
    }
    if (step === 1) scale = Math.max(MIN_SCALE, 1.5 * medianOf(error.map(Math.abs)));
    let squares = 0;
    for (let i = 0; i < n; i++) squares += error[i] ** 2 * tWeight(error[i] / scale);
    const before = scale;
    scale = Math.max(MIN_SCALE, Math.sqrt(squares / n));
    const settled = Math.abs(scale - before) <= MIN_SCALE_CHANGE * scale;
    let loss = 0;
    for (let i = 0; i < n; i++) {
      const counts = tWeight(error[i] / scale);
      weight[i] = counts / relative[i] ** 2;
      // -4 log of the weight, with 1 / 0.75 in the middle: the density of Student's t with 3 degrees of freedom.
      loss += 2 * Math.log((scale * relative[i]) / (0.75 * counts) ** 2);
    }
    if (!(step < STEPS_BEFORE_GIVING_UP || loss <= most)) return undefined;
    if ((settled && step > 1) || step === MAX_FIT_STEPS)
      return b > 0 && c > 0 && Number.isFinite(loss) ? { ...line, scale, loss } : undefined;
  }
  return undefined;
}

/** Weighted least squares of y over 1, x and z. `free`: whether a was fitted; otherwise it would be negative, so it is 0. */
function solveLeastSquares(x: Float64Array, z: Float64Array, y: Float64Array, weight: Float64Array) {
  let [w, wx, wz, wy, xx, xz, zz, xy, zy] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < y.length; i++) {
    const g = weight[i];
    w += g;
    wx += g * x[i];
    wz += g * z[i];
    wy += g * y[i];
    xx += g * x[i] * x[i];
    xz += g * x[i] * z[i];
    zz += g * z[i] * z[i];
    xy += g * x[i] * y[i];
    zy += g * z[i] * y[i];
  }
  const centred = solveSlopes(xx - (wx * wx) / w, xz - (wx * wz) / w, zz - (wz * wz) / w, xy - (wx * wy) / w, zy - (wz * wy) / w);
  if (centred) {
    const a = (wy - centred.b * wx - centred.c * wz) / w;
    if (a >= 0) return { a, ...centred, free: true };
  }
  const through = solveSlopes(xx, xz, zz, xy, zy);
  return through && { a: 0, ...through, free: false };
}

function solveSlopes(xx: number, xz: number, zz: number, xy: number, zy: number): { b: number; c: number } | undefined {
  const determinant = xx * zz - xz * xz;
  if (!(determinant > 1e-12 * xx * zz)) return undefined;
  return { b: (xy * zz - zy * xz) / determinant, c: (zy * xx - xy * xz) / determinant };
}

/** Steps of the golden-section search for a base or an exponent; each shrinks the interval by the factor 1.6. */
const SEARCH_STEPS = 14;
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * The value in [from, to] for which the line over of(size, value) has the smallest loss, with that line: a golden-section search.
 */
function searchBestLine(points: Points, of: (size: number, value: number) => number, from: number, to: number) {
  const fit = (value: number) => {
    const x = points.size.map((n) => of(n, value));
    return robustLine(x, points);
  };
  let [p, q] = [to - GOLDEN_RATIO * (to - from), from + GOLDEN_RATIO * (to - from)];
  let [atP, atQ] = [fit(p), fit(q)];
  for (let i = 0; i < SEARCH_STEPS; i++) {
    if ((atP?.loss ?? Infinity) < (atQ?.loss ?? Infinity)) {
      [to, q, atQ] = [q, p, atP];
      p = to - GOLDEN_RATIO * (to - from);
      atP = fit(p);
    } else {
      [from, p, atP] = [p, q, atQ];
      q = from + GOLDEN_RATIO * (to - from);
      atQ = fit(q);
    }
  }
  return (atP?.loss ?? Infinity) < (atQ?.loss ?? Infinity) ? ([p, atP] as const) : ([q, atQ] as const);
}

const [MIN_EXPONENT, MAX_EXPONENT] = [0.3, 3.3];

/** Fits cost = a + b n^exponent with a > 0 and b > 0; undefined with too few sizes or another fit. Without a, it is a power law. */
export function offsetPowerLaw(points: Points): FittedLaw | undefined {
  const { size } = points;
  const largest = size[size.length - 1];
  if (size.length < MIN_SIZES || !(largest >= MIN_SIZE_RANGE * size[0])) return undefined;
  const [exponent, line] = searchBestLine(points, (n, e) => (n / largest) ** e, MIN_EXPONENT, MAX_EXPONENT);
  if (!line || !(line.a > 0 && line.b > 0)) return undefined;
  return { ...line, name: 'power', b: line.b / largest ** exponent, exponent, parameters: 4 };
}

/** Fits cost = a + b base^(n - largest); undefined if costs have too small a range or the fit does not rise. */
export function exponentialLaw(points: Points): FittedLaw | undefined {
  const { size, cost } = points;
  const n = size.length;
  const largest = size[n - 1];
  if (n < MIN_SIZES || !(cost[n - 1] >= MIN_SIZE_RANGE * cost[0])) return undefined;
  const of = (s: number, r: number) => Math.exp(r * (s - largest));
  const plain = fitLogarithms(points, (s) => s - largest, of);
  if (!plain || !(plain.exponent > 0)) return undefined;
  // The offset bends the lower part of the logarithms, so the rate is at least that of the line through them.
  const [rate, line] = searchBestLine(points, of, 0.7 * plain.exponent, 4 * plain.exponent);
  const law = { name: 'exponential', from: largest } as const;
  if (line && line.b > 0 && line.a > 0 && line.loss + 2 < plain.loss)
    return { ...line, ...law, base: Math.exp(rate), parameters: 4 };
  const { a, b, scale, loss } = plain;
  return { a, b, scale, loss, ...law, base: Math.exp(plain.exponent), parameters: 3 };
}
