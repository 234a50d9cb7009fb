// Finds rows of a columnar table by their contents. It uses open addressing: slots hold row numbers, not objects.
import { type ArrayConstructor, GrowableColumn, growColumn } from './column.ts';

/** A hash table of rows, numbered densely from 0. Subclasses define equality. Rows that are not inserted are not found. */
export abstract class HashTable {
  private slots = new Int32Array(1 << 12).fill(-1);
  /** By row: its hash, which tells most unequal rows apart. */
  private hashes = new Int32Array(1 << 11);
  protected rowCount = 0;
  /** The slot at which the last unsuccessful search ended. */
  private free = 0;

  /** Whether a row equals the one being looked up. */
  protected abstract isWanted(row: number): boolean;

  /** The row with this hash that isWanted() accepts; -1 if there is none. */
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
    this.hashes = growColumn(this.hashes, rows);
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 4).fill(-1);
    const mask = slots.length - 1;
    const { hashes, rowCount } = this;
    // Iterating by row, not by slot, means that only the new table is accessed at random.
    for (let row = 0; row < rowCount; row++) {
      let slot = hashes[row] & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = row;
    }
    this.slots = slots;
  }
}

/** Numbers pairs of whole numbers, such as edges or locations. A Map takes three times as long. */
export class PairTable<A extends Int32Array | Uint32Array = Int32Array> extends HashTable {
  readonly first: GrowableColumn<A>;
  readonly second: GrowableColumn<A>;
  private wantedFirst = 0;
  private wantedSecond = 0;

  constructor(make: ArrayConstructor<A>) {
    super();
    this.first = new GrowableColumn(make);
    this.second = new GrowableColumn(make);
  }

  get size(): number {
    return this.first.length;
  }

  /** The number of a pair. Numbers are dense from 0, in order of first appearance. */
  numberOf(first: number, second: number): number {
    const known = this.findId(first, second);
    if (known >= 0) return known;
    this.first.push(first);
    this.second.push(second);
    return this.insert(pairHash(first, second));
  }

  /** The number of a pair; -1 if it has none. */
  findId(first: number, second: number): number {
    this.wantedFirst = first;
    this.wantedSecond = second;
    return this.find(pairHash(first, second));
  }

  protected isWanted(row: number): boolean {
    return this.second.data[row] === this.wantedSecond && this.first.data[row] === this.wantedFirst;
  }
}

function pairHash(first: number, second: number): number {
  const product = Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b);
  return product ^ (product >>> 15);
}
