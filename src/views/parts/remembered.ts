// Caches the last result of a function of a view's context. Drawing and searching ask for the same rows many times, each
// time with a new context object of equal content.

/** Whether two contexts are equal in all properties except the height. Arrays are compared by element. */
function isSameExceptHeight(a: object, b: object): boolean {
  const others = new Map<string, unknown>(Object.entries(b));
  return Object.entries(a).every(([key, value]) => {
    const other = others.get(key);
    if (Array.isArray(value) && Array.isArray(other))
      return value.length === other.length && value.every((v, i) => v === other[i]);
    return value === other || key === 'height';
  });
}

/** Makes `make` return its previous result if its inputs are equal. `make` must not use the height of the context. */
export function cacheLast<C extends object, K, R>(make: (context: C, key: K) => R): (context: C, key: K) => R {
  let last: { readonly context: C; readonly key: K; readonly result: R } | undefined;
  return (context, key) => {
    if (!last || last.key !== key || !isSameExceptHeight(last.context, context))
      last = { context, key, result: make(context, key) };
    return last.result;
  };
}
