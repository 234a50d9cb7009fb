// Lists, sets and maps of common operations, and the results of functions that are kept.

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

export const mapOf = <V>(values: Readonly<Record<string, V>>): Map<string, V> => new Map(Object.entries(values));

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

/** The items that pass a test, then the others, each in their order. */
export const withFirst = <T>(items: readonly T[], test: (item: T) => boolean): T[] => [
  ...items.filter(test),
  ...items.filter((item) => !test(item)),
];

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

/** The first number, the number that `next` has for it, and so on, up to the first negative one. */
export function numbersAlong(next: ArrayLike<number>, first: number): number[] {
  const out: number[] = [];
  for (let at = first; at >= 0; at = next[at]) out.push(at);
  return out;
}

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

/** Keeps the last results of a pure function, by the identity of its arguments: a cursor move does not sort a million rows again. */
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
