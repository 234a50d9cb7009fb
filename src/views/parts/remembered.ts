// Caches the last result of a function of a view's context. Drawing and searching ask for the same rows many times, each
// time with a new context object of equal content.
import { haveSameItems } from '../../base/memo.ts';

/** All that a context holds, to compare with another one. Its arrays are new in every context, their elements are not. */
export const contentOf = (context: object): readonly unknown[] => Object.values(context).flat();

/** Makes `make` return its previous result if its inputs are equal. `make` must not use the height of the context. */
export function cacheLast<C extends object, R>(make: (context: C) => R): (context: C) => R {
  let last: { readonly inputs: readonly unknown[]; readonly result: R } | undefined;
  return (context) => {
    const inputs = contentOf({ ...context, height: 0 });
    if (!last || !haveSameItems(last.inputs, inputs)) last = { inputs, result: make(context) };
    return last.result;
  };
}
