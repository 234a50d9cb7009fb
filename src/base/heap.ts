// A binary heap of numbers.

/** A heap whose smallest key comes out first. */
export class MinHeap {
  private readonly keys: number[] = [];
  private readonly values: number[] = [];

  get size(): number {
    return this.keys.length;
  }

  /** The smallest key; the heap must not be empty. */
  get least(): number {
    return this.keys[0];
  }

  push(key: number, value: number): void {
    const { keys, values } = this;
    let at = keys.length;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (keys[up] <= key) break;
      keys[at] = keys[up];
      values[at] = values[up];
      at = up;
    }
    keys[at] = key;
    values[at] = value;
  }

  /** The value with the smallest key; the heap must not be empty. */
  pop(): number {
    const { keys, values } = this;
    const out = values[0];
    const key = keys.pop() ?? 0;
    const value = values.pop() ?? -1;
    const n = keys.length;
    if (n === 0) return out;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= n) break;
      if (down + 1 < n && keys[down + 1] < keys[down]) down++;
      if (keys[down] >= key) break;
      keys[at] = keys[down];
      values[at] = values[down];
      at = down;
    }
    keys[at] = key;
    values[at] = value;
    return out;
  }
}
