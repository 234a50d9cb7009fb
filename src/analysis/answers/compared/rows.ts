// Merges lines, call sites and instructions of two runs. Lines of the base are mapped by its file's line map; instructions are
// paired by instr-pairs.ts.
import { pickRows } from '../../../model/column.ts';
import type { CallSiteQuery, CallSites, Costing, LineCalls, LineMaps, LineQuery, MergedInstrs, MergedLines } from '../costing.ts';
import { mergeAddresses, rowOfAddress, rowsOfRun, sitesInFile } from '../line-calls.ts';
import { noLineCalls } from '../without.ts';
import { addressDistance, pairInstrs } from './instr-pairs.ts';
import { type ComparedColumns, type CostingPair, makeRowKey, mergeTables, sortTableBy, TableMerge } from './merge.ts';

/** The base's lines, mapped to this run. */
const mapLinesToNow = ({ file, line }: Pick<MergedLines, 'file' | 'line'>, maps: LineMaps) =>
  Uint32Array.from(line, (l, i) => maps(file[i]).now(l));

export function mergeLines({ now, before, lineMaps, join }: CostingPair, of: LineQuery): MergedLines {
  const theirs = before.lines(of);
  const then = { ...theirs, line: mapLinesToNow(theirs, lineMaps) };
  return sortTableBy(['file', 'line'], mergeTables(now.lines(of), then, ['file', 'line'], join));
}

/** The instructions of both runs in this run's order. Instructions that only the base has keep their relative order. */
export function mergeInstrs({ now, before, lineMaps, join }: CostingPair, routine: number): MergedInstrs {
  const [a, b] = [now.instrs(routine), before.instrs(routine)];
  const line = mapLinesToNow(b, lineMaps);
  const { found, shift } = pairInstrs(a, b, line, now.can.has('stacks'));
  const taken = new Uint8Array(a.low.length);
  for (const row of found) if (row > 0) taken[row - 1] = 1;
  const merge = new TableMerge();
  /** By row: the base's row plus 1; 0 if there is none. */
  const baseRows: number[] = [];
  for (let i = 0, j = 0; i < a.low.length || j < b.low.length; ) {
    const added = i < a.low.length && taken[i] === 0;
    const gone = j < b.low.length && found[j] === 0;
    const row = merge.length;
    if (added && (!gone || (shift !== undefined && addressDistance(a, i, b, j) < shift))) {
      merge.addAsRow(0, row);
      baseRows.push(0);
      i++;
      continue;
    }
    if (!gone) {
      merge.addAsRow(0, row);
      i++;
    }
    merge.addAsRow(1, row);
    baseRows.push(++j);
  }
  const of = (column: Uint32Array) => Uint32Array.from(baseRows, (row) => (row > 0 ? column[row - 1] : 0));
  const rows = merge.rows(a, { ...b, line }, join);
  return { ...rows, highBefore: of(b.high), lowBefore: of(b.low) };
}

/** Merges call sites by caller, callee, file, line and address. Unmatched base calls count for the first call on the line. */
export function mergeCallSites(pair: CostingPair, of: CallSiteQuery): CallSites | undefined {
  const [allNow, allBefore] = [pair.now.callSites(of), pair.before.callSites(of)];
  const known = allNow ?? allBefore;
  if (!known) return undefined;
  const none = pickRows(known, []);
  const haveAddresses = Boolean(allNow?.high && allBefore?.high);
  const a = haveAddresses ? (allNow ?? none) : withoutAddresses(allNow ?? none);
  const b = haveAddresses ? moveSites(allBefore ?? none, pair) : withoutAddresses(allBefore ?? none);
  const then = { ...b, line: mapLinesToNow(b, pair.lineMaps) };
  const [lineOf, lineThen] = [a, then].map((sites) => makeRowKey(sites, ['caller', 'callee', 'file', 'line']));
  const [keyOf, keyThen] = [a, then].map((sites) => makeRowKey(sites, ['caller', 'callee', 'file', 'line', 'high', 'low']));
  const firstOf = new Map<string, string>();
  const merge = new TableMerge();
  for (let i = 0; i < a.line.length; i++) {
    const [line, key] = [lineOf(i), keyOf(i)];
    if (!firstOf.has(line)) firstOf.set(line, key);
    merge.add(0, key);
  }
  for (let i = 0; i < b.line.length; i++) {
    const key = keyThen(i);
    merge.add(1, merge.has(key) ? key : (firstOf.get(lineThen(i)) ?? key));
  }
  return sortTableBy(['caller', 'file', 'line', 'high', 'low'], merge.rows(a, then, pair.join));
}

/** Merges call sites by line only, if one of the runs has no addresses. */
function withoutAddresses(sites: CallSites): CallSites {
  const { high: _, low: __, spread: ___, ...rest } = mergeAddresses(sites);
  return rest;
}

/** Moves the base's call sites to the address of the same instruction in this run, if there is one. */
function moveSites(sites: CallSites, { now, before, lineMaps }: CostingPair): CallSites {
  const { high, low, caller } = sites;
  if (!high || !low) return sites;
  const out = { high: high.slice(), low: low.slice() };
  // The call sites of a caller are adjacent.
  for (let from = 0, to = 0; from < low.length; from = to) {
    while (to < low.length && caller[to] === caller[from]) to++;
    const [a, b] = [now.instrs(caller[from]), before.instrs(caller[from])];
    const { found } = pairInstrs(a, b, mapLinesToNow(b, lineMaps), now.can.has('stacks'));
    for (let i = from; i < to; i++) {
      const pairRow = found[rowOfAddress(b, high[i], low[i])] ?? 0;
      if (pairRow === 0) continue;
      out.high[i] = a.high[pairRow - 1];
      out.low[i] = a.low[pairRow - 1];
    }
  }
  return { ...sites, ...out };
}

/** A run's own calls from the lines of a file, by one routine or all (-1). */
export function ownSites(costing: Costing, file: number, routine: number): CallSites | undefined {
  const sites = costing.callSites(routine >= 0 ? { from: routine } : { inFile: file });
  return sites && sitesInFile(sites, file);
}

/** Merges calls by instruction. `merged`: the instructions of both runs. Each run decides which calls stay in a cycle. */
export function mergeInstrCalls(pair: CostingPair, routine: number, merged: MergedInstrs): LineCalls | undefined {
  const { now, before, join } = pair;
  const [ours, theirs] = [now.instrCalls(routine), before.instrCalls(routine)];
  if (!ours && !theirs) return undefined;
  const rowIn = (side: number) => {
    const rows = rowsOfRun(merged, side);
    return (row: number) => rows[row] ?? row;
  };
  return mergeCalls(ours, theirs, { now: rowIn(1), before: rowIn(2) }, join);
}

/** Merges calls by line or by instruction. `mapLine` maps each run's rows to the merged rows. */
export function mergeCalls(
  now: LineCalls | undefined,
  before: LineCalls | undefined,
  mapLine: { readonly now: (line: number) => number; readonly before: (line: number) => number },
  join: ComparedColumns,
): LineCalls {
  const moved = (calls: LineCalls, rowOf: (line: number) => number) => ({ ...calls, line: calls.line.map(rowOf) });
  const ours = moved(now ?? noLineCalls(), mapLine.now);
  return mergeTables(ours, moved(before ?? noLineCalls(), mapLine.before), ['line', 'callee', 'inside'], join);
}
