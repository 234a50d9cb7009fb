// Binary search.

/** The first of 0 .. n-1 for which the test holds, where it holds for all behind the first; n where it never does. */
export function firstWhere(n: number, test: (k: number) => boolean): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
