// Expensive results, computed on first use.

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** True for the parts that are on; undefined if all are. */
export type Active = ((part: number) => boolean) | undefined;

export function activeIn(partsOff: ReadonlySet<number>): Active {
  return partsOff.size > 0 ? (part) => !partsOff.has(part) : undefined;
}
