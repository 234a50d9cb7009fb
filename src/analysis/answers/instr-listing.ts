// A routine's instructions as listed: with their calls, and with gaps where instructions never ran.

import { addToList, memo } from '../../base/lists.ts';
import type { CodeText } from '../../base/source-text.ts';
import { formatAddress } from '../../base/units.ts';
import type { Analysis } from './analysis.ts';
import { addressDistance, MAX_INSTR_BYTES } from './compared/instr-pairs.ts';
import type { Jump, LineCalls, MergedInstrs } from './costing.ts';
import { rowOfAddress, rowsOfRun } from './line-calls.ts';

export interface InstrListing {
  readonly routine: number;
  readonly instrs: MergedInstrs;
  /** The run that provides jumps, gaps and texts: 1, or 2 (the base) if only the base has the routine. */
  readonly side: 1 | 2;
  /** The rows of the run in `side`. */
  readonly own: Uint32Array;
  readonly jumps: readonly Jump[];
  /** By raw column and instruction: self cost plus calls, each cost once. */
  readonly inclusive: readonly Float64Array[];
  /** The calls of each instruction; their `line` is the row of the instruction. */
  readonly calls: LineCalls | undefined;
  readonly callsAt: ReadonlyMap<number, readonly number[]>;
  /** The disassembly; undefined if objdump was not run. */
  readonly code: CodeText | undefined;
  /** By instruction: the gap before the next recorded one, with the instructions that never ran; none if their text is unknown. */
  readonly gaps: ReadonlyMap<number, { readonly never: readonly string[]; readonly bytes: number }>;
}

export const isOfListedRun = ({ instrs, side }: Pick<InstrListing, 'instrs' | 'side'>, row: number): boolean =>
  ((instrs.sides?.[row] ?? 3) & side) !== 0;

/** The row of an address in a jump; -1 if the address was not recorded. */
export const rowOfJumpAddress = ({ instrs, own }: InstrListing, high: number, low: number): number =>
  rowOfAddress(instrs, high, low, own);

/**
 * The row of the same instruction in another listing of the routine, whose pairs may differ once texts are known. -1 if missing.
 */
export function correspondingRow(to: InstrListing, from: InstrListing, row: number): number {
  const { high, low, sides } = from.instrs;
  if (row < 0 || from.instrs === to.instrs) return row;
  if (sides?.[row] !== 2) return rowOfJumpAddress(to, high[row], low[row]);
  const { highBefore = high, lowBefore = low } = to.instrs;
  return rowOfAddress({ high: highBefore, low: lowBefore }, high[row], low[row], rowsOfRun(to.instrs, 2));
}

/** Whether calls have the address of the calling instruction. Sampled stacks record return addresses instead. */
export const hasInstrCalls = ({ costing }: Analysis): boolean => costing.can.has('calls') && !costing.can.has('stacks');

/** The address of a row. Rows that only the base has show their address in the base. */
export const addressOf = ({ instrs }: Pick<InstrListing, 'instrs'>, row: number): string =>
  formatAddress(instrs.high[row], instrs.low[row]);

/** The address in the base; undefined if the base lacks the row. */
export function addressBefore({ instrs }: Pick<InstrListing, 'instrs'>, row: number): string | undefined {
  const { highBefore, lowBefore, sides } = instrs;
  return highBefore && lowBefore && sides && sides[row] & 2 ? formatAddress(highBefore[row], lowBefore[row]) : undefined;
}

/** Lists instructions. `whole`: includes functions inlined into the routine, if those are shown. */
export const listInstrs = memo((analysis: Analysis, routine: number, code: CodeText | undefined, whole: boolean) => {
  const known = listWithCosts(analysis, routine, whole);
  return { ...known, code, gaps: findGaps(known, code) } satisfies InstrListing;
}, 3);

/** The part of the listing that does not depend on the disassembly. */
const listWithCosts = memo((analysis: Analysis, routine: number, whole: boolean): Omit<InstrListing, 'code' | 'gaps'> => {
  const costing = (whole && analysis.costing.code?.(routine)) || analysis.costing;
  const instrs = costing.instrs(routine);
  const side = analysis.profile.compared?.routineSides[routine] === 2 ? 2 : 1;
  const listed = { routine, instrs, side, own: rowsOfRun(instrs, side), jumps: costing.jumps(routine) } as const;
  const calls = hasInstrCalls(analysis) ? costing.instrCalls(routine) : undefined;
  const inclusive = instrs.costs.map((column) => column.slice());
  const callsAt = new Map<number, number[]>();
  if (!calls) return { ...listed, inclusive, calls, callsAt };
  calls.line.forEach((row, i) => {
    addToList(callsAt, row, i);
    // Row -1 (a large unsigned number) is a call from an instruction that was not recorded.
    if (row < instrs.low.length) for (let c = 0; c < inclusive.length; c++) inclusive[c][row] += calls.costs[c][i];
  });
  return { ...listed, inclusive, calls, callsAt };
}, 3);

function findGaps({ instrs, own }: Pick<InstrListing, 'instrs' | 'own'>, code: CodeText | undefined): InstrListing['gaps'] {
  const out = new Map<number, { readonly never: string[]; readonly bytes: number }>();
  if (own.length === 0) return out;
  // Addresses count from the first: those of a kernel are beyond 2^53.
  const address = (row: number) => addressDistance(instrs, row, instrs, own[0]);
  const first = BigInt(instrs.high[own[0]]) * 2n ** 32n + BigInt(instrs.low[own[0]]);
  const known = code
    ? [...code.instructions.keys()].map((text) => [Number(BigInt(text) - first), text] as const).sort((a, b) => a[0] - b[0])
    : [];
  let k = 0;
  for (let at = 0; at + 1 < own.length; at++) {
    const [from, to] = [address(own[at]), address(own[at + 1])];
    while (k < known.length && known[k][0] <= from) k++;
    const never: string[] = [];
    for (; k < known.length && known[k][0] < to; k++) never.push(known[k][1]);
    // Without the disassembly, only distances longer than any instruction are certainly gaps.
    if (never.length > 0 || to - from > MAX_INSTR_BYTES) out.set(own[at], { never, bytes: to - from });
  }
  return out;
}
