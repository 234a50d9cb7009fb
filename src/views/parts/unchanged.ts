// Detects keys without effect: applies their action, and compares the states before and after.
import type { Kind } from '../../model/profile.ts';
import type { Binding, ViewAction, ViewContext } from '../view.ts';

/**
 * Adds to each binding the reason that is shown if its action does not change the state. `reasons`: by first key, or by action
 * type for actions without keys. `none`: the reason why all these keys are disabled, if they are.
 */
export function withNoEffectReasons<S extends object, A extends ViewAction, K extends Kind>(
  keys: readonly Binding<S, A, K>[],
  change: (state: S, action: A, context: ViewContext<K>) => S,
  reasons: Readonly<Record<string, string | ((state: S, context: ViewContext<K>) => string)>>,
  none: (state: S, context: ViewContext<K>) => string | undefined = () => undefined,
): readonly Binding<S, A, K>[] {
  const why = new Map(Object.entries(reasons));
  return keys.map((b) => {
    const reason = why.get(b.keys[0] ?? b.action.type);
    if (reason === undefined) return b;
    return {
      ...b,
      off: (state, c) => b.off?.(state, c) ?? none(state, c),
      noEffectReason(state, c) {
        if (!isSameState(change(state, b.action, c), state)) return undefined;
        return typeof reason === 'string' ? reason : reason(state, c);
      },
    };
  });
}

/** Whether two states are equal, comparing arrays, objects and sets by content. */
function isSameState(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((x) => b.has(x));
  const fields = new Map(Object.entries(b));
  return (
    Object.keys(a).length === fields.size && Object.entries(a).every(([k, v]) => fields.has(k) && isSameState(v, fields.get(k)))
  );
}
