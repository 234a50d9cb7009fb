// Where a routine's instructions lie: its object, and its first and last address.
import type { Analysis } from './analysis.ts';
import { routineObject } from './names.ts';

/** Addresses inclusive; undefined where the routine has no instructions of its own. */
export function addressRange(analysis: Analysis, routine: number): { object: string; from: bigint; to: bigint } | undefined {
  const { high, low } = analysis.costing.instrs(routine);
  if (low.length === 0) return undefined;
  const at = (i: number) => (BigInt(high[i]) << 32n) + BigInt(low[i]);
  return { object: routineObject(analysis.profile, routine) ?? '', from: at(0), to: at(low.length - 1) };
}
