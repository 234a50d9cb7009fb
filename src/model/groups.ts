// Groups rows that have equal keys.

/** Sorts rows by the first column, then by the next ones. The sort is stable. */
export function sortRows(rows: readonly number[], ...columns: (ArrayLike<number> | undefined)[]): number[] {
  const given = columns.filter((column) => column !== undefined);
  return [...rows].sort((a, b) => {
    for (const column of given) if (column[a] !== column[b]) return column[a] - column[b];
    return 0;
  });
}

type GroupKey = string | number;

/** Gives keys dense numbers from 0, in order of first appearance. */
export class Numbering<K extends GroupKey = GroupKey> extends Map<K, number> {
  numberOf(key: K): number {
    let n = this.get(key);
    if (n === undefined) this.set(key, (n = this.size));
    return n;
  }
}

/** A grouping: the group of each row, and the first row of each group. */
export class Groups {
  constructor(
    readonly groupOf: Uint32Array,
    readonly first: readonly number[],
  ) {}

  /** Groups rows 0 .. rows-1 by their keys. Groups are in order of first appearance. */
  static groupBy(rows: number, key: (row: number) => GroupKey): Groups {
    const known = new Numbering();
    const of = new Uint32Array(rows);
    const first: number[] = [];
    for (let row = 0; row < rows; row++) {
      of[row] = known.numberOf(key(row));
      if (of[row] === first.length) first.push(row);
    }
    return new Groups(of, first);
  }

  /** Sorts the groups by the columns' values at their first rows: by the first column, then by the next ones. */
  sortBy(...columns: (ArrayLike<number> | undefined)[]): Groups {
    const first = sortRows(this.first, ...columns);
    const at = new Uint32Array(first.length);
    for (let place = 0; place < first.length; place++) at[this.groupOf[first[place]]] = place;
    const groupOf = this.groupOf.map((group) => at[group]);
    return new Groups(groupOf, first);
  }

  /** Sums a column for each group. `rows`: the index into the column for each row. */
  sum(column: ArrayLike<number>, rows?: ArrayLike<number>): Float64Array {
    const out = new Float64Array(this.first.length);
    const { groupOf } = this;
    for (let k = 0; k < groupOf.length; k++) out[groupOf[k]] += column[rows ? rows[k] : k];
    return out;
  }

  sums(columns: readonly ArrayLike<number>[], rows?: ArrayLike<number>): Float64Array[] {
    return columns.map((column) => this.sum(column, rows));
  }

  /** Combines the bits of all rows of each group with a bitwise or. */
  combineBits(column: Uint8Array, rows?: ArrayLike<number>): Uint8Array {
    const out = new Uint8Array(this.first.length);
    for (let k = 0; k < this.groupOf.length; k++) out[this.groupOf[k]] |= column[rows ? rows[k] : k];
    return out;
  }
}
