// The resolution of a file's clock: build tools write milliseconds, most traces microseconds, some fractions of one.

const TICKS_US = [1000, 1] as const;
/** Fractions are nanoseconds. */
const FINEST_US = 0.001;

/** The longest tick in microseconds that all times are multiples of, as far as their digits tell; NaN in the lists is left out. */
function tickUs(...lists: readonly ArrayLike<number>[]): number {
  let k = 0;
  let largest = 0;
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const us = list[i];
      if (Number.isNaN(us)) continue;
      while (k < TICKS_US.length && us % TICKS_US[k] !== 0) k++;
      largest = Math.max(largest, Math.abs(us));
    }
  }
  // A double since 1970 in microseconds has quarters left.
  return Math.max(k < TICKS_US.length ? TICKS_US[k] : FINEST_US, 2 ** Math.ceil(Math.log2(largest) - 53));
}

/** Times closer than this count as equal: start and duration are both rounded, and decimal fractions once more to binary ones. */
export function slackOf(...lists: readonly ArrayLike<number>[]): number {
  return 2.001 * tickUs(...lists);
}
