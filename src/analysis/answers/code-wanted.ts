// Determines which code a disassembler must show for a routine, and what is known about that code.

import { baseName } from '../../base/paths.ts';
import type { CodeRequest } from '../../base/source-text.ts';
import type { Profile } from '../../model/profile.ts';
import { nameInData, routineObject } from '../names/names.ts';
import type { Analysis } from './analysis.ts';
import { rowsOfRun } from './line-calls.ts';

/** Whether inlined functions are shown as routines. Their code is in the symbol of a function that they are inlined into. */
export const hasInlined = (run: Profile | undefined): boolean =>
  run?.kind === 'callgraph' && run.nodes !== undefined && !run.nodes.nameless;

/** Whether an object is the profiled program itself. */
export function isMainObject({ command }: Pick<Profile, 'command'>, object: string): boolean {
  const program = /^\S*/.exec(command ?? '')?.[0] ?? '';
  return object !== '' && baseName(object) === baseName(program);
}

export const ONLY_BASE_HAS_CODE = "only the base has instructions of this routine, and the base's code is not disassembled";

/** The code to disassemble, or why there is none. Instructions that only the base has belong to another binary. */
export function requestCode({ costing, profile }: Analysis, routine: number): CodeRequest | string {
  const instrs = (costing.code?.(routine) ?? costing).instrs(routine);
  const rows = rowsOfRun(instrs, 1);
  if (rows.length === 0) return instrs.low.length > 0 ? ONLY_BASE_HAS_CODE : 'no instructions are recorded for this routine';
  const object = routineObject(profile, routine) ?? '';
  return {
    object,
    isMain: isMainObject(profile, object),
    symbol: costing.can.has('stacks') || hasInlined(profile.compared?.now ?? profile) ? undefined : nameInData(profile, routine),
    addresses: Array.from(rows, (row) => (BigInt(instrs.high[row]) << 32n) + BigInt(instrs.low[row])),
  };
}
