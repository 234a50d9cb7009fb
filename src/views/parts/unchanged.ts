// Why a key would do nothing, found by trying: the action is applied, and the state that it leads to is compared.
import type { Kind } from '../../model/profile.ts';
import type { Binding, ViewAction, ViewContext } from '../view.ts';

type Reason<S, K extends Kind> = string | ((state: S, context: ViewContext<K>) => string);

/**
 * The keys, with reasons where they would leave the state as it is, by the first key of a binding, or its action where it has none; `none` says why no key
 * has anything to do.
 */
export function withReasons<S extends object, A extends ViewAction, K extends Kind>(
  keys: readonly Binding<S, A, K>[],
  change: (state: S, action: A, context: ViewContext<K>) => S,
  reasons: Readonly<Record<string, Reason<S, K>>>,
  none: (state: S, context: ViewContext<K>) => string | undefined = () => undefined,
): readonly Binding<S, A, K>[] {
  const why = new Map(Object.entries(reasons));
  return keys.map((b) => {
    const reason = why.get(b.keys[0] ?? b.action.type);
    if (reason === undefined) return b;
    return {
      ...b,
      off: (state, c) => b.off?.(state, c) ?? none(state, c),
      still(state, c) {
        if (!isSame(change(state, b.action, c), state)) return undefined;
        return typeof reason === 'string' ? reason : reason(state, c);
      },
    };
  });
}

/** Whether two states say the same: their fields are compared, and what is in small lists, objects and sets. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((x) => b.has(x));
  const fields = new Map(Object.entries(b));
  return Object.keys(a).length === fields.size && Object.entries(a).every(([k, v]) => fields.has(k) && isSame(v, fields.get(k)));
}
