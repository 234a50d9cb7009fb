// The last result of a function of a view's context. A frame, and a search over the rows, asks for the same rows many times, and every
// time the context is another object with the same in it.

/** Whether two contexts have the same in all that rows are made of; lists may be other lists of the same. */
function isSame(a: object, b: object): boolean {
  const others = new Map<string, unknown>(Object.entries(b));
  return Object.entries(a).every(([key, value]) => {
    const other = others.get(key);
    if (Array.isArray(value) && Array.isArray(other))
      return value.length === other.length && value.every((v, i) => v === other[i]);
    return value === other || key === 'height';
  });
}

/** `make` may use all of the context but its height. */
export function remembered<C extends object, K, R>(make: (context: C, key: K) => R): (context: C, key: K) => R {
  let last: { readonly context: C; readonly key: K; readonly result: R } | undefined;
  return (context, key) => {
    if (!last || last.key !== key || !isSame(last.context, context)) last = { context, key, result: make(context, key) };
    return last.result;
  };
}
