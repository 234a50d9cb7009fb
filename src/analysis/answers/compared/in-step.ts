// Tables of two builds, which are written in nearly the same order: most rows of one are found where the last one was found.

/** How far ahead of the last row the next one is looked for. */
const AHEAD = 4;

/** By row of the base: the row of this run that is the same, as far as it is found so; -1 for the others. `taken`: 1 for rows of this run. */
export function inStep(
  ours: number,
  theirs: number,
  same: (now: number, before: number) => boolean,
): { readonly of: Int32Array; readonly taken: Uint8Array } {
  const of = new Int32Array(theirs).fill(-1);
  const taken = new Uint8Array(ours);
  let next = 0;
  for (let b = 0; b < theirs; b++) {
    for (let n = next; n < ours && n < next + AHEAD; n++) {
      if (taken[n] || !same(n, b)) continue;
      of[b] = n;
      taken[n] = 1;
      next = n + 1;
      break;
    }
  }
  return { of, taken };
}
