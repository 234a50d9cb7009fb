// Expensive results, computed on first use.
import { atOnce } from '../base/slices.ts';

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A result that may be computed before it is used, a slice at a time. */
export interface Sliced<T> {
  /** The result; computed at once if it is not there yet. */
  readonly now: () => T;
  /** Computes it if it is not there yet, and yields between slices. */
  readonly inSlices: () => Generator<undefined, T>;
}

export function onceInSlices<T>(job: () => Generator<undefined, T>): Sliced<T> {
  let made: { readonly value: T } | undefined;
  function* inSlices() {
    made ??= { value: yield* job() };
    return made.value;
  }
  return {
    now: () => (made ? made.value : atOnce(inSlices())),
    inSlices,
  };
}

/** True for the parts that are on; undefined if all are. */
export type Active = ((part: number) => boolean) | undefined;

export function activeIn(partsOff: ReadonlySet<number>): Active {
  return partsOff.size > 0 ? (part) => !partsOff.has(part) : undefined;
}
