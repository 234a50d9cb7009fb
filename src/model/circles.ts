// Parents that a file states may lead around in a circle.

/** Makes a root (-1) of one row of each circle; `found` is told of it before. */
export function cutCircles(parent: Int32Array, found: (row: number) => void): void {
  // 1: on the way up that is being walked; 2: known to end at a root.
  const state = new Uint8Array(parent.length);
  for (let i = 0; i < parent.length; i++) {
    const way: number[] = [];
    let k = i;
    while (k >= 0 && state[k] === 0) {
      state[k] = 1;
      way.push(k);
      k = parent[k];
    }
    if (k >= 0 && state[k] === 1) {
      found(k);
      parent[k] = -1;
    }
    for (const w of way) state[w] = 2;
  }
}
