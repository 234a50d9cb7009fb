// Caches the last result of a function of a view's context. Drawing and searching ask for the same rows many times, each
// time with a new context object of equal content.
import { haveSameItems } from '../../base/lists.ts';
import type { Kind } from '../../model/profile.ts';
import type { ViewContext } from '../view.ts';

/** All that a context holds, to compare with another one. Its arrays are new in every context, their elements are not. */
export const contentOf = (context: object): readonly unknown[] => Object.values(context).flat();

/** The content of a context but its height, for functions that do not use it. */
export const contentWithoutHeight = (context: object): readonly unknown[] => contentOf({ ...context, height: 0 });

/** Makes `make` return its previous result while its inputs are equal. A result that is not final is made again. */
export function cacheLast<C, R>(
  make: (context: C) => R,
  inputsOf: (context: C) => readonly unknown[],
  isFinal: (result: R, context: C) => boolean = () => true,
): (context: C) => R {
  let last: { readonly inputs: readonly unknown[]; readonly result: R } | undefined;
  return (context) => {
    const inputs = inputsOf(context);
    if (last && haveSameItems(last.inputs, inputs)) return last.result;
    const result = make(context);
    last = isFinal(result, context) ? { inputs, result } : undefined;
    return result;
  };
}

/** The first context with the same analyses and event, for memo(): every key makes a new one. */
export const makeStableContext = <K extends Kind>() =>
  cacheLast(
    (c: ViewContext<K>) => c,
    ({ analysis, base, event }) => [analysis, base, event],
  );
