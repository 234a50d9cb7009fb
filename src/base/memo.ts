// Caches the last results of a pure function, comparing its arguments by identity.
// Views are pure: the cache keeps a cursor move from sorting a million rows again.

/** Whether the items are identical, one by one. */
export function haveSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}

/** A test of numbers below `count` that is evaluated once per number. */
export function memoTest(count: number, test: (n: number) => boolean): (n: number) => boolean {
  const known = new Uint8Array(count);
  return (n) => {
    if (known[n] === 0) known[n] = test(n) ? 2 : 1;
    return known[n] === 2;
  };
}

export function memo<A extends readonly unknown[], R>(fn: (...args: A) => R, keep = 2): (...args: A) => R {
  const held: { args: A; result: R }[] = [];
  return (...args: A) => {
    // A loop is faster than findIndex() here: some functions are called for every cell of the screen.
    let at = 0;
    while (at < held.length && !haveSameItems(held[at].args, args)) at++;
    if (at < held.length) {
      const hit = held[at];
      for (; at > 0; at--) held[at] = held[at - 1];
      held[0] = hit;
      return hit.result;
    }
    const result = fn(...args);
    held.unshift({ args, result });
    if (held.length > keep) held.pop();
    return result;
  };
}
