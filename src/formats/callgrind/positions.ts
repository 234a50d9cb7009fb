// Subpositions: address, basic block and line, absolute or relative to the last self cost line (`+3`, `-3`, `*`).
import { cursor, type Fail, readNumber, shortNumber, skipBlanks, wordAt } from './numbers.ts';

/** The position of a body line. `low` and `high` are the 32-bit halves of an address. */
export interface CodePosition {
  low: number;
  high: number;
  bb: number;
  line: number;
}

/** Which subpositions the lines of a part have, from `positions:`. */
export interface PositionColumns {
  readonly hasInstr: boolean;
  readonly hasBb: boolean;
  readonly hasLine: boolean;
  readonly positions: readonly string[];
}

const HALF = 0x100000000;

/** Reads all subpositions at p into `into`; returns where the counts start. Those that the part lacks are copied from base. */
export function readPositions(
  buf: Uint8Array,
  p: number,
  columns: PositionColumns,
  base: Readonly<CodePosition>,
  into: CodePosition,
  fail: Fail,
): number {
  const { low, high, bb, line } = base;
  into.low = low;
  into.high = high;
  into.bb = bb;
  into.line = line;
  if (columns.hasInstr) p = afterPosition(buf, readAddress(buf, p, columns, base, into, fail), columns, fail);
  if (columns.hasBb) {
    into.bb = readPosition(buf, p, bb, columns, fail);
    p = cursor.at;
  }
  if (columns.hasLine) {
    into.line = readLine(buf, p, line, columns, fail);
    p = cursor.at;
  }
  return p;
}

/** Reads the target of a call or jump into `into`; missing subpositions are unknown (0). Surplus words are ignored (xdebug). */
export function readTarget(
  buf: Uint8Array,
  p: number,
  columns: PositionColumns,
  base: Readonly<CodePosition>,
  into: CodePosition,
  fail: Fail,
): void {
  into.low = into.high = into.bb = into.line = 0;
  p = skipBlanks(buf, p);
  if (columns.hasInstr && buf[p] > 32) p = skipBlanks(buf, readAddress(buf, p, columns, base, into, fail));
  if (columns.hasBb && buf[p] > 32) {
    into.bb = readPosition(buf, p, base.bb, columns, fail);
    p = cursor.at;
  }
  if (columns.hasLine && buf[p] > 32) into.line = readLine(buf, p, base.line, columns, fail);
}

/** An address of any form; returns where it ends. */
function readAddress(
  buf: Uint8Array,
  p: number,
  columns: PositionColumns,
  base: Readonly<CodePosition>,
  into: CodePosition,
  fail: Fail,
): number {
  const sign = buf[p];
  if (sign === STAR) {
    into.low = base.low;
    into.high = base.high;
    return p + 1;
  }
  const relative = sign === PLUS || sign === MINUS;
  const from = relative ? p + 1 : p;
  const v = shortNumber(buf, from) ?? readNumber(buf, from, false);
  if (v === undefined) failMissingPosition(buf, from, columns, fail);
  let [low, high] = typeof v === 'bigint' ? [Number(v & 0xffffffffn), Number(v >> 32n)] : [v % HALF, Math.floor(v / HALF)];
  if (relative) {
    const by = sign === MINUS ? -1 : 1;
    low = base.low + by * low;
    high = base.high + by * high;
    if (low >= HALF) {
      low -= HALF;
      high++;
    } else if (low < 0) {
      low += HALF;
      high--;
    }
    if (high < 0) fail(p, 'an address of at least 0', `address ${high * HALF + low}`);
  }
  if (high >= HALF) fail(p, 'an address below 2^64', wordAt(buf, p));
  into.low = low;
  into.high = high;
  return cursor.at;
}

/** A line number; leaves cursor.at after it and the blanks that follow. */
function readLine(buf: Uint8Array, p: number, base: number, columns: PositionColumns, fail: Fail): number {
  const line = readPosition(buf, p, base, columns, fail);
  if (line < 0) fail(p, 'a line number of at least 0', `line number ${line}`);
  if (line > 0xffffffff) fail(p, 'a line number below 2^32', wordAt(buf, p));
  return line;
}

/** A line or basic block, relative to base or absolute; leaves cursor.at after it and the blanks that follow. */
function readPosition(buf: Uint8Array, p: number, base: number, columns: PositionColumns, fail: Fail): number {
  const c = buf[p];
  let value = base;
  if (c === STAR) cursor.at = p + 1;
  else {
    const relative = c === PLUS || c === MINUS;
    const from = relative ? p + 1 : p;
    const v = shortNumber(buf, from) ?? readNumber(buf, from, false);
    if (v === undefined) failMissingPosition(buf, p, columns, fail);
    value = Number(v) * (c === MINUS ? -1 : 1) + (relative ? base : 0);
  }
  cursor.at = afterPosition(buf, cursor.at, columns, fail);
  return value;
}

/** Checks that a blank or the end of the line follows a position, and skips blanks. */
function afterPosition(buf: Uint8Array, p: number, columns: PositionColumns, fail: Fail): number {
  const c = buf[p];
  if (c !== 32 && c !== 9 && c !== 10 && c !== 13) fail(p, `a position (${columns.positions.join(' ')})`, wordAt(buf, p));
  return skipBlanks(buf, p);
}

/** Fails because there is no number at p: the line ended, or contains something else. */
function failMissingPosition(buf: Uint8Array, p: number, { positions }: PositionColumns, fail: Fail): never {
  if (positions.length > 1 && (buf[p] === 10 || buf[p] === 13)) {
    fail(p, `${positions.length} subpositions (${positions.join(' ')})`, `${positions.length - 1}`);
  }
  fail(p, `a position (${positions.join(' ')})`, wordAt(buf, p));
}

const STAR = 42;
const PLUS = 43;
const MINUS = 45;
