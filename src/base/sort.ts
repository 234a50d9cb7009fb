// Sorts rows by a key.

/** Sorts rows by a key, which is computed once per row. Equal rows keep their order; unknown numbers (NaN) come last. */
export function sortedByKey<T>(rows: readonly T[], key: (row: T) => number | string, descending: boolean): T[] {
  const sign = descending ? -1 : 1;
  const place = (v: number | string) => (typeof v === 'number' && Number.isNaN(v) ? sign * Number.POSITIVE_INFINITY : v);
  const keyed = rows.map((row) => ({ row, key: place(key(row)) }));
  keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0));
  return keyed.map((k) => k.row);
}
