// Points of cost by input size, as they are read.
import { Grow } from '../column.ts';
import type { InputField, Inputs } from './tables.ts';

export class InputRows {
  readonly routine = new Grow(Int32Array);
  readonly context = new Grow(Int32Array);
  readonly part = new Grow(Uint32Array);
  readonly size = new Grow(Float64Array);
  readonly line = new Grow(Uint32Array);
  readonly fields = new Map<InputField, Grow<Float64Array>>();
  readonly beyond = new Map<InputField, Map<number, bigint>>();
  /** Context ids from the files. Until all is read, the `context` of such a point is -2 - its id's index here. */
  readonly contextIds: number[] = [];
  /** The metric of the sizes, from the first file. */
  metric: string | undefined;
  misses: string | undefined;

  get rows(): number {
    return this.size.length;
  }

  /** Begins a point; `context` is the file's id, or -1. */
  push(routine: number, context: number, part: number, size: number, line: number): void {
    this.routine.push(routine);
    if (context === -1) this.context.push(-1);
    else {
      // Points of one context are adjacent.
      if (this.contextIds.at(-1) !== context) this.contextIds.push(context);
      this.context.push(-1 - this.contextIds.length);
    }
    this.part.push(part);
    this.size.push(size);
    this.line.push(line);
  }

  /** Adds a value to the row that was pushed last. */
  set(field: InputField, value: number | bigint): void {
    let column = this.fields.get(field);
    if (!column) this.fields.set(field, (column = new Grow(Float64Array)));
    const row = this.rows - 1;
    // Earlier rows are from files that lack the field.
    while (column.length < row) column.push(Number.NaN);
    column.push(Number(value));
    if (typeof value === 'number') return;
    let exact = this.beyond.get(field);
    if (!exact) this.beyond.set(field, (exact = new Map()));
    exact.set(row, value);
  }

  finish(counted: Uint8Array): Inputs {
    const columns: { [F in InputField]?: Float64Array } = {};
    for (const [field, column] of this.fields) {
      while (column.length < this.rows) column.push(Number.NaN);
      columns[field] = column.done();
    }
    return {
      metric: this.metric ?? 'size',
      ...(this.misses === undefined ? {} : { misses: this.misses }),
      routine: Uint32Array.from(this.routine.done()),
      context: this.context.done(),
      part: this.part.done(),
      size: this.size.done(),
      counted,
      beyond: this.beyond,
      ...columns,
    };
  }
}
