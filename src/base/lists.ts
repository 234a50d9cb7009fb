// Maps of values and lists by key, sets, lists of names in a sentence, and lists in order: sorting, binary search.

/** The value of a key; it is made when the key is first used. */
export function getOrMake<K, V>(values: Map<K, V>, key: K, make: (key: K) => V): V {
  let value = values.get(key);
  if (value === undefined) values.set(key, (value = make(key)));
  return value;
}

/** The value of a key in a cache, made when it is missing. The cache is emptied before it holds more than `most` values. */
export function getOrCache<K, V>(cache: Map<K, V>, key: K, most: number, make: (key: K) => V): V {
  if (cache.size >= most && !cache.has(key)) cache.clear();
  return getOrMake(cache, key, make);
}

export function addToList<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Groups values into one list per key. Lists keep the order of the values. */
export function groupByKey<V, K>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const lists = new Map<K, V[]>();
  for (const value of values) addToList(lists, keyOf(value), value);
  return lists;
}

/** A copy of a set: without the item if the set has it, else with it. */
export function toggleItem<T>(items: ReadonlySet<T>, item: T): Set<T> {
  const copy = new Set(items);
  if (!copy.delete(item)) copy.add(item);
  return copy;
}

/** An item in this run and in the base. At least one run has it. */
export interface RunPair<Row> {
  readonly now: Row | undefined;
  readonly before: Row | undefined;
}

/** Pairs values with others of the same key, in order. `alone` and `left`: values and others without a partner, in order. */
export function pairByKey<V, K>(values: Iterable<V>, others: readonly V[], keyOf: (value: V, isOther: boolean) => K) {
  const waiting = groupByKey([...others].reverse(), (other) => keyOf(other, true));
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

/** Lists the first names, and counts the rest: `a, b and 3 more`. */
export const joinFirstFew = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');

/** Sorts rows by a key, which is computed once per row. Equal rows keep their order; unknown numbers (NaN) come last. */
export function sortedByKey<T>(rows: readonly T[], key: (row: T) => number | string, descending: boolean): T[] {
  const sign = descending ? -1 : 1;
  const place = (v: number | string) => (typeof v === 'number' && Number.isNaN(v) ? sign * Number.POSITIVE_INFINITY : v);
  const keyed = rows.map((row) => ({ row, key: place(key(row)) }));
  keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0));
  return keyed.map((k) => k.row);
}

/** The first index of 0 .. n-1 that passes the test, or n. All indexes after it must pass, too. */
export function firstIndexWhere(n: number, test: (k: number) => boolean): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
