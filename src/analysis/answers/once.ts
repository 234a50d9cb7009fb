// Caches expensive results, which are computed on first use.

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A test for active parts; undefined if all parts are active. */
export type Active = ((part: number) => boolean) | undefined;

export const activeIn = (partsOff: ReadonlySet<number>): Active =>
  partsOff.size > 0 ? (part) => !partsOff.has(part) : undefined;
