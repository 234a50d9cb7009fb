// Medians.

/** The median of the first `n` values, which are reordered. */
export function medianOfFirst(values: Float64Array, n: number): number {
  // A few values, the usual case, are sorted by insertion, much faster than by sort().
  if (n > 40) values.subarray(0, n).sort();
  else
    for (let i = 1; i < n; i++) {
      const v = values[i];
      let k = i - 1;
      for (; k >= 0 && values[k] > v; k--) values[k + 1] = values[k];
      values[k + 1] = v;
    }
  const half = n >> 1;
  return n % 2 === 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

export const medianOf = (values: readonly number[] | Float64Array): number =>
  medianOfFirst(Float64Array.from(values), values.length);
