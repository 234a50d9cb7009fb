// Numbers pairs of whole numbers, such as edges or locations. A Map takes three times as long.
import { type ArrayConstructor, GrowableColumn } from './column.ts';
import { HashTable } from './hash-table.ts';

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
