// The row tables of a call graph that is being read: spans, lines, calls and jumps, in file order.
import {
  CountColumn,
  type FileId,
  finishColumns,
  GrowableColumn,
  growColumn,
  type PartId,
  type RoutineId,
  type SpanId,
  SparseColumn,
} from '../column.ts';
import { CostColumns } from '../cost-columns.ts';
import type { Calls, Jumps, Lines } from './tables.ts';

/** A table whose writer fills whole columns. */
abstract class FilledTable {
  reserveRows(rows: number): void {
    for (const column of Object.values(this)) if (column instanceof GrowableColumn) column.reserveMore(rows - column.length);
  }

  setRows(rows: number): void {
    for (const column of Object.values(this)) if (column instanceof GrowableColumn) column.length = rows;
  }
}

export class SpanRows {
  readonly routine = new GrowableColumn(Uint32Array);
  readonly file = new GrowableColumn(Int32Array);
  readonly part = new GrowableColumn(Uint32Array);
  readonly high = new GrowableColumn(Uint32Array);
  readonly start = new GrowableColumn(Uint32Array);

  push(routine: RoutineId, file: FileId, part: PartId, high: number, start: number): SpanId {
    this.routine.push(routine);
    this.file.push(file);
    this.part.push(part);
    this.high.push(high);
    this.start.push(start);
    return this.routine.length - 1;
  }
}

/** Rows of lines. The byte loop writes the arrays directly, and calls reserve() when `rows` reaches `capacity`. */
export class LineRows {
  rows = 0;
  capacity = 1 << 14;
  line = new Uint32Array(this.capacity);
  address: Uint32Array | undefined;
  readonly costs = new CostColumns(this.capacity);

  reserve(capacity: number): void {
    if (capacity <= this.capacity) return;
    this.line = growColumn(this.line, capacity, this.rows);
    if (this.address) this.address = growColumn(this.address, capacity, this.rows);
    this.costs.reserve(capacity, this.rows);
    this.capacity = capacity;
  }

  /** Adds a row. Its costs are set afterwards. */
  push(line: number): number {
    if (this.rows === this.capacity) this.reserve(this.capacity * 2);
    this.line[this.rows] = line;
    return this.rows++;
  }

  finish(costs: Lines['costs']): Lines {
    const line = this.line.subarray(0, this.rows);
    return this.address ? { line, address: this.address.subarray(0, this.rows), costs } : { line, costs };
  }
}

export class CallRows extends FilledTable {
  rows = 0;
  readonly span = new GrowableColumn(Uint32Array);
  readonly callee = new GrowableColumn(Uint32Array);
  readonly line = new GrowableColumn(Uint32Array);
  readonly address = new GrowableColumn(Uint32Array);
  readonly count = new CountColumn();
  readonly costs = new CostColumns(1 << 12);
  hasAddress = false;

  push(span: SpanId, callee: RoutineId, line: number, address: number, count: number): number {
    this.span.push(span);
    this.callee.push(callee);
    this.line.push(line);
    this.address.push(address);
    this.count.push(count);
    if (this.rows === this.costs.capacity) this.costs.reserve(this.rows * 2, this.rows);
    return this.rows++;
  }

  override reserveRows(rows: number): void {
    super.reserveRows(rows);
    if (rows > this.costs.capacity) this.costs.reserve(Math.max(rows, this.costs.capacity * 2), this.rows);
  }

  override setRows(rows: number): void {
    this.rows = rows;
    super.setRows(rows);
  }

  finish(costs: Calls['costs']): Calls {
    const { address, ...rest } = finishColumns<CallRows>(this);
    return { ...rest, ...(this.hasAddress ? { address } : {}), costs };
  }
}

export class JumpRows extends FilledTable {
  readonly span = new GrowableColumn(Uint32Array);
  readonly line = new GrowableColumn(Uint32Array);
  readonly address = new GrowableColumn(Uint32Array);
  readonly targetFile = new GrowableColumn(Int32Array);
  readonly targetRoutine = new SparseColumn(Int32Array, -1);
  readonly targetLine = new GrowableColumn(Uint32Array);
  /** By row of a jump: the upper half of its target address, if it differs from that of the span. */
  readonly targetHigh = new Map<number, number>();
  readonly targetAddress = new GrowableColumn(Uint32Array);
  readonly conditional = new GrowableColumn(Uint8Array);
  readonly taken = new CountColumn();
  readonly executed = new CountColumn();
  hasAddress = false;

  /** Builds the table of jumps. `spanHigh`: the upper address half of each span. */
  finish(spanHigh: Uint32Array): Jumps {
    const targetHigh = this.targetHigh.size > 0 ? this.span.done().map((span) => spanHigh[span]) : undefined;
    if (targetHigh) for (const [row, value] of this.targetHigh) targetHigh[row] = value;
    const { address, targetAddress, ...rest } = finishColumns<JumpRows>(this);
    const targetRoutine = this.targetRoutine.done(rest.line.length, undefined);
    return {
      ...rest,
      ...(this.hasAddress ? { address, targetAddress } : {}),
      ...(targetRoutine ? { targetRoutine } : {}),
      ...(targetHigh ? { targetHigh } : {}),
    };
  }
}
