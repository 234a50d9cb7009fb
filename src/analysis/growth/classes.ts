// The classes of growth, and laws: cost = a + b f(n) with f of a class, of a sum of two classes, or base^n; or cost = b n^exponent.
import { formatCount } from '../../base/units.ts';

/** The logarithm that laws and guesses are made of. */
export const log2 = (n: number) => (n > 1 ? Math.log2(n) : 0);

/**
 * The classes in order of growth. For n below 2 the logarithm is taken as 0. `slopes`: the exponents of n that a power law through costs
 * of the class may have: lower terms and offsets bend it that far. `degree`: about its exponent.
 */
export const CLASSES = [
  { name: 'logN', label: 'log n', of: log2, slopes: [0, 0.5], degree: 0.1 },
  { name: 'n', label: 'n', of: (n: number) => n, slopes: [0.75, 1.25], degree: 1 },
  { name: 'nLogN', label: 'n log n', of: (n: number) => n * log2(n), slopes: [0.9, 1.5], degree: 1.1 },
  { name: 'n2', label: 'n²', of: (n: number) => n * n, slopes: [1.75, 2.25], degree: 2 },
  { name: 'n3', label: 'n³', of: (n: number) => n * n * n, slopes: [2.75, 3.25], degree: 3 },
] as const;
const CONSTANT = { name: 'constant', label: '1', of: (_: number) => 0, slopes: [-0.15, 0.15], degree: 0 } as const;

/** Sums of two terms, of which the higher one takes over at `Law.from`. n and n log n cannot be told apart below n², so they have one label. */
export const SUMS = [
  { name: 'nN2', label: 'n + n²', lower: 'n', higher: 'n2' },
  { name: 'nLogNN2', label: 'n + n²', lower: 'nLogN', higher: 'n2' },
  { name: 'n2N3', label: 'n² + n³', lower: 'n2', higher: 'n3' },
] as const;

export type ClassName = Class['name'];
type Class = typeof CONSTANT | (typeof CLASSES)[number];
type Sum = (typeof SUMS)[number];
export type SumName = Sum['name'];
export type LawName = ClassName | SumName | 'power' | 'exponential';

export const CLASS_NAMES: readonly ClassName[] = ['constant', ...CLASSES.map((c) => c.name)];

export interface Law {
  readonly name: LawName;
  readonly a: number;
  readonly b: number;
  /** A power law's alone. */
  readonly exponent?: number;
  /** An exponential law's alone. */
  readonly base?: number;
  /** Sums: the size where both terms are equal. Exponential laws: the size whose f(n) is 1. */
  readonly from?: number;
}

type Shape = Pick<Law, 'name' | 'exponent' | 'base' | 'from'>;

/** The degree of an exponential law: above that of all others. */
const EXPONENTIAL = 100;

export const sumOf = (name: LawName): Sum | undefined => SUMS.find((s) => s.name === name);

export const classOf = (name: LawName): Class => CLASSES.find((c) => c.name === name) ?? CONSTANT;

/** f of a law, so that its cost is a + b f(n). */
export function shapeOf({ name, exponent = 1, base = 1, from = 1 }: Shape): (n: number) => number {
  if (name === 'power') return (n) => n ** exponent;
  if (name === 'exponential') return (n) => base ** (n - from);
  const sum = sumOf(name);
  if (!sum) return classOf(name).of;
  const [low, high] = [classOf(sum.lower).of, classOf(sum.higher).of];
  const share = low(from) / high(from);
  return (n) => low(n) + share * high(n);
}

/** The cost of a call by a law; laws are not clipped, so an offset may make it negative. */
export function lawAt(law: Law, n: number): number {
  return law.a + law.b * shapeOf(law)(n);
}

/** A law as people write it: `n²`, `n^1.45`, `n + n²`, `2ⁿ`. */
export function labelOf({ name, exponent, base }: Shape): string {
  if (name === 'power') return `n^${exponent?.toFixed(2) ?? '?'}`;
  if (name === 'exponential') return `${Number(base?.toFixed(base < 1.1 ? 3 : 2))}ⁿ`;
  return sumOf(name)?.label ?? classOf(name).label;
}

/** The same, with the size where the higher term of a sum takes over: `n, n² from 4,000 on`. */
export function growthText(law: Shape): string {
  const sum = sumOf(law.name);
  if (!sum || law.from === undefined) return labelOf(law);
  const from = formatCount(Number(law.from.toPrecision(2)));
  return `${classOf(sum.lower).label}, ${classOf(sum.higher).label} from ${from} on`;
}

/** The factors of exponential laws pass all numbers: no greater one is told. */
const MOST_FACTOR = 1e18;

/** The factor by which a cost that follows the law grows from a size to one ten times as large; undefined where it has none. */
export function tenfoldOf(law: Law, size: number): number | undefined {
  const now = lawAt(law, size);
  const then = lawAt(law, 10 * size);
  if (!(now > 0) || Number.isNaN(then)) return undefined;
  return law.name === 'exponential' ? Math.min(MOST_FACTOR, then / now) : Number.isFinite(then) ? then / now : undefined;
}

/** Laws in order of growth: about their exponent of n, of sums that of the higher term. */
export function degreeOf({ name, exponent = 1 }: Shape): number {
  if (name === 'power') return exponent;
  if (name === 'exponential') return EXPONENTIAL;
  return classOf(sumOf(name)?.higher ?? name).degree;
}
