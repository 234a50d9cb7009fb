// The raw columns of two runs side by side: this run's, the base's, and the base's counts of calls.
export interface ComparedColumns {
  /** The index of the column with the base's call counts. */
  readonly callsBefore: number;
  combine(now: readonly Float64Array[], before: readonly Float64Array[], callsBefore: Float64Array): Float64Array[];
  /** Picks the columns of one run from those of both. */
  now<T>(columns: readonly T[]): readonly T[];
  before<T>(columns: readonly T[]): readonly T[];
  /** The requested columns of one run, in its own numbering. */
  wantedNow(columns: readonly number[]): readonly number[];
  wantedBefore(columns: readonly number[]): readonly number[];
}

export function columnsOfRuns(now: number, before: number): ComparedColumns {
  const padded = (columns: readonly Float64Array[], count: number, rows: number) =>
    // Kinds without such rows have no columns either.
    columns.length === count ? columns : Array.from({ length: count }, () => new Float64Array(rows));
  return {
    callsBefore: now + before,
    combine: (a, b, calls) => [...padded(a, now, calls.length), ...padded(b, before, calls.length), calls],
    now: (columns) => columns.slice(0, now),
    before: (columns) => columns.slice(now, now + before),
    wantedNow: (columns) => columns.filter((c) => c < now),
    wantedBefore: (columns) => columns.filter((c) => c >= now && c < now + before).map((c) => c - now),
  };
}
