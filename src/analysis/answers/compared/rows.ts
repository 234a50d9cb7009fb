// Lines, call sites and instructions of two runs, merged. A line of the base is where a map of its file puts it; an instruction is where
// its distance from the first one of its routine puts it.
import type { CallSiteQuery, CallSites, Costing, LineCalls, LineMap, LineMaps, MergedInstrs, MergedLines } from '../costing.ts';
import { rowAt } from '../instr-calls.ts';
import { sitesIn } from '../line-calls.ts';
import { mergeAddresses } from '../merged-sites.ts';
import { noLineCalls } from '../without.ts';
import type { Columns } from './columns.ts';
import { keysOf, Merge, mergeTables, sortedBy } from './merge.ts';

const linesNow = ({ file, line }: Pick<MergedLines, 'file' | 'line'>, maps: LineMaps) =>
  Uint32Array.from(line, (l, i) => maps(file[i]).now(l));

export function mergedLines(now: MergedLines, before: MergedLines, maps: LineMaps, join: Columns): MergedLines {
  return sortedBy(['file', 'line'], mergeTables(now, { ...before, line: linesNow(before, maps) }, ['file', 'line'], join));
}

type Addresses = Pick<MergedInstrs, 'high' | 'low'>;

/** The addresses of a routine's instructions, as they would be if it began where it begins in the other run. */
function shifted<T extends Addresses>(from: T, by: bigint): T {
  if (by === 0n) return from;
  const out = { ...from, high: from.high.slice(), low: from.low.slice() };
  for (let i = 0; i < out.low.length; i++) shift(out, i, by);
  return out;
}

function shift(addresses: Addresses, i: number, by: bigint): void {
  const address = BigInt.asUintN(64, addressAt(addresses, i) + by);
  addresses.high[i] = Number(address >> 32n);
  addresses.low[i] = Number(address & 0xffffffffn);
}

function addressAt({ high, low }: Addresses, i: number): bigint {
  return (BigInt(high[i]) << 32n) | BigInt(low[i]);
}

/** How far a routine has moved; 0 if one of the runs does not have it. */
function shiftOf(now: MergedInstrs, before: MergedInstrs): bigint {
  if (now.low.length === 0 || before.low.length === 0) return 0n;
  return addressAt(now, 0) - addressAt(before, 0);
}

export function mergedInstrs(now: MergedInstrs, before: MergedInstrs, maps: LineMaps, join: Columns): MergedInstrs {
  const then = { ...shifted(before, shiftOf(now, before)), line: linesNow(before, maps) };
  return sortedBy(['high', 'low'], mergeTables(now, then, ['high', 'low'], join));
}

/** Call sites: by caller, callee, file, line and address; what the base calls elsewhere on a line counts for the line's first call. */
export function mergedSites(
  now: Costing,
  before: Costing,
  of: CallSiteQuery,
  maps: LineMaps,
  join: Columns,
): CallSites | undefined {
  const [allNow, allBefore] = [now.callSites(of), before.callSites(of)];
  if (!allNow && !allBefore) return undefined;
  const none = emptySites();
  const placed = Boolean(allNow?.high && allBefore?.high);
  const a = placed ? (allNow ?? none) : withoutAddresses(allNow ?? none);
  const b = placed ? movedSites(allBefore ?? none, now, before) : withoutAddresses(allBefore ?? none);
  const then = { ...b, line: linesNow(b, maps) };
  const [lineOf, lineThen] = [a, then].map((sites) => keysOf(sites, ['caller', 'callee', 'file', 'line']));
  const [keyOf, keyThen] = [a, then].map((sites) => keysOf(sites, ['caller', 'callee', 'file', 'line', 'high', 'low']));
  const firstOf = new Map<string, string>();
  const merge = new Merge();
  for (let i = 0; i < a.line.length; i++) {
    const [line, key] = [lineOf(i), keyOf(i)];
    if (!firstOf.has(line)) firstOf.set(line, key);
    merge.add(0, key);
  }
  for (let i = 0; i < b.line.length; i++) {
    const key = keyThen(i);
    merge.add(1, merge.has(key) ? key : (firstOf.get(lineThen(i)) ?? key));
  }
  return sortedBy(['caller', 'file', 'line', 'high', 'low'], merge.rows(a, then, join));
}

function emptySites(): CallSites {
  const ids = new Uint32Array(0);
  return {
    caller: ids,
    callee: ids,
    file: new Int32Array(0),
    line: ids,
    high: ids,
    low: ids,
    count: new Float64Array(0),
    costs: [],
  };
}

/** By line alone: one of the runs has no addresses. */
function withoutAddresses(sites: CallSites): CallSites {
  const { high: _, low: __, spread: ___, ...rest } = mergeAddresses(sites);
  return rest;
}

/** The base's sites, where they would be if their callers began where they begin in this run. */
function movedSites(sites: CallSites, now: Costing, before: Costing): CallSites {
  const { high, low, caller } = sites;
  if (!high || !low) return sites;
  const shifts = new Map<number, bigint>();
  const out = { high: high.slice(), low: low.slice() };
  for (let i = 0; i < low.length; i++) {
    let by = shifts.get(caller[i]);
    if (by === undefined) shifts.set(caller[i], (by = shiftOf(now.instrs(caller[i]), before.instrs(caller[i]))));
    if (by !== 0n) shift(out, i, by);
  }
  return { ...sites, ...out };
}

/** A run's own calls from the lines of a file, by one routine or all (-1). */
export function ownSites(costing: Costing, file: number, routine: number): CallSites | undefined {
  const sites = costing.callSites(routine >= 0 ? { from: routine } : { inFile: file });
  return sites && sitesIn(sites, file);
}

export function mergedLineCalls(
  now: LineCalls | undefined,
  before: LineCalls | undefined,
  map: LineMap,
  join: Columns,
): LineCalls {
  return mergedCalls(now, before, { now: (line) => line, before: map.now }, join);
}

/** `merged`: the instructions of both. Each run says itself which calls stay in a cycle, and where its instructions are. */
export function mergedInstrCalls(
  now: Costing,
  before: Costing,
  routine: number,
  merged: MergedInstrs,
  join: Columns,
): LineCalls | undefined {
  const [ours, theirs] = [now.instrCalls(routine), before.instrCalls(routine)];
  if (!ours && !theirs) return undefined;
  const [a, b] = [now.instrs(routine), before.instrs(routine)];
  const then = shifted(b, shiftOf(a, b));
  const rowIn = ({ high, low }: Addresses) => {
    return (row: number) => (row < low.length ? rowAt(merged, high[row], low[row]) : row);
  };
  return mergedCalls(ours, theirs, { now: rowIn(a), before: rowIn(then) }, join);
}

/** Calls by line, or by what stands for lines; `place` says where those of each run are among those of both. */
function mergedCalls(
  now: LineCalls | undefined,
  before: LineCalls | undefined,
  place: { readonly now: (line: number) => number; readonly before: (line: number) => number },
  join: Columns,
): LineCalls {
  const [a, b] = [now ?? noLineCalls(), before ?? noLineCalls()];
  return mergeTables(
    { ...a, line: a.line.map(place.now) },
    { ...b, line: b.line.map(place.before) },
    ['line', 'callee', 'inside'],
    join,
  );
}
