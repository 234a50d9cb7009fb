// Binary search.

/** The first of 0 .. n-1 that passes the test, provided that all after it pass too; n if none does. */
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
