// Calls from source lines for display, one row per line and callee, however many instructions make the call; and by instruction.
import { firstIndexWhere } from '../../base/lists.ts';
import { Groups, pickColumn, pickRows } from '../../model/column.ts';
import type { Addresses, CallSiteQuery, CallSites, LineCalls, MergedInstrs } from './costing.ts';

/** Whether a call stays within the routine or its cycle. `of`: the cycle number of each routine, 0 for none. */
export const staysInside = (of: Uint32Array, caller: number, callee: number): boolean =>
  caller === callee || (of[caller] !== 0 && of[caller] === of[callee]);

/**
 * Merges the call sites of one file by line, callee and whether the call stays inside; sums counts and costs. `lines`: replaces
 * the line numbers if rows are not lines.
 */
export function mergeSitesByLine(sites: CallSites, of: Uint32Array, lines: Uint32Array = sites.line): LineCalls {
  const { caller, callee, estimated } = sites;
  const inside = Uint8Array.from(caller, (from, i) => (staysInside(of, from, callee[i]) ? 1 : 0));
  const groups = Groups.groupBy(lines.length, (i) => `${lines[i]}.${callee[i]}.${inside[i]}`);
  return {
    ...pickRows({ line: lines, callee, inside }, groups.first),
    sites: Uint32Array.from(groups.sum(new Uint8Array(lines.length).fill(1))),
    count: groups.sum(sites.count),
    costs: groups.sums(sites.costs),
    ...(estimated ? { estimated: groups.combineBits(estimated) } : {}),
  };
}

export function sitesInFile(sites: CallSites, file: number): CallSites {
  const rows = Array.from(sites.file.keys()).filter((i) => sites.file[i] === file);
  return pickRows(sites, rows);
}

/** Whether a call is wanted. `file`: the file of its line. */
export function isWantedCall(of: CallSiteQuery, caller: number, callee: number, file: number): boolean {
  if (of === 'all') return true;
  if ('from' in of) return caller === of.from;
  return 'around' in of ? caller === of.around || callee === of.around : file === of.inFile;
}

/** Adds up rows with the same caller, callee, file and line from several addresses of it, in order of first appearance. */
export function mergeAddresses(sites: CallSites): CallSites {
  const { caller, callee, file, line, high, low, inlined, recorded, sides, estimated } = sites;
  if (!high || !low) return sites;
  // The rows of a caller's line are adjacent, whatever they call.
  const width = callee.reduce((most, to) => Math.max(most, to), 0) + 1;
  let run = 0;
  const groups = Groups.groupBy(caller.length, (i) => {
    if (i > 0 && (caller[i] !== caller[i - 1] || file[i] !== file[i - 1] || line[i] !== line[i - 1])) run++;
    return run * width + callee[i];
  });
  const { groupOf, first } = groups;
  if (first.length === caller.length) return sites;
  const elsewhere = Uint8Array.from(groupOf, (row, i) => (high[i] !== high[first[row]] || low[i] !== low[first[row]] ? 1 : 0));
  const spread = pickColumn(sites.spread ?? new Uint8Array(caller.length), first);
  return {
    ...pickRows({ caller, callee, file, line, high, low }, first),
    spread: groups.combineBits(elsewhere).map((is, row) => is | spread[row]),
    ...(inlined ? { inlined: groups.combineBits(inlined.map((is) => 1 - is)).map((plain) => 1 - plain) } : {}),
    count: groups.sum(sites.count),
    costs: groups.sums(sites.costs),
    ...(recorded ? { recorded: groups.sums(recorded) } : {}),
    ...(sides ? { sides: groups.combineBits(sides) } : {}),
    ...(estimated ? { estimated: groups.combineBits(estimated) } : {}),
  };
}

/** The rows of one run in its order. `side`: 1 for this run, 2 for the base. */
export function rowsOfRun({ low, sides }: Pick<MergedInstrs, 'low' | 'sides'>, side: number): Uint32Array {
  const all = Uint32Array.from(low.keys());
  return sides ? all.filter((row) => sides[row] & side) : all;
}

/** The row of an address; -1 if it was not recorded. `among`: the rows to search, with ascending addresses. */
export function rowOfAddress({ high, low }: Addresses, wantedHigh: number, wantedLow: number, among?: Uint32Array): number {
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
