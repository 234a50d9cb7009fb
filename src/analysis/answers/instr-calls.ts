// The calls of a routine by the instructions that make them.
import { firstIndexWhere } from '../../base/search.ts';
import type { CallSites, LineCalls, MergedInstrs } from './costing.ts';
import { mergeSitesByLine } from './line-calls.ts';

/** The rows of one run in its order. `side`: 1 for this run, 2 for the base. */
export function rowsOfRun({ low, sides }: Pick<MergedInstrs, 'low' | 'sides'>, side: number): Uint32Array {
  const all = Uint32Array.from(low.keys());
  return sides ? all.filter((row) => sides[row] & side) : all;
}

/** The row of an address; -1 if it was not recorded. `among`: the rows to search, with ascending addresses. */
export function rowOfAddress(
  { high, low }: Pick<MergedInstrs, 'high' | 'low'>,
  wantedHigh: number,
  wantedLow: number,
  among?: Uint32Array,
): number {
  const at = (k: number) => (among ? among[k] : k);
  const isBehind = (row: number) => high[row] > wantedHigh || (high[row] === wantedHigh && low[row] >= wantedLow);
  const row = at(firstIndexWhere((among ?? low).length, (k) => isBehind(at(k))));
  return high[row] === wantedHigh && low[row] === wantedLow ? row : -1;
}

/**
 * Calls by the row of their instruction: that is their `line`, and a large number (-1 as an unsigned one) where the instruction was not
 * recorded. Undefined if calls have no addresses. `of`: cycle numbers by routine.
 */
export function instrCallsOf(instrs: MergedInstrs, sites: CallSites | undefined, of: Uint32Array): LineCalls | undefined {
  const { high, low } = sites ?? {};
  if (!sites || !high || !low) return undefined;
  const rows = low.map((l, i) => rowOfAddress(instrs, high[i], l));
  return mergeSitesByLine(sites, of, rows);
}
