// The row tables while they are being written: spans, lines, calls and jumps, in file order.
import { Counts, Dense, enlarged, type FileId, Grow, type PartId, type RoutineId, type SpanId } from '../column.ts';
import { CostColumns } from '../cost-columns.ts';
import { done } from '../table.ts';
import type { Calls, Jumps, Lines } from './tables.ts';

function roomFor(table: object, rows: number): void {
  for (const column of Object.values(table))
    if (column instanceof Grow && rows > column.data.length) column.reserve(Math.max(rows, column.data.length * 2));
}

function setLengths(table: object, rows: number): void {
  for (const column of Object.values(table)) if (column instanceof Grow) column.length = rows;
}

export class SpanRows {
  readonly routine = new Grow(Uint32Array);
  readonly file = new Grow(Int32Array);
  readonly part = new Grow(Uint32Array);
  readonly high = new Grow(Uint32Array);
  readonly start = new Grow(Uint32Array);

  push(routine: RoutineId, file: FileId, part: PartId, high: number, start: number): SpanId {
    this.routine.push(routine);
    this.file.push(file);
    this.part.push(part);
    this.high.push(high);
    this.start.push(start);
    return this.routine.length - 1;
  }
}

/** Line rows; the byte loop writes the arrays itself and calls reserve() when `rows` reaches `capacity`. */
export class LineRows {
  rows = 0;
  capacity = 1 << 14;
  line = new Uint32Array(this.capacity);
  address: Uint32Array | undefined;
  readonly costs = new CostColumns(this.capacity);

  needAddress(): void {
    this.address ??= new Uint32Array(this.capacity);
  }

  reserve(capacity: number): void {
    if (capacity <= this.capacity) return;
    this.line = enlarged(this.line, capacity, this.rows);
    if (this.address) this.address = enlarged(this.address, capacity, this.rows);
    this.costs.reserve(capacity, this.rows);
    this.capacity = capacity;
  }

  /** Adds a row, whose costs are set afterwards. */
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

export class CallRows {
  rows = 0;
  readonly span = new Grow(Uint32Array);
  readonly callee = new Grow(Uint32Array);
  readonly line = new Grow(Uint32Array);
  readonly address = new Grow(Uint32Array);
  readonly count = new Counts();
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

  /** Makes room for `rows` rows, for a writer that fills whole columns. */
  makeRoom(rows: number): void {
    roomFor(this, rows);
    if (rows > this.costs.capacity) this.costs.reserve(Math.max(rows, this.costs.capacity * 2), this.rows);
  }

  setRows(rows: number): void {
    this.rows = rows;
    setLengths(this, rows);
  }

  finish(costs: Calls['costs']): Calls {
    const { address, ...rest } = done<CallRows>(this);
    return { ...rest, ...(this.hasAddress ? { address } : {}), costs };
  }
}

export class JumpRows {
  readonly span = new Grow(Uint32Array);
  readonly line = new Grow(Uint32Array);
  readonly address = new Grow(Uint32Array);
  readonly targetFile = new Grow(Int32Array);
  readonly targetRoutine = new Dense();
  readonly targetLine = new Grow(Uint32Array);
  /** By row: upper halves of target addresses that differ from their span's. */
  readonly targetHigh = new Map<number, number>();
  readonly targetAddress = new Grow(Uint32Array);
  readonly conditional = new Grow(Uint8Array);
  readonly taken = new Counts();
  readonly executed = new Counts();
  hasAddress = false;

  makeRoom(rows: number): void {
    roomFor(this, rows);
  }

  setRows(rows: number): void {
    setLengths(this, rows);
  }

  /** `spanHigh`: upper halves by span. */
  finish(spanHigh: Uint32Array): Jumps {
    const targetHigh = this.targetHigh.size > 0 ? this.span.done().map((span) => spanHigh[span]) : undefined;
    if (targetHigh) for (const [row, value] of this.targetHigh) targetHigh[row] = value;
    const { address, targetAddress, ...rest } = done<JumpRows>(this);
    return {
      ...rest,
      ...(this.hasAddress ? { address, targetAddress } : {}),
      ...(this.targetRoutine.any ? { targetRoutine: this.targetRoutine.column(this.line.length) } : {}),
      ...(targetHigh ? { targetHigh } : {}),
    };
  }
}
