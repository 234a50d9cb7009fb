// Helpers for checks of tables: each reports the first wrong row of a column.
import type { NumericArray } from './column.ts';
import type { CostTable } from './head.ts';

export class Invariants {
  /** Descriptions of the broken invariants, one sentence each. */
  readonly broken: string[] = [];

  /** Checks that values are whole numbers from `from` up to, but not including, `to`. */
  checkRange(name: string, column: ArrayLike<number>, from: number, to: number): void {
    this.checkRows(column.length, (i) =>
      column[i] < from || column[i] >= to || !Number.isInteger(column[i])
        ? `${name}[${i}] is ${column[i]}, outside ${from} .. ${to - 1}`
        : undefined,
    );
  }

  /**
   * Checks that all columns have equal length. `rows`: by column, the number of rows of the table it refers to; signed columns
   * may hold -1.
   */
  checkTable(name: string, table: object, rows: Readonly<Record<string, number>>): void {
    const columns = Object.entries(table).filter((entry): entry is [string, NumericArray] => ArrayBuffer.isView(entry[1]));
    const { length } = columns[0][1];
    for (const [key, column] of columns) {
      this.check(column.length === length, `${name}.${key} has ${column.length} rows, not ${length}`);
      if (Object.hasOwn(rows, key)) this.checkRange(`${name}.${key}`, column, column instanceof Int32Array ? -1 : 0, rows[key]);
    }
  }

  checkCostColumns(name: string, costs: CostTable, columns: number, rows: number): void {
    if (costs.length !== columns) this.broken.push(`${name} has ${costs.length} cost columns, not ${columns}`);
    costs.forEach((column, c) => {
      if (column.length !== rows) this.broken.push(`${name} cost column ${c} has ${column.length} rows, not ${rows}`);
      this.checkRows(column.length, (i) =>
        Number.isFinite(column[i]) ? undefined : `${name} cost column ${c} is ${column[i]} in row ${i}`,
      );
    });
  }

  /** Reports the first row for which `wrong` returns a message. */
  checkRows(rows: number, wrong: (row: number) => string | undefined): void {
    for (let i = 0; i < rows; i++) {
      const why = wrong(i);
      if (why === undefined) continue;
      this.broken.push(why);
      return;
    }
  }

  check(condition: boolean, message: string): void {
    if (!condition) this.broken.push(message);
  }
}
