// Pairs the instructions of a routine in two runs: by address distance if the code is the same, else by a diff.
import type { Addresses, MergedInstrs } from '../costing.ts';
import { invertLineMap, matchByKeys } from './text-lines.ts';

type InstrTable = Pick<MergedInstrs, 'high' | 'low' | 'file' | 'line'>;

/** The instructions of one run, ascending. `line`: in this run's numbering; `own`: as the run itself recorded it. */
interface RunInstrs extends InstrTable {
  readonly own: ArrayLike<number>;
}

/** The maximum length of an instruction, on any processor. An instruction recorded further on is not the next one. */
export const MAX_INSTR_BYTES = 15;
/** The minimum share of common instructions, relative to the shorter list, for the code to count as the same. */
const MIN_COMMON_SHARE = 1 / 8;
/**
 * Sampled runs share instructions by chance. Two with the same address and line prove unmoved code; moved code needs half of the
 * shorter list.
 */
const MIN_UNMOVED_PAIRS = 2;
const MIN_SAMPLED_SHARE = 1 / 2;
/** The maximum share of mixed instructions: those that only one run executed come in blocks, but different code alternates. */
const MAX_MIXED_SHARE = 1 / 4;

/**
 * Pairs instructions. `lines`: the base's lines, mapped to this run. `sampled`: the runs recorded only samples. `found`: by instruction of the base,
 * the row of its pair in this run plus 1, or 0; in order. `shift`: how much higher this run's addresses are, if the code is the same.
 */
export function pairInstrs(now: InstrTable, before: InstrTable, lines: Uint32Array, sampled: boolean) {
  const ours: RunInstrs = { ...now, own: now.line };
  const theirs: RunInstrs = { ...before, line: lines, own: before.line };
  if (now.low.length === 0 || before.low.length === 0) return { found: new Uint32Array(before.low.length), shift: undefined };
  // Equal addresses are tried first, then equal distances from the routine's start.
  for (const shift of new Set([0, addressDistance(ours, 0, theirs, 0)])) {
    const found = pairByAddress(ours, theirs, shift, sampled);
    if (found) return { found, shift };
  }
  // The order of the two lists makes the result independent of which run is the base.
  const found = codePrecedes(theirs, ours)
    ? pairByLine(theirs, ours)
    : invertLineMap(pairByLine(ours, theirs), before.low.length);
  return { found, shift: undefined };
}

/** The distance between two addresses, exact even for high ones. */
export const addressDistance = (a: Addresses, i: number, b: Addresses, j: number): number =>
  (a.high[i] - b.high[j]) * 2 ** 32 + (a.low[i] - b.low[j]);

/** Pairs instructions by address; undefined if the code differs. */
function pairByAddress(now: RunInstrs, before: RunInstrs, shift: number, sampled: boolean): Uint32Array | undefined {
  const [ours, theirs] = [now.low.length, before.low.length];
  const found = new Uint32Array(theirs);
  let [common, sameOwn, sameNow, mixed, last] = [0, 0, 0, 0, 0];
  for (let i = 0, j = 0; i < ours || j < theirs; ) {
    const by = i === ours ? 1 : j === theirs ? -1 : addressDistance(now, i, before, j) - shift;
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
  // Line maps lack lines of headers without text, but so many equal distances are no coincidence.
  if (common === ours && common === theirs && 2 * alike >= common) return found;
  const shorter = Math.min(ours, theirs);
  const least = sampled
    ? Math.min(shorter * MIN_SAMPLED_SHARE, shift === 0 ? MIN_UNMOVED_PAIRS : shorter)
    : shorter * MIN_COMMON_SHARE;
  if (common === 0 || alike < common || common < least) return undefined;
  return sampled || mixed <= (ours + theirs - 2 * common) * MAX_MIXED_SHARE ? found : undefined;
}

function codePrecedes(a: RunInstrs, b: RunInstrs): boolean {
  if (a.low.length !== b.low.length) return a.low.length < b.low.length;
  for (let i = 0; i < a.low.length; i++) {
    const by = addressDistance(a, i, b, i) || a.own[i] - b.own[i];
    if (by !== 0) return by < 0;
  }
  return true;
}

/** Pairs by line and instruction length, if the next address shows the length; then by line only. */
function pairByLine(a: RunInstrs, b: RunInstrs): Uint32Array {
  const byLine = (side: RunInstrs) => Array.from(side.low, (_, i) => `${side.file[i]}:${side.line[i]}`);
  const withLength = (side: RunInstrs, lines: readonly string[]) =>
    lines.map((line, i) => {
      const length = i + 1 < lines.length ? addressDistance(side, i + 1, side, i) : MAX_INSTR_BYTES + 1;
      return length > MAX_INSTR_BYTES ? line : `${line} ${length}`;
    });
  const [lines, others] = [byLine(a), byLine(b)];
  return matchByKeys([withLength(a, lines), withLength(b, others)], [lines, others]);
}
