// Merges tables of two runs: rows with the same key become one row with the costs of both.

import { allocateLike, Groups, Numbering, type NumericArray, pickRows, sortRows } from '../../../model/column.ts';
import type { Costing, LineMaps, Summed } from '../costing.ts';

/** The costings of two runs, and how their answers are merged. */
export interface CostingPair {
  readonly now: Costing;
  readonly before: Costing;
  readonly join: ComparedColumns;
  /** By routine: 1 if only this run has it, 2 if only the base has it, 3 if both have. */
  readonly sides: Uint8Array;
  readonly lineMaps: LineMaps;
}

/** A table to merge. All columns besides sums and counts are names, which are equal in both runs. */
interface MergeTable extends Summed {
  readonly count?: Float64Array;
}

/** Makes a function that joins the values of some columns in a row as text. Columns that the table lacks are left out. */
export function makeRowKey<T extends object>(table: T, names: readonly (keyof T)[]): (row: number) => string {
  const columns = columnsIn(table, names);
  return (row) => {
    let key = '';
    for (const column of columns) key += `${column[row]} `;
    return key;
  };
}

const columnsByName = (table: object) => table as Readonly<Record<string, NumericArray | undefined>>;

const columnsIn = (table: object, names: readonly PropertyKey[]) =>
  names.flatMap((name) => columnsByName(table)[String(name)] ?? []) as NumericArray[];

/** Sorts the rows of a table by the named columns. */
export function sortTableBy<T extends object>(names: readonly (keyof T)[], table: T): T {
  const columns = columnsIn(table, names);
  const rows = sortRows([...columns[0].keys()], ...columns);
  return rows.every((row, at) => row === at) ? table : pickRows(table, rows);
}

/** Merges rows with equal values in the named columns. */
export function mergeTables<T extends MergeTable>(now: T, before: T, names: readonly (keyof T)[], join: ComparedColumns): T {
  const merge = new TableMerge();
  for (const [side, table] of [now, before].entries()) {
    const key = makeRowKey(table, names);
    const rows = columnsIn(table, names)[0].length;
    for (let row = 0; row < rows; row++) merge.add(side, key(row));
  }
  return merge.rows(now, before, join);
}

/** The rows of both runs, each with its row in the merged table. */
export class TableMerge {
  private readonly known = new Numbering<string>();
  private readonly mergedRows: readonly [now: number[], before: number[]] = [[], []];
  /** By merged row: its first source row; rows of the base are -1 - row. */
  private readonly first: number[] = [];

  /** Adds the next row of a run to the merged row with its key. */
  add(side: number, key: string): void {
    this.addAsRow(side, this.known.numberOf(key));
  }

  /** Adds the next row of a run to a given merged row, or as a new one at the end. */
  addAsRow(side: number, row: number): void {
    const at = this.mergedRows[side].push(row) - 1;
    if (row === this.first.length) this.first.push(side === 0 ? at : -1 - at);
  }

  get length(): number {
    return this.first.length;
  }

  has(key: string): boolean {
    return this.known.has(key);
  }

  /** Builds the merged table. Names come from the first source row. A row is an estimate if it is one in either run. */
  rows<T extends MergeTable>(now: T, before: T, join: ComparedColumns): T {
    const { costs, recorded, count, sides: _, estimated, ...names } = { ...before, ...now };
    const [ours, theirs] = this.mergedRows.map((rows) => new Groups(new Uint32Array(rows), this.first));
    const calls = before.count ? theirs.sum(before.count) : new Float64Array(this.first.length);
    const joined = (a: Summed['costs'], b: Summed['costs']) => join.combine(ours.sums(a), theirs.sums(b), calls);
    const none: Uint8Array = new Uint8Array(0);
    const allOf = ({ groupOf }: Groups, mark: number) => new Uint8Array(groupOf.length).fill(mark);
    const marks = (a = none, b = none) => {
      const then = theirs.combineBits(b);
      return ours.combineBits(a).map((bits, row) => bits | then[row]);
    };
    return {
      ...this.namesOf(names, columnsByName(now), columnsByName(before)),
      ...(now.count ? { count: ours.sum(now.count) } : {}),
      costs: joined(now.costs, before.costs),
      ...(recorded ? { recorded: joined(now.recorded ?? now.costs, before.recorded ?? before.costs) } : {}),
      sides: marks(allOf(ours, 1), allOf(theirs, 2)),
      ...(estimated ? { estimated: marks(now.estimated, before.estimated) } : {}),
    } as unknown as T;
  }

  private namesOf(names: object, now: ReturnType<typeof columnsByName>, before: ReturnType<typeof columnsByName>): object {
    const column = ([name, like]: [string, NumericArray]) => {
      const out = allocateLike(like, this.first.length);
      this.first.forEach((first, row) => {
        out[row] = (first >= 0 ? now[name]?.[first] : before[name]?.[-1 - first]) ?? 0;
      });
      return [name, out];
    };
    return Object.fromEntries(Object.entries(names).map(column));
  }
}

export type ComparedColumns = ReturnType<typeof columnsOfRuns>;

export function columnsOfRuns(now: number, before: number) {
  const padded = (columns: readonly Float64Array[], count: number, rows: number) =>
    // Kinds without such rows have no columns either.
    columns.length === count ? columns : Array.from({ length: count }, () => new Float64Array(rows));
  return {
    /** The index of the column with the base's call counts. */
    callsBefore: now + before,
    combine: (a: readonly Float64Array[], b: readonly Float64Array[], calls: Float64Array): Float64Array[] => [
      ...padded(a, now, calls.length),
      ...padded(b, before, calls.length),
      calls,
    ],
    /** Picks the columns of one run from those of both. */
    now: <T>(columns: readonly T[]): readonly T[] => columns.slice(0, now),
    before: <T>(columns: readonly T[]): readonly T[] => columns.slice(now, now + before),
    /** The requested columns of one run, in its own numbering. */
    wantedNow: (columns: readonly number[]) => columns.filter((c) => c < now),
    wantedBefore: (columns: readonly number[]) => columns.filter((c) => c >= now && c < now + before).map((c) => c - now),
  };
}
