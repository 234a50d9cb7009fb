// The classes of growth, and laws: cost = a + b f(n) with f of a class, or cost = b n^exponent.

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

export type ClassName = Class['name'];
type Class = typeof CONSTANT | (typeof CLASSES)[number];
export type LawName = ClassName | 'power';

export const CLASS_NAMES: readonly ClassName[] = ['constant', ...CLASSES.map((c) => c.name)];

export interface Law {
  readonly name: LawName;
  readonly a: number;
  readonly b: number;
  /** A power law's alone. */
  readonly exponent?: number;
}

export const classOf = (name: ClassName): Class => CLASSES.find((c) => c.name === name) ?? CONSTANT;

/** f of a law, so that its cost is a + b f(n). */
export function shapeOf(law: { readonly name: LawName; readonly exponent?: number }): (n: number) => number {
  const { name, exponent = 1 } = law;
  return name === 'power' ? (n) => n ** exponent : classOf(name).of;
}

/** The cost of a call by a law; laws are not clipped, so an offset may make it negative. */
export function lawAt(law: Law, n: number): number {
  return law.a + law.b * shapeOf(law)(n);
}

/** A class or power law as people write it: `n²`, `n^1.45`. */
export function labelOf(law: { readonly name: LawName; readonly exponent?: number }): string {
  if (law.name === 'power') return `n^${law.exponent?.toFixed(2) ?? '?'}`;
  return classOf(law.name).label;
}

/** The factor by which a cost that follows the law grows from a size to one ten times as large; undefined where it has none. */
export function tenfoldOf(law: Law, size: number): number | undefined {
  const now = lawAt(law, size);
  const then = lawAt(law, 10 * size);
  return now > 0 && Number.isFinite(then) ? then / now : undefined;
}

/** Laws in order of growth: about their exponent of n. */
export function degreeOf(law: { readonly name: LawName; readonly exponent?: number }): number {
  const { name, exponent = 1 } = law;
  return name === 'power' ? exponent : classOf(name).degree;
}
