// The address range of a routine's instructions, and its object.
import type { Analysis } from './analysis.ts';
import { routineObject } from './names.ts';

/** Both addresses are inclusive; undefined if the routine has no instructions. */
export function addressRange(analysis: Analysis, routine: number): { object: string; from: bigint; to: bigint } | undefined {
  const { high, low } = analysis.costing.instrs(routine);
  if (low.length === 0) return undefined;
  const at = (i: number) => (BigInt(high[i]) << 32n) + BigInt(low[i]);
  return { object: routineObject(analysis.profile, routine) ?? '', from: at(0), to: at(low.length - 1) };
}
