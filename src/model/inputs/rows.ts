// Points of cost by input size, while a file is read.
import { getOrMake } from '../../base/lists.ts';
import { GrowableColumn } from '../column.ts';
import { finishColumns } from '../table.ts';
import type { InputField, Inputs } from './tables.ts';

export class InputRows {
  readonly routine = new GrowableColumn(Int32Array);
  readonly context = new GrowableColumn(Int32Array);
  readonly part = new GrowableColumn(Uint32Array);
  readonly size = new GrowableColumn(Float64Array);
  readonly line = new GrowableColumn(Uint32Array);
  readonly fields = new Map<InputField, GrowableColumn<Float64Array>>();
  readonly beyond = new Map<InputField, Map<number, bigint>>();
  /** Context ids of the file. While reading, `context` of a point is -2 minus the index of its id in this list. */
  readonly contextIds: number[] = [];
  /** The metric of the sizes, as named by the first file. */
  metric: string | undefined;
  misses: string | undefined;

  get rows(): number {
    return this.size.length;
  }

  /** Begins a point. `context`: its id in the file, or -1. */
  push(routine: number, context: number, part: number, size: number, line: number): void {
    this.routine.push(routine);
    if (context === -1) this.context.push(-1);
    else {
      // Points of one context follow each other in the file.
      if (this.contextIds.at(-1) !== context) this.contextIds.push(context);
      this.context.push(-1 - this.contextIds.length);
    }
    this.part.push(part);
    this.size.push(size);
    this.line.push(line);
  }

  /** The columns for some fields, for use with add(); undefined for null. */
  columnsOf(fields: readonly (InputField | null)[]): readonly (GrowableColumn<Float64Array> | undefined)[] {
    const columnOf = (field: InputField) => getOrMake(this.fields, field, () => new GrowableColumn(Float64Array));
    return fields.map((field) => (field === null ? undefined : columnOf(field)));
  }

  /** Adds values[from + i] to columns[i] in the row that was pushed last. */
  add(columns: readonly (GrowableColumn<Float64Array> | undefined)[], values: Float64Array, from: number): void {
    const row = this.rows - 1;
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i];
      if (!column) continue;
      // Earlier rows come from files that lack the field.
      while (column.length < row) column.push(Number.NaN);
      if (row === column.data.length) column.reserve(2 * row);
      column.data[row] = values[from + i];
      column.length = row + 1;
    }
  }

  /** The exact value of a field in the row that was pushed last. */
  setExact(field: InputField, value: bigint): void {
    getOrMake(this.beyond, field, () => new Map()).set(this.rows - 1, value);
  }

  finish(counted: Uint8Array): Inputs {
    const columns: { [F in InputField]?: Float64Array } = {};
    for (const [field, column] of this.fields) {
      while (column.length < this.rows) column.push(Number.NaN);
      columns[field] = column.done();
    }
    const { line: _, routine, ...rows } = finishColumns<InputRows>(this);
    return {
      metric: this.metric ?? 'size',
      ...(this.misses === undefined ? {} : { misses: this.misses }),
      ...rows,
      routine: Uint32Array.from(routine),
      counted,
      beyond: this.beyond,
      ...columns,
    };
  }
}
