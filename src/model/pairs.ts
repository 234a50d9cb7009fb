// Numbers pairs of whole numbers, such as edges or locations. A Map takes three times as long.
import { GrowableColumn } from './column.ts';
import { HashTable } from './hash-table.ts';

export class PairTable extends HashTable {
  readonly first = new GrowableColumn(Int32Array);
  readonly second = new GrowableColumn(Int32Array);
  private wantedFirst = 0;
  private wantedSecond = 0;

  get size(): number {
    return this.first.length;
  }

  /** The number of a pair. Numbers are dense from 0, in order of first appearance. */
  numberOf(first: number, second: number): number {
    this.wantedFirst = first;
    this.wantedSecond = second;
    const product = Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b);
    const hash = product ^ (product >>> 15);
    const known = this.find(hash);
    if (known >= 0) return known;
    this.first.push(first);
    this.second.push(second);
    return this.insert(hash);
  }

  protected isWanted(row: number): boolean {
    return this.second.data[row] === this.wantedSecond && this.first.data[row] === this.wantedFirst;
  }
}
