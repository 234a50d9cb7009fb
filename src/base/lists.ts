// Lists by key.

/** Adds a value to the list of its key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Values by their keys, each list in their order. */
export function listsBy<V, K>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const lists = new Map<K, V[]>();
  for (const value of values) addTo(lists, keyOf(value), value);
  return lists;
}

/** Pairs what has the same key, in order: the first with the first. `left`: those of the other list without one, in their order. */
export function pairedBy<V, K>(
  values: Iterable<V>,
  keyOf: (value: V) => K,
  others: readonly V[],
  keyOfOther: (value: V) => K,
): { readonly pairs: [V, V][]; readonly left: V[] } {
  const waiting = listsBy([...others].reverse(), keyOfOther);
  const pairs: [V, V][] = [];
  for (const value of values) {
    const other = waiting.get(keyOf(value))?.pop();
    if (other !== undefined) pairs.push([value, other]);
  }
  return { pairs, left: [...waiting.values()].flat() };
}
