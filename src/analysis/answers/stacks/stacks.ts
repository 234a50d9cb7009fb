// Sums over sampled stacks. A sample counts once for a routine, an edge, a call site or a line, however often it occurs
// in the stack: so recursion never counts twice, and nothing here is an estimate.
import { memo } from '../../../base/lists.ts';
import { forEachInSlices, type Sliced } from '../../../base/slices.ts';
import { Groups, growColumn, pickColumn, pickRows, sortRows } from '../../../model/column.ts';
import { PairTable } from '../../../model/hash-table.ts';
import { zeroCosts } from '../../../model/head.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { CodeAddresses, Frames } from '../../../model/stacks/tables.ts';
import type { CallSiteQuery, CallSites, Edges, GroupCosts, GroupQuery, SelfLines, Totals } from '../costing.ts';
import { percentageBasesOf } from '../differences.ts';
import { edgesFromPairs } from '../edges.ts';
import { isWantedCall } from '../line-calls.ts';
import type { Active } from '../once.ts';
import { withoutCycles, zeroTotals } from '../without.ts';
import { inlinedRowFinder } from './inlined.ts';

export function* totalsInSlices(profile: ProfileOf<'stacks'>, active: Active): Sliced<Totals> {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const { self, inclusive, total, calls } = zeroTotals(profile);
  const seen = new Int32Array(calls.length).fill(-1);
  const always = inlinedRowFinder(profile);
  const add = (s: number) => {
    if (active && !active(part[s])) return;
    const [from, to] = [start[s], start[s + 1]];
    for (let c = 0; c < costs.length; c++) {
      const cost = costs[c][s];
      total[c][0] += cost;
      if (to > from) self[c][routine[frame[from]]] += cost;
    }
    for (let k = from; k < to; k++) {
      const r = routine[frame[k]];
      always?.add(r, frame[k]);
      if (seen[r] === s) continue;
      seen[r] = s;
      for (let c = 0; c < costs.length; c++) inclusive[c][r] += costs[c][s];
    }
  };
  yield* forEachInSlices(part.length, add);
  // No cycles are needed: whole stacks never count a cost twice.
  const whole = percentageBasesOf(costs, total, (row) => {
    for (let s = 0; s < part.length; s++) if (!active || active(part[s])) row(s, s + 1);
  });
  const totals = withoutCycles({ total, whole, self, inclusive, calls });
  return always ? { ...totals, inlined: always.done(calls.length) } : totals;
}

/**
 * Sums the costs of stacks by row. `rowOf`: the row of the frame at an index of `stacks.frame`, -1 for none. A stack counts once
 * per row. `outer`: skips innermost frames, which call nothing. `rows`: the minimum number of rows.
 */
export function sumsByRow(
  { stacks }: ProfileOf<'stacks'>,
  active: Active,
  outer: boolean,
  rowOf: (frameIndex: number) => number,
  rows = 0,
): Float64Array[] {
  const { start, part, costs } = stacks;
  let sums = zeroCosts(costs.length, Math.max(256, rows));
  /** By row: the last stack that counted for it, plus one. */
  let seen = new Uint32Array(Math.max(256, rows));
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start[s] + (outer ? 1 : 0); k < start[s + 1]; k++) {
      const row = rowOf(k);
      if (row < 0) continue;
      if (row >= rows) rows = row + 1;
      if (row >= seen.length) [seen, sums] = [growColumn(seen, 2 * row), sums.map((column) => growColumn(column, 2 * row))];
      if (seen[row] === s + 1) continue;
      seen[row] = s + 1;
      for (let c = 0; c < costs.length; c++) sums[c][row] += costs[c][s];
    }
  }
  return sums.map((column) => column.slice(0, rows));
}

/** By group: the cost of samples with one of its routines in the stack. */
export function stackGroups(profile: ProfileOf<'stacks'>, active: Active, { groupOf, groups }: GroupQuery): GroupCosts {
  const { frame } = profile.stacks;
  const { routine } = profile.frames;
  const costs = sumsByRow(profile, active, false, (k) => groupOf[routine[frame[k]]], groups);
  return { costs, estimated: new Uint8Array(groups) };
}

export function stackEdges(profile: ProfileOf<'stacks'>, active: Active): Edges {
  const { frame } = profile.stacks;
  const { routine } = profile.frames;
  const routines = profile.routines.name.length;
  const pairs = new PairTable(Int32Array);
  const always = inlinedRowFinder(profile);
  const sums = sumsByRow(profile, active, true, (k) => {
    const e = pairs.numberOf(routine[frame[k]], routine[frame[k - 1]]);
    always?.add(e, frame[k - 1]);
    return e;
  });
  return edgesFromPairs(pairs, routines, new Float64Array(pairs.size), sums, always && { inlined: always.done(pairs.size) });
}

/** Numbers the pairs of routine and line of frames. Cached for two runs, because call sites are requested file by file. */
const frameLineNumbers = memo(
  ({ routine, file, line }: Frames) => Groups.groupBy(routine.length, (f) => `${routine[f]} ${file[f]} ${line[f]}`).groupOf,
);

/** Call sites: lines whose frames call another frame. In order of caller, file, line, address. */
export function stackCallSites(profile: ProfileOf<'stacks'>, active: Active, of: CallSiteQuery): CallSites {
  const { frame } = profile.stacks;
  const { frames, places } = profile;
  const { routine, file, line } = frames;
  const lines = frameLineNumbers(frames);
  const pairs = new PairTable(Int32Array);
  const always = inlinedRowFinder(profile);
  /** A frame of each call site, and whether the site has frames at other addresses. */
  const caller: number[] = [];
  const spread: number[] = [];
  const costs = sumsByRow(profile, active, true, (k) => {
    const f = frame[k];
    const callee = routine[frame[k - 1]];
    if (!isWantedCall(of, routine[f], callee, file[f])) return -1;
    const site = pairs.numberOf(lines[f], callee);
    always?.add(site, frame[k - 1]);
    caller[site] ??= f;
    spread[site] ??= 0;
    if (places && places.ofFrame[caller[site]] !== places.ofFrame[f]) spread[site] = 1;
    // The lowest address represents a site, independent of the order of samples.
    if (places && isLowerAddress(places, f, caller[site])) caller[site] = f;
    return site;
  });
  const place = places && pickColumn(places.ofFrame, caller);
  const sites = {
    ...pickRows({ caller: routine, file, line }, caller),
    callee: new Uint32Array(pairs.second.done()),
    ...(places && place
      ? { ...pickRows({ high: places.ownHigh, low: places.ownLow }, place), spread: Uint8Array.from(spread) }
      : {}),
    ...(always ? { inlined: always.done(caller.length) } : {}),
    count: new Float64Array(caller.length),
    costs,
  };
  return pickRows(sites, sortRows([...caller.keys()], sites.caller, sites.file, sites.line, sites.high, sites.low));
}

function isLowerAddress({ ofFrame, ownHigh, ownLow }: CodeAddresses, f: number, g: number): boolean {
  const [a, b] = [ofFrame[f], ofFrame[g]];
  return ownHigh[a] < ownHigh[b] || (ownHigh[a] === ownHigh[b] && ownLow[a] < ownLow[b]);
}

/** Samples by line of a file, counted if the line is anywhere in the stack; of one routine, or of all (-1). */
export function inclusiveStackLines(
  profile: ProfileOf<'stacks'>,
  active: Active,
  file: number,
  routine: number,
  { rowOf, costs }: SelfLines,
): Float64Array[] {
  const { frame } = profile.stacks;
  const { frames } = profile;
  const rowOfFrame = (k: number) => {
    const f = frame[k];
    return frames.file[f] !== file || (routine >= 0 && frames.routine[f] !== routine) ? -1 : (rowOf.get(frames.line[f]) ?? -1);
  };
  return sumsByRow(profile, active, false, rowOfFrame, costs[0]?.length);
}
