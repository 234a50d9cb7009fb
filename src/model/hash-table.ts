// Finds rows of a columnar table by their contents. Open addressing: slots hold row numbers, not objects.

import { growTo } from './column.ts';

/** Rows are numbered densely from 0. A subclass defines which rows are equal. Rows that it counts without inserting them are not found. */
export abstract class HashTable {
  private slots = new Int32Array(1 << 12).fill(-1);
  /** By row; the hash tells most unequal rows apart. */
  private hashes = new Int32Array(1 << 11);
  protected rowCount = 0;
  /** The slot where the last unsuccessful search ended. */
  private free = 0;

  /** Whether the row is the one being looked up. */
  protected abstract isWanted(row: number): boolean;

  /** The row that isWanted() accepts, by the hash of what is looked up; -1 if there is none. */
  protected find(hash: number): number {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const row = slots[slot];
      if (row < 0) {
        this.free = slot;
        return -1;
      }
      if (hashes[row] === hash && this.isWanted(row)) return row;
      slot = (slot + 1) & mask;
    }
  }

  /** Inserts the next row, directly after an unsuccessful find(); returns its number. */
  protected insert(hash: number): number {
    const row = this.rowCount++;
    if (row >= this.hashes.length) this.reserve(2 * row);
    this.hashes[row] = hash;
    this.slots[this.free] = row;
    if (this.rowCount * 2 > this.slots.length) this.rehash();
    return row;
  }

  protected reserve(rows: number): void {
    this.hashes = growTo(this.hashes, rows);
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 4).fill(-1);
    const mask = slots.length - 1;
    const { hashes, rowCount } = this;
    // By row, not by slot: of the two tables, only the new one is then read and written here and there.
    for (let row = 0; row < rowCount; row++) {
      let slot = hashes[row] & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = row;
    }
    this.slots = slots;
  }
}
