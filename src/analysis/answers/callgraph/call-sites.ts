// Call sites: call rows with the same caller, callee, file, line and address, merged.
import { getOrMake } from '../../../base/lists.ts';
import type { Calls } from '../../../model/callgraph/tables.ts';
import { Groups, type Index, indexBy, pickColumn, pickRows, rowsOfKey } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { CallSiteQuery, CallSites, Edges, Jump, SelfLines, Totals } from '../costing.ts';
import { staysInside } from '../line-calls.ts';
import { type Active, once } from '../once.ts';
import type { GraphTotals } from './totals.ts';

export function callSiteFinder(profile: ProfileOf<'callgraph'>, calls: Calls, spansByFile: () => Index, active: Active) {
  const { spans } = profile;
  const index = (of: (row: number, span: number) => number) => {
    const keys = Int32Array.from(calls.span, (span, i) => (active && !active(spans.part[span]) ? -1 : of(i, span)));
    return indexBy(keys, profile.routines.name.length);
  };
  const byCaller = once(() => index((_, span) => spans.routine[span]));
  const byCallee = once(() => index((i) => calls.callee[i]));
  return (of: CallSiteQuery): CallSites | undefined => {
    if (of === 'all') return mergeCalls(profile, calls, byCaller().order);
    if ('from' in of) return of.from < 0 ? undefined : mergeCalls(profile, calls, rowsOfKey(byCaller(), of.from));
    if ('around' in of) {
      const out = Array.from(rowsOfKey(byCaller(), of.around)).filter((i) => calls.callee[i] !== of.around);
      return mergeCalls(profile, calls, [...rowsOfKey(byCallee(), of.around), ...out]);
    }
    if (of.inFile < 0) return undefined;
    const inFile = new Set(rowsOfKey(spansByFile(), of.inFile));
    const rows: number[] = [];
    for (let i = 0; i < calls.span.length; i++) if (inFile.has(calls.span[i])) rows.push(i);
    return mergeCalls(profile, calls, rows);
  };
}

/** Merges the given rows of the calls table into call sites, in order of caller, file, line and address. */
function mergeCalls({ spans, estimated }: ProfileOf<'callgraph'>, calls: Calls, rows: ArrayLike<number>): CallSites {
  const span = pickColumn(calls.span, rows);
  const [caller, file] = [pickColumn(spans.routine, span), pickColumn(spans.file, span)];
  const [callee, line] = [pickColumn(calls.callee, rows), pickColumn(calls.line, rows)];
  const addresses = calls.address && { high: pickColumn(spans.high, span), low: pickColumn(calls.address, rows) };
  const at = addresses ? (k: number) => `${addresses.high[k]}.${addresses.low[k]}` : () => '';
  const key = (k: number) => `${caller[k]}.${callee[k]}.${file[k]}.${line[k]}.${at(k)}`;
  const groups = Groups.groupBy(rows.length, key).sortBy(caller, file, line, addresses?.high, addresses?.low);
  return {
    ...pickRows({ caller, callee, file, line, ...addresses }, groups.first),
    count: groups.sum(calls.count, rows),
    costs: groups.sums(calls.costs, rows),
    ...(estimated ? { estimated: groups.combineBits(estimated.calls, rows) } : {}),
  };
}

/** The edge from a caller to a callee; -1 if there is none. */
export function findEdge({ from, callee }: Edges, caller: number, to: number): number {
  for (let e = from[caller]; e < from[caller + 1]; e++) if (callee[e] === to) return e;
  return -1;
}

/** Counts each cost once: an edge's cost is split among its call sites, and no site exceeds the program's total. */
export function countSitesOnce({ edges, totals }: GraphTotals, sites: CallSites | undefined): CallSites | undefined {
  const { recorded } = edges;
  if (!recorded || !sites) return sites;
  const costs = sites.costs.map((column) => column.slice());
  const estimated = sites.estimated?.slice() ?? new Uint8Array(sites.caller.length);
  for (let i = 0; i < estimated.length; i++) {
    const [u, v] = [sites.caller[i], sites.callee[i]];
    // Other edges keep their recorded costs. Skipping them avoids a search through many callees.
    if (!staysInside(totals.cycles.of, u, v) && edges.overclaim?.[u] !== 1) continue;
    const e = findEdge(edges, u, v);
    for (const [c, column] of costs.entries()) {
      const all = recorded[c][e];
      if (edges.costs[c][e] !== all) column[i] = (column[i] * edges.costs[c][e]) / all;
    }
    estimated[i] |= edges.estimated?.[e] ?? 0;
  }
  return { ...sites, costs, recorded: sites.costs, ...(estimated.includes(1) ? { estimated } : {}) };
}

/**
 * The inclusive cost of lines, each cost once: self cost and calls, divided by how often the cost returns to the line
 * (recursion.ts). `sites`: those of the lines, with the cost of each edge counted once.
 */
export function inclusiveLines(graph: GraphTotals, self: SelfLines, sites: CallSites | undefined): Float64Array[] {
  const { recursion, edges, totals } = graph;
  return self.costs.map((column, c) => {
    const out = column.slice();
    const back = new Float64Array(column.length);
    for (let i = 0; sites && i < sites.line.length; i++) {
      const row = self.rowOf.get(sites.line[i]);
      if (row === undefined) continue;
      const [u, v] = [sites.caller[i], sites.callee[i]];
      const e = staysInside(totals.cycles.of, u, v) ? findEdge(edges, u, v) : -1;
      if (e < 0 || edges.estimated?.[e] !== 1 || edges.costs[c][e] === 0) {
        out[row] += sites.costs[c][i];
        continue;
      }
      const cost = (sites.costs[c][i] * graph.flow.edges.costs[c][e]) / edges.costs[c][e];
      out[row] += cost;
      back[row] += cost * recursion.returnShare(c, v, u);
    }
    return out.map((cost, row) => cost / (1 + back[row]));
  });
}

/** Limits the inclusive costs of lines to that of their routine, which is above and below itself: so is what its lines cost. */
export const withinRoutine = (costs: Float64Array[], { inclusive }: Totals, routine: number): Float64Array[] =>
  costs.map((column, c) => column.map((cost) => (inclusive[c][routine] > 0 ? Math.min(cost, inclusive[c][routine]) : cost)));

/** The jumps of a routine, merged by source, target and kind. `index`: jump rows by routine. */
export function jumpsOfRoutine({ jumps, spans }: ProfileOf<'callgraph'>, index: () => Index, routine: number): Jump[] {
  if (!jumps || routine < 0) return [];
  const known = new Map<string, Jump>();
  for (const i of rowsOfKey(index(), routine)) {
    const span = jumps.span[i];
    const high = spans.high[span];
    const place = {
      file: spans.file[span],
      line: jumps.line[i],
      high,
      low: jumps.address?.[i] ?? 0,
      targetFile: jumps.targetFile[i],
      targetLine: jumps.targetLine[i],
      targetHigh: jumps.targetHigh?.[i] ?? high,
      targetLow: jumps.targetAddress?.[i] ?? 0,
      conditional: jumps.conditional[i] === 1,
    };
    const targetRoutine = jumps.targetRoutine?.[i] ?? -1;
    const jump = getOrMake(known, Object.values(place).join(), () => ({ ...place, targetRoutine, taken: 0, executed: 0 }));
    jump.taken += jumps.taken[i];
    jump.executed += jumps.executed[i];
  }
  return [...known.values()];
}
