// Reads numbers of Callgrind files (decimal or hexadecimal, up to 64 bits), and describes a problem at a position.
import { type LimitName, type Limits, limitProblem } from '../../base/limits.ts';
import type { Problem } from '../../base/problem.ts';
import { decodeBytes } from '../../model/strings.ts';

/** Position after the last number read: a second return value of the functions that read numbers. */
export const cursor = { at: 0 };

/** The position of the first non-blank byte at or after p. */
export function skipBlanks(buf: Uint8Array, p: number): number {
  while (buf[p] === 32 || buf[p] === 9) p++;
  return p;
}

/** Reads a decimal number of one to nine digits and sets cursor.at; returns undefined for anything else. */
export function readShortNumber(buf: Uint8Array, p: number): number | undefined {
  const from = p;
  let v = 0;
  let d = buf[p] - 48;
  while (d >= 0 && d <= 9) {
    v = v * 10 + d;
    d = buf[++p] - 48;
  }
  if (p === from || p - from > 9 || d === 72 || d === 40) return undefined;
  cursor.at = p;
  return v;
}

/** A function that throws a FormatError about position p of the current line. */
export type FailFunction = (p: number, expected: string, found: string, hint?: string) => never;

/** Throws because the text at p exceeds a limit. */
export function failBeyondLimit(fail: FailFunction, p: number, limits: Limits, name: LimitName, needed: number): never {
  const { expected, found, hint } = limitProblem(limits, name, needed);
  fail(p, expected, found, hint);
}

const NUMBER_LIMIT = 1n << 64n;

/**
 * The number at buf[p]: decimal or 0x, with an optional sign if `signed`. Up to 2^53 it is a number, beyond that a bigint;
 * undefined if there is none or it does not fit in 64 bits. Leaves cursor.at after it.
 */
export function readNumber(buf: Uint8Array, p: number, signed: boolean): number | bigint | undefined {
  let sign = 1;
  if (signed && (buf[p] === 45 || buf[p] === 43)) {
    if (buf[p] === 45) sign = -1;
    p++;
  }
  const hex = buf[p] === 48 && (buf[p + 1] | 32) === 120;
  if (hex) p += 2;
  const from = p;
  let value = 0;
  for (;;) {
    const d = digitValue(buf[p], hex);
    if (d < 0) break;
    value = value * (hex ? 16 : 10) + d;
    p++;
  }
  cursor.at = p;
  if (p === from) return undefined;
  if (value <= Number.MAX_SAFE_INTEGER) return sign * value;
  if (p - from > 400) return undefined;
  const text = decodeBytes(buf, from, p);
  const big = BigInt(hex ? '0x' + text : text);
  if (big >= NUMBER_LIMIT) return undefined;
  return sign < 0 ? -big : big;
}

function digitValue(c: number, hex: boolean): number {
  if (c >= 48 && c <= 57) return c - 48;
  if (!hex) return -1;
  const lower = c | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** The word at p for an error message, or a note that the line ended. */
export function wordAt(buf: Uint8Array, p: number): string {
  let end = p;
  while (end < buf.length && end - p < 40 && buf[end] !== 10 && buf[end] !== 13 && buf[end] !== 32 && buf[end] !== 9) end++;
  if (end === p) return buf[p] === 32 || buf[p] === 9 ? 'a blank' : 'the end of the line';
  return `"${new TextDecoder().decode(buf.subarray(p, end))}"`;
}

/** A problem at buf[p], with the line's text as its excerpt. */
export function withExcerpt(problem: Problem, buf: Uint8Array, p: number): Problem {
  let from = p;
  while (from > 0 && buf[from - 1] !== 10) from--;
  let to = p;
  while (to < buf.length && buf[to] !== 10 && to - from < 400) to++;
  const decode = (a: number, b: number) => new TextDecoder().decode(buf.subarray(a, b));
  const excerpt = decode(from, to).replace(/\r$/, '');
  return excerpt === '' ? problem : { ...problem, excerpt, column: decode(from, p).length };
}
