// The numbers of p and q lines, read straight from the bytes, and the meaning of each in each version.
import type { InputField } from '../../model/inputs/tables.ts';

/** Fields after the owner's id and the size. */
const LAYOUTS: Record<number, readonly InputField[]> = {
  4: ['sum', 'calls'],
  7: ['min', 'max', 'sum', 'sumSquares', 'calls'],
  8: ['min', 'max', 'sum', 'calls', 'real', 'selfSum'],
  10: ['min', 'max', 'sum', 'calls', 'real', 'selfSum', 'selfMin', 'selfMax'],
  12: ['min', 'max', 'sum', 'sumSquares', 'calls', 'real', 'selfSum', 'selfMin', 'selfMax', 'selfSumSquares'],
};
const FULL = LAYOUTS[12];
/** For rvms and drms: two obsolete numbers, then input from system calls and other threads. */
const INPUT: readonly (InputField | null)[] = [...FULL, null, null, 'syscall', 'thread', 'selfSyscall', 'selfThread'];

/** How many numbers a line may have, by version: a truncated line could pass for one of an older version. */
const COUNTS: readonly (readonly number[])[] = [[4, 12, 18], [7], [8], [10], [12, 18], [12, 18], [12, 18]];

export function numberCountsOf(version: number): readonly number[] {
  return COUNTS[Math.min(version, COUNTS.length - 1)];
}

/** The fields of a line with `count` numbers; null for an obsolete one. */
export function layoutOf(count: number): readonly (InputField | null)[] {
  return count === 18 ? INPUT : LAYOUTS[count];
}

const MOST = 18;
/** Sums of squares of 64-bit numbers have about 40. */
const MOST_DIGITS = 60;
const LARGEST_COST = 2n ** 64n - 1n;

/** Reads the numbers of a line into its arrays. One instance is reused for all lines. */
export class NumberReader {
  readonly values = new Float64Array(MOST + 1);
  /** Exact values of numbers beyond 2^53. */
  readonly wide: (bigint | undefined)[] = new Array(MOST + 1).fill(undefined);
  anyWide = false;
  count = 0;
  /** The problem of the line; undefined if it is valid. */
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
      if (this.count > MOST) {
        this.problem = `more than ${MOST} numbers`;
        return;
      }
      if (at - start > MOST_DIGITS) return this.setProblem(bytes, start, to);
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
    if (end - start > MOST_DIGITS && /^\d+$/.test(word)) this.problem = `a number of ${end - start} digits`;
    else this.problem = /^-\d+$/.test(word) ? `the negative number ${word}` : `"${word}", which is not a decimal integer`;
  }

  /** A cost beyond 2^64 - 1 in a field of the layout; only sums of squares may be that large, in merged reports. */
  costProblem(layout: readonly (InputField | null)[]): string | undefined {
    if (!this.anyWide) return undefined;
    for (let i = 0; i < layout.length; i++) {
      const exact = this.wide[i + 2];
      const field = layout[i];
      if (exact !== undefined && field !== 'sumSquares' && field !== 'selfSumSquares' && exact > LARGEST_COST)
        return `${exact}, above 2^64 - 1`;
    }
    return undefined;
  }
}

function asciiText(bytes: Uint8Array, from: number, to: number): string {
  let out = '';
  for (let i = from; i < to; i++) out += String.fromCharCode(bytes[i]);
  return out;
}

const QUOTE = 34;

export function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 32 && bytes[at] !== 9) return false;
  return true;
}

/** The last quote in bytes[from..to); -1 without any. */
export function quoteBefore(bytes: Uint8Array, from: number, to: number): number {
  let at = to - 1;
  while (at >= from && bytes[at] !== QUOTE) at--;
  return at >= from ? at : -1;
}
