// Which code a disassembler has to show for a routine, and what is known of that code.

import type { Profile } from '../../model/profile.ts';
import { baseName, routineName, routineObject } from '../names/names.ts';
import type { Analysis } from './analysis.ts';

export interface CodeWanted {
  readonly object: string;
  /** The object is the profiled program itself. */
  readonly isMain: boolean;
  /** The name of the code in the object's symbol table; undefined if the routine may be inlined code. */
  readonly symbol: string | undefined;
  /** Ascending. */
  readonly addresses: readonly bigint[];
}

/** Whether an object is the profiled program itself. */
export function isMainObject({ command }: Pick<Profile, 'command'>, object: string): boolean {
  const program = /^\S*/.exec(command ?? '')?.[0] ?? '';
  return object !== '' && baseName(object) === baseName(program);
}

/** undefined if the routine has no instructions. */
export function codeWanted({ costing, profile }: Analysis, routine: number): CodeWanted | undefined {
  const { high, low } = costing.instrs(routine);
  if (low.length === 0) return undefined;
  const object = routineObject(profile, routine) ?? '';
  return {
    object,
    isMain: isMainObject(profile, object),
    symbol: costing.can.has('stacks') ? undefined : routineName(profile, routine),
    addresses: Array.from(low, (l, i) => (BigInt(high[i]) << 32n) + BigInt(l)),
  };
}
