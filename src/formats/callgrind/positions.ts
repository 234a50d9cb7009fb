// Parses subpositions: address, basic block and line, each absolute or relative to the last self cost line (`+3`, `-3`, `*`).
import { cursor, readNumber, readShortNumber, skipBlanks, wordAt } from './numbers.ts';
import type { PartReader } from './parts.ts';
import { countProblem } from './specs.ts';

/** The position of a body line. `low` and `high` are the 32-bit halves of its address. */
export type CodePosition = Record<'low' | 'high' | 'bb' | 'line', number>;

const POW32 = 0x100000000;

/** Reads the subpositions at p into `into`; returns where the counts start. Subpositions that the part lacks come from `base`. */
export function readPositions(buf: Uint8Array, p: number, parts: PartReader, base: Readonly<CodePosition>, into: CodePosition) {
  const { low, high, bb, line } = base;
  into.low = low;
  into.high = high;
  into.bb = bb;
  into.line = line;
  if (parts.hasInstr) p = skipAfterPosition(buf, readAddress(buf, p, parts, base, into), parts);
  if (parts.hasBb) {
    into.bb = readPosition(buf, p, bb, parts);
    p = cursor.at;
  }
  if (parts.hasLine) {
    into.line = readLine(buf, p, line, parts);
    p = cursor.at;
  }
  return p;
}

/** Reads a call's or jump's target into `into`; missing subpositions become 0 (unknown). Surplus words (xdebug) are ignored. */
export function readTarget(buf: Uint8Array, p: number, parts: PartReader, base: Readonly<CodePosition>, into: CodePosition) {
  into.low = into.high = into.bb = into.line = 0;
  p = skipBlanks(buf, p);
  if (parts.hasInstr && buf[p] > 32) p = skipBlanks(buf, readAddress(buf, p, parts, base, into));
  if (parts.hasBb && buf[p] > 32) {
    into.bb = readPosition(buf, p, base.bb, parts);
    p = cursor.at;
  }
  if (parts.hasLine && buf[p] > 32) into.line = readLine(buf, p, base.line, parts);
}

/** Reads an address, absolute or relative; returns the position after it. */
function readAddress(buf: Uint8Array, p: number, parts: PartReader, base: Readonly<CodePosition>, into: CodePosition): number {
  const sign = buf[p];
  if (sign === STAR) {
    into.low = base.low;
    into.high = base.high;
    return p + 1;
  }
  const relative = sign === PLUS || sign === MINUS;
  const from = relative ? p + 1 : p;
  const v = readShortNumber(buf, from) ?? readNumber(buf, from, false);
  if (v === undefined) failMissingPosition(buf, from, parts);
  let [low, high] = typeof v === 'bigint' ? [Number(v & 0xffffffffn), Number(v >> 32n)] : [v % POW32, Math.floor(v / POW32)];
  if (relative) {
    const by = sign === MINUS ? -1 : 1;
    low = base.low + by * low;
    high = base.high + by * high;
    if (low >= POW32) {
      low -= POW32;
      high++;
    } else if (low < 0) {
      low += POW32;
      high--;
    }
    if (high < 0) parts.fail(p, 'an address of at least 0', `address ${high * POW32 + low}`);
  }
  if (high >= POW32) parts.fail(p, 'an address below 2^64', wordAt(buf, p));
  into.low = low;
  into.high = high;
  return cursor.at;
}

/** Reads a line number; sets cursor.at to the position after it and its following blanks. */
function readLine(buf: Uint8Array, p: number, base: number, parts: PartReader): number {
  const line = readPosition(buf, p, base, parts);
  if (line < 0) {
    // Some writers use such lines for an unknown one.
    countProblem(parts.anomalies, 'a line number below 0; shown as unknown', parts.lineNo());
    return 0;
  }
  if (line > 0xffffffff) parts.fail(p, 'a line number below 2^32', wordAt(buf, p));
  return line;
}

/** Reads a line or basic block, absolute or relative to `base`; sets cursor.at to the position after it and its blanks. */
function readPosition(buf: Uint8Array, p: number, base: number, parts: PartReader): number {
  const c = buf[p];
  let value = base;
  if (c === STAR) cursor.at = p + 1;
  else {
    const relative = c === PLUS || c === MINUS;
    const from = relative ? p + 1 : p;
    const v = readShortNumber(buf, from) ?? readNumber(buf, from, false);
    if (v === undefined) failMissingPosition(buf, p, parts);
    value = Number(v) * (c === MINUS ? -1 : 1) + (relative ? base : 0);
  }
  cursor.at = skipAfterPosition(buf, cursor.at, parts);
  return value;
}

/** Checks that a position is followed by a blank or the end of the line, and skips blanks. */
function skipAfterPosition(buf: Uint8Array, p: number, parts: PartReader): number {
  const c = buf[p];
  if (c !== 32 && c !== 9 && c !== 10 && c !== 13) parts.fail(p, `a position (${parts.positions.join(' ')})`, wordAt(buf, p));
  return skipBlanks(buf, p);
}

/** Throws because there is no number at p: the line ended, or has other text there. */
function failMissingPosition(buf: Uint8Array, p: number, parts: PartReader): never {
  const { positions } = parts;
  if (positions.length > 1 && (buf[p] === 10 || buf[p] === 13))
    parts.fail(p, `${positions.length} subpositions (${positions.join(' ')})`, `${positions.length - 1}`);
  parts.fail(p, `a position (${positions.join(' ')})`, wordAt(buf, p));
}

const STAR = 42;
const PLUS = 43;
const MINUS = 45;
