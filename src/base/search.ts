// Binary search.

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
