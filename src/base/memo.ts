// Remembers the last results of a pure function whose arguments are compared by identity. Views are pure; this keeps a
// cursor move from sorting a million rows again.

export function memo<A extends readonly unknown[], R>(fn: (...args: A) => R, keep = 2): (...args: A) => R {
  const held: { args: A; result: R }[] = [];
  return (...args: A) => {
    const at = held.findIndex((h) => h.args.length === args.length && h.args.every((a, i) => Object.is(a, args[i])));
    if (at >= 0) {
      const hit = held[at];
      if (at > 0) {
        held.splice(at, 1);
        held.unshift(hit);
      }
      return hit.result;
    }
    const result = fn(...args);
    held.unshift({ args, result });
    if (held.length > keep) held.pop();
    return result;
  };
}
