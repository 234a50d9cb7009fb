// Breaks cycles of parent links, which a file may contain.

/** Breaks each cycle by making one of its rows a root (-1). `onCycle` gets that row first. */
export function breakCycles(parent: Int32Array, onCycle: (row: number) => void): void {
  // State 1: the row is on the path being walked. State 2: the row's path is known to end at a root.
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
      onCycle(k);
      parent[k] = -1;
    }
    for (const w of way) state[w] = 2;
  }
}
