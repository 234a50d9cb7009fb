// Curves whose law is known: pure laws, sums of two terms, cliffs and exponentials, with noise; and how often what is said of them holds.
// For test/analysis/growth-truth.test.ts and `npm run bench:truth`. The constants of choice.ts were tuned on seed 1.
import { log2OrZero } from '../../src/analysis/growth/classes.ts';
import { fitLaw } from '../../src/analysis/growth/fit.ts';
import { predict } from '../../src/analysis/growth/predict.ts';
import { fitsLargest, isSteep, staysSteep } from '../../src/findings/growth/grows.ts';
import { gauss, type Random, random } from './random.ts';

export interface KnownCurve {
  readonly sizes: number[];
  readonly costs: number[];
  /** The cost without noise, at any size. */
  readonly of: (n: number) => number;
}

type Make = (r: Random, sizes: readonly number[]) => (n: number) => number;

const lower: readonly ((n: number) => number)[] = [(n) => n, (n) => n * log2OrZero(n), (n) => n * n];
const one = <T>(r: Random, of: readonly T[]): T => of[Math.floor(r() * of.length)];
const last = (sizes: readonly number[]) => sizes[sizes.length - 1];

/** Largest size divided by the size where the higher term takes over. */
const LATE = [1.25, 2, 4, 8] as const;

function sum(low: (n: number) => number, high: (n: number) => number): Make {
  return (r, sizes) => {
    const from = last(sizes) / one(r, LATE);
    const b = 5 + 100 * r();
    const share = low(from) / high(from);
    return (n) => b * (low(n) + share * high(n));
  };
}

const pure =
  (of: (n: number) => number): Make =>
  (r) => {
    const b = 5 + 100 * r();
    return (n) => b * of(n);
  };

/** A constant and a power: the constant is 1 % to 30 % of the cost at the largest size, the exponent 1.3 to 2.6. */
const offsetPower: Make = (r, sizes) => {
  const exponent = 1.3 + 1.3 * r();
  const b = 5 + 100 * r();
  const a = (0.01 + 0.29 * r()) * b * last(sizes) ** exponent;
  return (n) => a + b * n ** exponent;
};

/** From one of the sizes on, each call costs so many times as much. */
const cliff: Make = (r, sizes) => {
  const of = one(r, lower);
  const at = sizes[Math.floor(sizes.length * (0.3 + 0.7 * r()))];
  const times = one(r, [2, 4, 8]);
  return (n) => 7 * of(n) * (n < at ? 1 : times);
};

/** A linear cost that jumps once, by a factor or by a sum. */
export const JUMP: Make = (r, sizes) => {
  const at = sizes[Math.floor(sizes.length * (0.3 + 0.7 * r()))];
  const times = 1.5 + 8 * r();
  const added = r() < 0.5;
  return (n) => 10 * (n + (n < at ? 0 : (times - 1) * (added ? at : n)));
};

export const PURE: Readonly<Record<string, Make>> = {
  'log n': pure((n) => 3 + log2OrZero(n)),
  n: pure((n) => n),
  'n log n': pure(lower[1]),
  'n²': pure(lower[2]),
  'n³': pure((n) => n ** 3),
};

export const MIXED: Readonly<Record<string, Make>> = {
  'n L/2 + n²': (r, sizes) => {
    const b = 5 + 100 * r();
    return (n) => b * n * (last(sizes) / 2 + n);
  },
  'n + n²': sum(lower[0], lower[2]),
  'n log n + n²': sum(lower[1], lower[2]),
  'n² + n³': sum(lower[2], (n) => n ** 3),
  'a + n^x': offsetPower,
  'cliff ×2 to ×8': cliff,
};

/** 8 to 40 sizes over a factor of 16 to 400: by factors, or at random. */
export function sizesOf(r: Random): number[] {
  const n = 8 + Math.floor(r() * 33);
  const low = 5 * 20 ** r();
  const span = 16 * 25 ** r();
  const even = r() < 0.6;
  const sizes = new Set<number>([Math.round(low), Math.round(low * span)]);
  for (let k = 1; sizes.size < n; k++) {
    const size = Math.round(low * span ** (even && k < n ? k / (n - 1) : r()));
    sizes.add(size);
  }
  return Array.from(sizes).sort((a, b) => a - b);
}

export const withNoise = (r: Random, sizes: number[], of: (n: number) => number, noise: number): KnownCurve => ({
  sizes,
  costs: sizes.map((n) => Math.max(1, Math.round(of(n) * Math.max(0.1, 1 + noise * gauss(r))))),
  of,
});

export const NOISES = [0, 0.01, 0.03, 0.1];

/** So many curves of one kind for each noise. */
export function* curvesOf(make: Make, seed: number, each: number): Generator<KnownCurve, void> {
  for (const [k, noise] of NOISES.entries()) {
    const r = random(10_000 * seed + k);
    for (let i = 0; i < each; i++) {
      const sizes = sizesOf(r);
      yield withNoise(r, sizes, make(r, sizes), noise);
    }
  }
}

/** 10 to 23 neighbouring sizes from 1 to 8 on, and a base of 2, or of 1.3 to 2.5. */
export function* exponentials(seed: number, each: number): Generator<KnownCurve & { readonly base: number }, void> {
  for (const [k, noise] of NOISES.entries()) {
    const r = random(10_000 * seed + k);
    for (let i = 0; i < each; i++) {
      const from = 1 + Math.floor(r() * 8);
      const sizes = Array.from({ length: 10 + Math.floor(r() * 14) }, (_, at) => from + at);
      const base = one(r, [2, 1.3 + 1.2 * r()]);
      yield { ...withNoise(r, sizes, (n) => 30 + 20 * base ** n, noise), base };
    }
  }
}

/** What is said of curves, and of ten times their largest size. */
export interface Said {
  /** Curves, and those with a prediction. */
  readonly all: number;
  readonly predicted: number;
  /** Predictions whose interval holds the cost. */
  readonly held: number;
  /** The same of laws without `?`. */
  readonly unmarked: number;
  readonly heldUnmarked: number;
  /** Median of (high - low) / cost. */
  readonly width: number;
  /** Curves by the name of the law. */
  readonly names: ReadonlyMap<string, number>;
}

export function saidOf(curves: Iterable<KnownCurve>): Said {
  let [all, unmarked, held, heldUnmarked] = [0, 0, 0, 0];
  const widths: number[] = [];
  const names = new Map<string, number>();
  for (const { sizes, costs, of } of curves) {
    all++;
    const fit = fitLaw(sizes, costs);
    if (!fit) continue;
    names.set(fit.best, (names.get(fit.best) ?? 0) + 1);
    const at = 10 * last(sizes);
    const said = predict(fit, sizes, costs, at);
    if (!said) continue;
    const truth = of(at);
    const holds = truth >= said.low && truth <= said.high;
    if (holds) held++;
    if (!fit.undecided) unmarked++;
    if (!fit.undecided && holds) heldUnmarked++;
    widths.push((said.high - said.low) / said.cost);
  }
  widths.sort((a, b) => a - b);
  return { all, predicted: widths.length, held, unmarked, heldUnmarked, width: widths[widths.length >> 1], names };
}

/** How many of the curves `grows` would call n² or worse. */
export function steepOf(curves: Iterable<KnownCurve>): number {
  let steep = 0;
  for (const { sizes, costs } of curves) {
    const [size, cost] = [Float64Array.from(sizes), Float64Array.from(costs)];
    const fit = fitLaw(size, cost);
    if (fit && isSteep(fit) && fitsLargest(fit, size, cost) && staysSteep(size, cost)) steep++;
  }
  return steep;
}
