// Which instructions of a routine are the same in two runs: those at the same distances where the code is the same, else by a diff.
import type { MergedInstrs } from '../costing.ts';
import { inverse, matchByKeys } from './text-lines.ts';

type Instrs = Pick<MergedInstrs, 'high' | 'low' | 'file' | 'line'>;

/** Instructions of one run, ascending. `line`: as this run has it. `own`: as the run itself recorded it. */
interface Side extends Instrs {
  readonly own: ArrayLike<number>;
}

export interface InstrPairs {
  /** By instruction of the base: 1 more than the row of its pair in this run, 0 if there is none. Both go up together. */
  readonly found: Uint32Array;
  /** How much higher this run's addresses are, if it is the same code. */
  readonly shift: number | undefined;
}

/** No instruction is longer, so what is recorded further on is not the next one. */
const LONGEST = 15;
/** If the code is the same, both runs have at least this share of the shorter list. */
const LEAST_COMMON = 1 / 8;
/** Runs of samples meet the same instructions by chance: two of the same address and line are code that has not moved, else most are hot in both. */
const LEAST_UNMOVED = 2;
const LEAST_SAMPLED = 1 / 2;
/** Where only one run went, it ran several instructions in a row; those of other code lie between each other. */
const MOST_MIXED = 1 / 4;

/** `lines`: those of the base, where they are now. `sampled`: not all that ran was recorded. */
export function pairInstrs(now: Instrs, before: Instrs, lines: Uint32Array, sampled: boolean): InstrPairs {
  const ours: Side = { ...now, own: now.line };
  const theirs: Side = { ...before, line: lines, own: before.line };
  if (now.low.length === 0 || before.low.length === 0) return { found: new Uint32Array(before.low.length), shift: undefined };
  // The same addresses, or as far from where the routine begins.
  for (const shift of new Set([0, distance(ours, 0, theirs, 0)])) {
    const found = sameCode(ours, theirs, shift, sampled);
    if (found) return { found, shift };
  }
  // Whichever run is the base, the same pairs are found.
  const found = inOrder(theirs, ours) ? matchSides(theirs, ours) : inverse(matchSides(ours, theirs), before.low.length);
  return { found, shift: undefined };
}

/** Exact however high the addresses are. */
const distance = (a: Pick<Instrs, 'high' | 'low'>, i: number, b: Pick<Instrs, 'high' | 'low'>, j: number): number =>
  (a.high[i] - b.high[j]) * 2 ** 32 + (a.low[i] - b.low[j]);

/** Whether an instruction of this run lies before one of the base, if its code has moved so far. */
export const liesBefore = (now: Instrs, i: number, before: Instrs, j: number, shift: number): boolean =>
  distance(now, i, before, j) < shift;

/** Pairs by address, if that is the same code: undefined if it is not. */
function sameCode(now: Side, before: Side, shift: number, sampled: boolean): Uint32Array | undefined {
  const [ours, theirs] = [now.low.length, before.low.length];
  const found = new Uint32Array(theirs);
  let [common, sameOwn, sameNow, mixed, last] = [0, 0, 0, 0, 0];
  for (let i = 0, j = 0; i < ours || j < theirs; ) {
    const by = i === ours ? 1 : j === theirs ? -1 : distance(now, i, before, j) - shift;
    if (by !== 0 && last * by < 0) mixed++;
    last = by;
    if (by < 0) i++;
    else if (by > 0) j++;
    else {
      common++;
      if (now.own[i] === before.own[j]) sameOwn++;
      if (now.file[i] === before.file[j] && now.line[i] === before.line[j]) sameNow++;
      found[j++] = ++i;
    }
  }
  const alike = Math.max(sameOwn, sameNow);
  // Line maps know no lines of headers without texts; so many equal distances are no accident.
  if (common === ours && common === theirs && 2 * alike >= common) return found;
  const shorter = Math.min(ours, theirs);
  const least = sampled ? Math.min(shorter * LEAST_SAMPLED, shift === 0 ? LEAST_UNMOVED : shorter) : shorter * LEAST_COMMON;
  if (common === 0 || alike < common || common < least) return undefined;
  return sampled || mixed <= (ours + theirs - 2 * common) * MOST_MIXED ? found : undefined;
}

function inOrder(a: Side, b: Side): boolean {
  if (a.low.length !== b.low.length) return a.low.length < b.low.length;
  for (let i = 0; i < a.low.length; i++) {
    const by = distance(a, i, b, i) || a.own[i] - b.own[i];
    if (by !== 0) return by < 0;
  }
  return true;
}

/** By line and length, as far as the next instruction says it; then by line. */
function matchSides(a: Side, b: Side): Uint32Array {
  const byLine = (side: Side) => Array.from(side.low, (_, i) => `${side.file[i]}:${side.line[i]}`);
  const withLength = (side: Side, lines: readonly string[]) =>
    lines.map((line, i) => {
      const length = i + 1 < lines.length ? distance(side, i + 1, side, i) : LONGEST + 1;
      return length > LONGEST ? line : `${line} ${length}`;
    });
  const [lines, others] = [byLine(a), byLine(b)];
  return matchByKeys([
    [withLength(a, lines), withLength(b, others)],
    [lines, others],
  ]);
}
