// Values and lists by key, and lists in a sentence.

/** The value of a key, made with its first use. */
export function getOrMake<K, V>(values: Map<K, V>, key: K, make: (key: K) => V): V {
  let value = values.get(key);
  if (value === undefined) values.set(key, (value = make(key)));
  return value;
}

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

/** An item of two runs: at least one run has it. */
export interface RunPair<Row> {
  readonly now: Row | undefined;
  readonly before: Row | undefined;
}

/** Pairs what has the same key, in order: the first with the first. `alone`, `left`: the values and the others without one, in their order. */
export function pairByKey<V, K>(
  values: Iterable<V>,
  others: readonly V[],
  keyOf: (value: V, isOther: boolean) => K,
): { readonly pairs: [V, V][]; readonly alone: V[]; readonly left: V[] } {
  const waiting = listsBy([...others].reverse(), (other) => keyOf(other, true));
  const pairs: [V, V][] = [];
  const alone: V[] = [];
  for (const value of values) {
    const other = waiting.get(keyOf(value, false))?.pop();
    if (other === undefined) alone.push(value);
    else pairs.push([value, other]);
  }
  const paired = new Set(pairs.map(([, other]) => other));
  return { pairs, alone, left: others.filter((other) => !paired.has(other)) };
}

/** The first of some names, and how many others there are: `a, b and 3 more`. */
export const joinFirstFew = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');
