// The raw columns of two runs side by side: this run's, the base's, and the base's counts of calls.
export type ComparedColumns = ReturnType<typeof columnsOfRuns>;

export function columnsOfRuns(now: number, before: number) {
  const padded = (columns: readonly Float64Array[], count: number, rows: number) =>
    // Kinds without such rows have no columns either.
    columns.length === count ? columns : Array.from({ length: count }, () => new Float64Array(rows));
  return {
    /** The index of the column with the base's call counts. */
    callsBefore: now + before,
    combine: (a: readonly Float64Array[], b: readonly Float64Array[], calls: Float64Array): Float64Array[] => [
      ...padded(a, now, calls.length),
      ...padded(b, before, calls.length),
      calls,
    ],
    /** Picks the columns of one run from those of both. */
    now: <T>(columns: readonly T[]): readonly T[] => columns.slice(0, now),
    before: <T>(columns: readonly T[]): readonly T[] => columns.slice(now, now + before),
    /** The requested columns of one run, in its own numbering. */
    wantedNow: (columns: readonly number[]) => columns.filter((c) => c < now),
    wantedBefore: (columns: readonly number[]) => columns.filter((c) => c >= now && c < now + before).map((c) => c - now),
  };
}
