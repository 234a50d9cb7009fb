// Merges call sites by line: the same call from several addresses of a line becomes one row.
import { Groups } from '../../model/groups.ts';
import { pickColumn, pickRows } from '../../model/table.ts';
import type { CallSites } from './costing.ts';

/** Adds up rows with the same caller, callee, file and line, in order of first appearance. */
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
