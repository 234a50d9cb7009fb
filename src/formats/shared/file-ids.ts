// Numbers by the ids that a file gives them, which are mostly small but may be any.
import { SparseColumn } from '../../model/column.ts';

/** Ids below ALWAYS_DENSE_BELOW + DENSE_SLOTS_PER_ID × (known ids) are stored in the dense table. */
const ALWAYS_DENSE_BELOW = 1 << 16;
const DENSE_SLOTS_PER_ID = 8;
const MAX_DENSE_IDS = 1 << 24;

/** Maps ids of the file to dense numbers: small ids in a table, large sparse ones in a map. */
export class FileIds {
  private readonly dense = new SparseColumn(Int32Array, -1);
  private readonly sparse = new Map<number | bigint, number>();
  /** How often set() was called. */
  count = 0;

  /** The number of an id; -1 if it has none. */
  get(id: number | bigint): number {
    const value = id < MAX_DENSE_IDS ? this.dense.get(Number(id)) : -1;
    return value >= 0 || this.sparse.size === 0 ? value : (this.sparse.get(id) ?? -1);
  }

  set(id: number | bigint, value: number): void {
    if (id < Math.min(MAX_DENSE_IDS, ALWAYS_DENSE_BELOW + DENSE_SLOTS_PER_ID * this.count++)) this.dense.set(Number(id), value);
    else this.sparse.set(id, value);
  }

  /** The number of an id. Numbers are dense from 0, in order of first appearance, unless set() gives others. */
  numberOf(id: number | bigint): number {
    const known = this.get(id);
    if (known < 0) this.set(id, this.count);
    return known < 0 ? this.count - 1 : known;
  }
}
