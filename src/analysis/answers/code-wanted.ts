// Which code a disassembler has to show for a routine, and what is known of that code.

import { baseName, routineName, routineObject } from '../names/names.ts';
import type { Analysis } from './analysis.ts';
import { rowsOn } from './instr-calls.ts';

export interface CodeWanted {
  readonly object: string;
  /** The object is the profiled program itself. */
  readonly isMain: boolean;
  /** The name of the code in the object's symbol table; undefined if the routine may be inlined code. */
  readonly symbol: string | undefined;
  /** Ascending. */
  readonly addresses: readonly bigint[];
}

export const ONLY_BEFORE = "only the base has instructions of this routine, and the base's code is not disassembled";

/** Or why there is none. Instructions that only the base has are of another build's code. */
export function codeWanted({ costing, profile }: Analysis, routine: number): CodeWanted | string {
  const instrs = costing.instrs(routine);
  const rows = rowsOn(instrs, 1);
  if (rows.length === 0) return instrs.low.length > 0 ? ONLY_BEFORE : 'no instructions are recorded for this routine';
  const object = routineObject(profile, routine) ?? '';
  const program = /^\S*/.exec(profile.command ?? '')?.[0] ?? '';
  return {
    object,
    isMain: object !== '' && baseName(object) === baseName(program),
    symbol: costing.can.has('stacks') ? undefined : routineName(profile, routine),
    addresses: Array.from(rows, (row) => (BigInt(instrs.high[row]) << 32n) + BigInt(instrs.low[row])),
  };
}
