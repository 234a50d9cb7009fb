// The classes of growth, and laws: cost = a + b f(n) with f of a class, of a sum of two classes, or base^n; or cost = b n^exponent.
import { formatCount } from '../../base/units.ts';

/** The logarithm used by laws and guesses; 0 below n = 2. */
export const log2OrZero = (n: number) => (n > 1 ? Math.log2(n) : 0);

/**
 * The classes in order of growth. The logarithm of n below 2 counts as 0. `slopes`: the range of exponents that a power law
 * through costs of the class may have, because lower terms and offsets bend it. `degree`: about its exponent.
 */
export const GROWTH_CLASSES = [
  { name: 'logN', label: 'log n', of: log2OrZero, slopes: [0, 0.5], degree: 0.1 },
  { name: 'n', label: 'n', of: (n: number) => n, slopes: [0.75, 1.25], degree: 1 },
  { name: 'nLogN', label: 'n log n', of: (n: number) => n * log2OrZero(n), slopes: [0.9, 1.5], degree: 1.1 },
  { name: 'n2', label: 'n²', of: (n: number) => n * n, slopes: [1.75, 2.25], degree: 2 },
  { name: 'n3', label: 'n³', of: (n: number) => n * n * n, slopes: [2.75, 3.25], degree: 3 },
] as const;
const CONSTANT_CLASS = { name: 'constant', label: '1', of: (_: number) => 0, slopes: [-0.15, 0.15], degree: 0 } as const;

/** Sums of two terms; the higher term dominates from `Law.from` on. n and n log n look alike below n², so they share a label. */
export const GROWTH_SUMS = [
  { name: 'nN2', label: 'n + n²', lower: 'n', higher: 'n2' },
  { name: 'nLogNN2', label: 'n + n²', lower: 'nLogN', higher: 'n2' },
  { name: 'n2N3', label: 'n² + n³', lower: 'n2', higher: 'n3' },
] as const;

export type ClassName = GrowthClass['name'];
type GrowthClass = typeof CONSTANT_CLASS | (typeof GROWTH_CLASSES)[number];
type GrowthSum = (typeof GROWTH_SUMS)[number];
export type LawName = ClassName | GrowthSum['name'] | 'power' | 'exponential';

export const CLASS_NAMES: readonly ClassName[] = ['constant', ...GROWTH_CLASSES.map((c) => c.name)];

export interface Law {
  readonly name: LawName;
  readonly a: number;
  readonly b: number;
  /** Only for power laws. */
  readonly exponent?: number;
  readonly base?: number;
  /** Sums: the size where both terms are equal. Exponential laws: the size whose f(n) is 1. */
  readonly from?: number;
}

type LawShape = Pick<Law, 'name' | 'exponent' | 'base' | 'from'>;

/** The degree of an exponential law: above that of all others. */
const EXPONENTIAL_DEGREE = 100;

export const growthSumOf = (name: LawName): GrowthSum | undefined => GROWTH_SUMS.find((s) => s.name === name);

export const growthClassOf = (name: LawName): GrowthClass => GROWTH_CLASSES.find((c) => c.name === name) ?? CONSTANT_CLASS;

/** f of a law, so that its cost is a + b f(n). */
export function growthFunction({ name, exponent = 1, base = 1, from = 1 }: LawShape): (n: number) => number {
  if (name === 'power') return (n) => n ** exponent;
  if (name === 'exponential') return (n) => base ** (n - from);
  const sum = growthSumOf(name);
  if (!sum) return growthClassOf(name).of;
  const [low, high] = [growthClassOf(sum.lower).of, growthClassOf(sum.higher).of];
  const share = low(from) / high(from);
  return (n) => low(n) + share * high(n);
}

/** The cost of a call by a law; laws are not clipped, so an offset may make it negative. */
export const costByLaw = (law: Law, n: number): number => law.a + law.b * growthFunction(law)(n);

/** A law as people write it: `n²`, `n^1.45`, `n + n²`, `2ⁿ`. */
export function lawLabel({ name, exponent, base }: LawShape): string {
  if (name === 'power') return `n^${exponent?.toFixed(2) ?? '?'}`;
  if (name === 'exponential') return `${Number(base?.toFixed(base < 1.1 ? 3 : 2))}ⁿ`;
  return growthSumOf(name)?.label ?? growthClassOf(name).label;
}

/** The label of a law, with the size from which the higher term of a sum dominates: `n, n² from 4,000 on`. */
export function growthText(law: LawShape): string {
  const sum = growthSumOf(law.name);
  if (!sum || law.from === undefined) return lawLabel(law);
  const from = formatCount(Number(law.from.toPrecision(2)));
  return `${growthClassOf(sum.lower).label}, ${growthClassOf(sum.higher).label} from ${from} on`;
}

/** Upper bound for the factors of exponential laws, which would exceed all numbers. */
const MAX_GROWTH_FACTOR = 1e18;

/** The growth factor of a cost from a size to ten times that size; undefined if the law gives none. */
export function tenfoldFactor(law: Law, size: number): number | undefined {
  const now = costByLaw(law, size);
  const then = costByLaw(law, 10 * size);
  if (!(now > 0) || Number.isNaN(then)) return undefined;
  return law.name === 'exponential' ? Math.min(MAX_GROWTH_FACTOR, then / now) : Number.isFinite(then) ? then / now : undefined;
}

/** Laws in order of growth: about their exponent of n, of sums that of the higher term. */
export function degreeOf({ name, exponent = 1 }: LawShape): number {
  if (name === 'power') return exponent;
  if (name === 'exponential') return EXPONENTIAL_DEGREE;
  return growthClassOf(growthSumOf(name)?.higher ?? name).degree;
}
