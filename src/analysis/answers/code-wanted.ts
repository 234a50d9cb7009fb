// Which code a disassembler has to show for a routine, and what is known of that code.

import type { Profile } from '../../model/profile.ts';
import { baseName, routineName, routineObject } from '../names/names.ts';
import type { Analysis } from './analysis.ts';
import { rowsOfRun } from './instr-calls.ts';

export interface CodeWanted {
  readonly object: string;
  /** The object is the profiled program itself. */
  readonly isMain: boolean;
  /** The name of the code in the object's symbol table; undefined if the routine may be inlined code. */
  readonly symbol: string | undefined;
  /** Ascending. */
  readonly addresses: readonly bigint[];
}

/** Where functions that were inlined are shown, a symbol names the code that they are in. */
function hasInlined(profile: Profile): boolean {
  const nodes = profile.kind === 'callgraph' ? (profile.compared?.now ?? profile).nodes : undefined;
  return nodes !== undefined && !nodes.nameless;
}

/** Whether an object is the profiled program itself. */
export function isMainObject({ command }: Pick<Profile, 'command'>, object: string): boolean {
  const program = /^\S*/.exec(command ?? '')?.[0] ?? '';
  return object !== '' && baseName(object) === baseName(program);
}

export const ONLY_BEFORE = "only the base has instructions of this routine, and the base's code is not disassembled";

/** The code to disassemble, or the reason why there is none. Instructions that only the base has belong to another binary. */
export function codeWanted({ costing, profile }: Analysis, routine: number): CodeWanted | string {
  const instrs = (costing.code?.(routine) ?? costing).instrs(routine);
  const rows = rowsOfRun(instrs, 1);
  if (rows.length === 0) return instrs.low.length > 0 ? ONLY_BEFORE : 'no instructions are recorded for this routine';
  const object = routineObject(profile, routine) ?? '';
  return {
    object,
    isMain: isMainObject(profile, object),
    symbol: costing.can.has('stacks') || hasInlined(profile) ? undefined : routineName(profile, routine),
    addresses: Array.from(rows, (row) => (BigInt(instrs.high[row]) << 32n) + BigInt(instrs.low[row])),
  };
}
