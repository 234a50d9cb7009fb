// Rows that are the same in something, as one.

/** Rows by one column after the other; equal ones as they were. */
export function inOrderOf(rows: readonly number[], ...columns: (ArrayLike<number> | undefined)[]): number[] {
  const given = columns.filter((column) => column !== undefined);
  return [...rows].sort((a, b) => {
    for (const column of given) if (column[a] !== column[b]) return column[a] - column[b];
    return 0;
  });
}

type Key = string | number;

/** Dense numbers from 0, in order of first appearance. */
export class Numbering<K extends Key = Key> extends Map<K, number> {
  of(key: K): number {
    let n = this.get(key);
    if (n === undefined) this.set(key, (n = this.size));
    return n;
  }
}

/** The group of each row, and the first row of each group. */
export class Groups {
  constructor(
    readonly of: Uint32Array,
    readonly first: readonly number[],
  ) {}

  /** Rows 0 .. rows-1 by their keys; groups are in order of first appearance. */
  static by(rows: number, key: (row: number) => Key): Groups {
    const known = new Numbering();
    const of = new Uint32Array(rows);
    const first: number[] = [];
    for (let row = 0; row < rows; row++) {
      of[row] = known.of(key(row));
      if (of[row] === first.length) first.push(row);
    }
    return new Groups(of, first);
  }

  /** In the order of their first rows by one column after the other. */
  sorted(...columns: (ArrayLike<number> | undefined)[]): Groups {
    const first = inOrderOf(this.first, ...columns);
    const at = new Uint32Array(first.length);
    first.forEach((row, place) => {
      at[this.of[row]] = place;
    });
    return new Groups(
      this.of.map((group) => at[group]),
      first,
    );
  }

  /** The sum of the rows of each group; `rows`: the places of their values in the column. */
  sum(column: ArrayLike<number>, rows?: ArrayLike<number>): Float64Array {
    const out = new Float64Array(this.first.length);
    const { of } = this;
    for (let k = 0; k < of.length; k++) out[of[k]] += column[rows ? rows[k] : k];
    return out;
  }

  sums(columns: readonly ArrayLike<number>[], rows?: ArrayLike<number>): Float64Array[] {
    return columns.map((column) => this.sum(column, rows));
  }

  /** The bits that any row of a group has. */
  any(column: Uint8Array, rows?: ArrayLike<number>): Uint8Array {
    const out = new Uint8Array(this.first.length);
    for (let k = 0; k < this.of.length; k++) out[this.of[k]] |= column[rows ? rows[k] : k];
    return out;
  }
}
