// Matches tables of two builds with nearly the same order: most matches directly follow the last one.

/** How many rows ahead of the last match the next one is searched for. */
const LOOKAHEAD_ROWS = 4;

/** By row of the base: the matching row of this run; -1 if none was found. `taken`: 1 for matched rows of this run. */
export function matchInOrder(ours: number, theirs: number, same: (now: number, before: number) => boolean) {
  const of = new Int32Array(theirs).fill(-1);
  const taken = new Uint8Array(ours);
  let next = 0;
  for (let b = 0; b < theirs; b++) {
    for (let n = next; n < ours && n < next + LOOKAHEAD_ROWS; n++) {
      if (taken[n] || !same(n, b)) continue;
      of[b] = n;
      taken[n] = 1;
      next = n + 1;
      break;
    }
  }
  return { of, taken };
}
