// A queue of numbers in order of their keys.
import TinyQueue from 'tinyqueue';

/** A queue whose smallest key comes out first. Values are at least 0. */
export class MinHeap {
  private readonly queue = new TinyQueue<readonly [key: number, value: number]>([], ([a], [b]) => a - b);

  get size(): number {
    return this.queue.length;
  }

  /** The smallest key; NaN without one. */
  get least(): number {
    return this.queue.peek()?.[0] ?? Number.NaN;
  }

  push(key: number, value: number): void {
    this.queue.push([key, value]);
  }

  /** The value with the smallest key; -1 without one. */
  pop(): number {
    return this.queue.pop()?.[1] ?? -1;
  }
}
