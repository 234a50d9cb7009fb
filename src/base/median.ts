// Medians.

/** Sorts the first values of an array. Most lists have few values, and for these this is many times as fast as sort(). */
function sortFirst(values: Float64Array, n: number): void {
  if (n > 40) {
    values.subarray(0, n).sort();
    return;
  }
  for (let i = 1; i < n; i++) {
    const v = values[i];
    let k = i - 1;
    for (; k >= 0 && values[k] > v; k--) values[k + 1] = values[k];
    values[k + 1] = v;
  }
}

/** The median of the first values, which are reordered. */
export function middleOf(values: Float64Array, n: number): number {
  sortFirst(values, n);
  const half = n >> 1;
  return n % 2 === 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

export function medianOf(values: readonly number[] | Float64Array): number {
  return middleOf(Float64Array.from(values), values.length);
}
