// Reads the numbers of aprof's p and q lines from the bytes; the meaning of each number depends on the file's version.
import type { InputField } from '../../model/inputs/tables.ts';

/** The fields of a point in the order of their numbers; null marks an obsolete number. */
export type PointLayout = readonly (InputField | null)[];

const ALL_COST_FIELDS = [
  'min',
  'max',
  'sum',
  'sumSquares',
  'calls',
  'real',
  'selfSum',
  'selfMin',
  'selfMax',
  'selfSumSquares',
] as const;
/** By count of numbers on a line: the fields that follow the owner's id and the input size. */
export const FIELDS_BY_COUNT: Record<number, PointLayout> = {
  4: ['sum', 'calls'],
  7: ['min', 'max', 'sum', 'sumSquares', 'calls'],
  8: ['min', 'max', 'sum', 'calls', 'real', 'selfSum'],
  10: ['min', 'max', 'sum', 'calls', 'real', 'selfSum', 'selfMin', 'selfMax'],
  12: ALL_COST_FIELDS,
  // Fields of rvms and drms points: two obsolete numbers (null), then input from system calls and from other threads.
  18: [...ALL_COST_FIELDS, null, null, 'syscall', 'thread', 'selfSyscall', 'selfThread'],
};

/** By file version: the allowed counts of numbers on a line. A truncated line could look like a line of an older version. */
export const NUMBER_COUNTS: readonly (readonly number[])[] = [[4, 12, 18], [7], [8], [10], [12, 18], [12, 18], [12, 18]];

const MAX_NUMBERS = 18;
/** Maximum digits of a number. Sums of squares of 64-bit numbers have about 40 digits. */
const MAX_DIGITS = 60;
const MAX_COST = 2n ** 64n - 1n;

/** Reads the numbers of a line into `values`. One instance is reused for all lines. */
export class NumberReader {
  readonly values = new Float64Array(MAX_NUMBERS + 1);
  /** Exact values of numbers beyond 2^53, by position on the line. */
  readonly wide: (bigint | undefined)[] = new Array(MAX_NUMBERS + 1).fill(undefined);
  anyWide = false;
  count = 0;
  /** Why the current line is invalid; undefined if it is valid. */
  problem: string | undefined;

  /** Reads the non-negative decimal integers in bytes[from..to), separated by blanks or tabs. */
  read(bytes: Uint8Array, from: number, to: number): void {
    if (this.anyWide) this.wide.fill(undefined);
    this.anyWide = false;
    this.count = 0;
    this.problem = undefined;
    let at = from;
    while (at < to) {
      let c = bytes[at];
      if (c === 32 || c === 9) {
        at++;
        continue;
      }
      const start = at;
      let value = 0;
      while (at < to && (c = bytes[at]) !== 32 && c !== 9) {
        if (c < 48 || c > 57) return this.setProblem(bytes, start, to);
        value = value * 10 + (c - 48);
        at++;
      }
      if (this.count > MAX_NUMBERS) {
        this.problem = `more than ${MAX_NUMBERS} numbers`;
        return;
      }
      if (at - start > MAX_DIGITS) return this.setProblem(bytes, start, to);
      if (at - start > 15 && !(value <= Number.MAX_SAFE_INTEGER)) {
        const exact = BigInt(asciiText(bytes, start, at));
        this.wide[this.count] = exact;
        this.anyWide = true;
        value = Number(exact);
      }
      this.values[this.count++] = value;
    }
  }

  private setProblem(bytes: Uint8Array, start: number, to: number): void {
    let end = start;
    while (end < to && bytes[end] !== 32 && bytes[end] !== 9) end++;
    const word = asciiText(bytes, start, Math.min(end, start + 30));
    if (end - start > MAX_DIGITS && /^\d+$/.test(word)) this.problem = `a number of ${end - start} digits`;
    else this.problem = /^-\d+$/.test(word) ? `the negative number ${word}` : `"${word}", which is not a decimal integer`;
  }

  /** The problem of a cost beyond 2^64 - 1; undefined if there is none. Only sums of squares may exceed it, in merged reports. */
  costProblem(layout: PointLayout): string | undefined {
    if (!this.anyWide) return undefined;
    for (let i = 0; i < layout.length; i++) {
      const exact = this.wide[i + 2];
      const field = layout[i];
      if (exact !== undefined && field !== 'sumSquares' && field !== 'selfSumSquares' && exact > MAX_COST)
        return `${exact}, above 2^64 - 1`;
    }
    return undefined;
  }
}

const asciiText = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1');

const QUOTE = 34;

export function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 32 && bytes[at] !== 9) return false;
  return true;
}

/** The position of the last quotation mark in bytes[from..to); -1 if there is none. */
export function lastQuoteIn(bytes: Uint8Array, from: number, to: number): number {
  let at = to - 1;
  while (at >= from && bytes[at] !== QUOTE) at--;
  return at >= from ? at : -1;
}
