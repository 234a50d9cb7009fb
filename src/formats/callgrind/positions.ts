// Subpositions off the fast path: hexadecimal, wide, or wrong.
import { cursor, type Fail, readNumber, shortNumber, wordAt } from './numbers.ts';

/** The halves of the address that readAddress() read last. */
export const address64 = { low: 0, high: 0 };

/** An address of any form; returns where it ends. */
export function readAddress(buf: Uint8Array, p: number, positions: readonly string[], fail: Fail): number {
  const v = shortNumber(buf, p) ?? readNumber(buf, p, false);
  if (v === undefined) missingPosition(buf, p, positions, fail);
  if (typeof v === 'bigint') {
    address64.low = Number(v & 0xffffffffn);
    address64.high = Number(v >> 32n);
  } else {
    address64.low = v % 0x100000000;
    address64.high = Math.floor(v / 0x100000000);
  }
  return cursor.at;
}

/** A line or basic block, relative to base or not; cursor.at is at what comes after it and its blanks. */
export function readPosition(buf: Uint8Array, p: number, base: number, positions: readonly string[], fail: Fail): number {
  const c = buf[p];
  let value = base;
  if (c === 42) cursor.at = p + 1;
  else {
    const relative = c === 43 || c === 45;
    const from = relative ? p + 1 : p;
    const v = shortNumber(buf, from) ?? readNumber(buf, from, false);
    if (v === undefined) missingPosition(buf, p, positions, fail);
    value = Number(v) * (c === 45 ? -1 : 1) + (relative ? base : 0);
  }
  p = cursor.at;
  if (buf[p] !== 32 && buf[p] !== 9 && buf[p] !== 10 && buf[p] !== 13)
    fail(p, `a position (${positions.join(' ')})`, wordAt(buf, p));
  while (buf[p] === 32 || buf[p] === 9) p++;
  cursor.at = p;
  return value;
}

/** There is no number at p: the line ends too early, or has something else there. */
export function missingPosition(buf: Uint8Array, p: number, positions: readonly string[], fail: Fail): never {
  if (positions.length > 1 && (buf[p] === 10 || buf[p] === 13)) {
    fail(p, `${positions.length} subpositions (${positions.join(' ')})`, `${positions.length - 1}`);
  }
  fail(p, `a position (${positions.join(' ')})`, wordAt(buf, p));
}
