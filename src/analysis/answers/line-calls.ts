// Calls from source lines for display: one row per line and callee, however many instructions make the call.
import { Groups } from '../../model/groups.ts';
import { pickRows } from '../../model/table.ts';
import type { CallSiteQuery, CallSites, LineCalls } from './costing.ts';

/** Whether a call stays within the routine or its cycle. `of`: the cycle number of each routine, 0 for none. */
export function staysInside(of: Uint32Array, caller: number, callee: number): boolean {
  return caller === callee || (of[caller] !== 0 && of[caller] === of[callee]);
}

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

/** The call sites whose line is in the file. */
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
