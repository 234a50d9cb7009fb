// The calls of a routine by the instructions that make them.
import { firstWhere } from '../../base/search.ts';
import type { CallSites, LineCalls, MergedInstrs } from './costing.ts';
import { mergeSites } from './line-calls.ts';

/** The row of an address; -1 if it was not recorded. */
export function rowAt({ high, low }: Pick<MergedInstrs, 'high' | 'low'>, wantedHigh: number, wantedLow: number): number {
  const row = firstWhere(low.length, (k) => high[k] > wantedHigh || (high[k] === wantedHigh && low[k] >= wantedLow));
  return high[row] === wantedHigh && low[row] === wantedLow ? row : -1;
}

/**
 * Calls by the row of their instruction: that is their `line`, and a large number (-1 as an unsigned one) where the instruction was not
 * recorded. Undefined if calls have no addresses. `of`: cycle numbers by routine.
 */
export function instrCallsOf(instrs: MergedInstrs, sites: CallSites | undefined, of: Uint32Array): LineCalls | undefined {
  const { high, low } = sites ?? {};
  if (!sites || !high || !low) return undefined;
  const rows = low.map((l, i) => rowAt(instrs, high[i], l));
  return mergeSites(sites, of, rows);
}
