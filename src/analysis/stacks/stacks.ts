// Sums over sampled stacks. A sample counts once for a routine, an edge, a call site or a line, however often it occurs
// in the stack: so recursion never counts twice, and nothing here is an estimate.
import { indexBy } from '../../model/column.ts';
import { zeroCosts } from '../../model/event-value.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { CallSites, Edges, Totals } from '../costing.ts';
import type { Active } from '../once.ts';
import { withoutCycles } from '../without.ts';

export function stackTotals(profile: ProfileOf<'stacks'>, active: Active): Totals {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const routines = profile.routines.name.length;
  const self = zeroCosts(profile.columns, routines);
  const inclusive = zeroCosts(profile.columns, routines);
  const total = zeroCosts(profile.columns, 1);
  const seen = new Int32Array(routines).fill(-1);
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    const from = start[s];
    const to = start[s + 1];
    for (let c = 0; c < costs.length; c++) {
      const cost = costs[c][s];
      total[c][0] += cost;
      if (to > from) self[c][routine[frame[from]]] += cost;
    }
    for (let k = from; k < to; k++) {
      const r = routine[frame[k]];
      if (seen[r] === s) continue;
      seen[r] = s;
      for (let c = 0; c < costs.length; c++) inclusive[c][r] += costs[c][s];
    }
  }
  // Whole stacks make recursion cycles irrelevant: nothing is counted twice.
  return withoutCycles({ total, whole: total, self, inclusive, calls: new Float64Array(routines) });
}

/** Numbers pairs of small numbers, dense from 0 in order of first appearance. */
export class PairNumbers {
  readonly first: number[] = [];
  readonly second: number[] = [];
  private readonly known = new Map<number, number>();
  private readonly width: number;
  constructor(width: number) {
    this.width = width;
  }
  of(a: number, b: number): number {
    const key = a * this.width + b;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.first.length);
    this.second.push(b);
    return this.first.push(a) - 1;
  }
}

export function stackEdges(profile: ProfileOf<'stacks'>, active: Active): Edges {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const routines = profile.routines.name.length;
  const pairs = new PairNumbers(routines);
  // Sums by pair, in order of first appearance, and the last stack that counted for each.
  const sums: number[][] = costs.map(() => []);
  const seen: number[] = [];
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start[s] + 1; k < start[s + 1]; k++) {
      const e = pairs.of(routine[frame[k]], routine[frame[k - 1]]);
      if (seen[e] === s) continue;
      seen[e] = s;
      for (let c = 0; c < costs.length; c++) sums[c][e] = (sums[c][e] ?? 0) + costs[c][s];
    }
  }
  const { order, from } = indexBy(pairs.first, routines);
  const caller = Uint32Array.from(order, (e) => pairs.first[e]);
  const callee = Uint32Array.from(order, (e) => pairs.second[e]);
  return {
    caller,
    callee,
    count: new Float64Array(order.length),
    costs: sums.map((column) => Float64Array.from(order, (e) => column[e])),
    from,
    into: indexBy(callee, routines),
  };
}

/** Which calls are wanted: by caller's routine, callee's routine and the file of the call. */
export type Wanted = (caller: number, callee: number, file: number) => boolean;

/** Call sites: frames that call another frame. In order of caller, file, line, address. */
export function stackCallSites(profile: ProfileOf<'stacks'>, active: Active, wanted: Wanted): CallSites {
  const { start, frame, part, costs } = profile.stacks;
  const frames = profile.frames;
  const { places } = profile;
  const pairs = new PairNumbers(profile.routines.name.length);
  const sums: number[][] = costs.map(() => []);
  const seen: number[] = [];
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start[s] + 1; k < start[s + 1]; k++) {
      const f = frame[k];
      const callee = frames.routine[frame[k - 1]];
      if (!wanted(frames.routine[f], callee, frames.file[f])) continue;
      const site = pairs.of(f, callee);
      if (seen[site] === s) continue;
      seen[site] = s;
      for (let c = 0; c < costs.length; c++) sums[c][site] = (sums[c][site] ?? 0) + costs[c][s];
    }
  }
  const at = (site: number) => pairs.first[site];
  const high = (site: number) => places?.ownHigh[places.ofFrame[at(site)]] ?? 0;
  const low = (site: number) => places?.ownLow[places.ofFrame[at(site)]] ?? 0;
  const order = pairs.first.map((_, i) => i);
  order.sort(
    (a, b) =>
      frames.routine[at(a)] - frames.routine[at(b)] ||
      frames.file[at(a)] - frames.file[at(b)] ||
      frames.line[at(a)] - frames.line[at(b)] ||
      high(a) - high(b) ||
      low(a) - low(b),
  );
  return {
    caller: Uint32Array.from(order, (i) => frames.routine[at(i)]),
    callee: Uint32Array.from(order, (i) => pairs.second[i]),
    file: Int32Array.from(order, (i) => frames.file[at(i)]),
    line: Uint32Array.from(order, (i) => frames.line[at(i)]),
    ...(places ? { high: Uint32Array.from(order, high), low: Uint32Array.from(order, low) } : {}),
    count: new Float64Array(order.length),
    costs: sums.map((column) => Float64Array.from(order, (i) => column[i])),
  };
}

/** Samples by line of a file, counted if the line is anywhere in the stack; of one routine, or of all (-1). */
export function stackLines(
  profile: ProfileOf<'stacks'>,
  active: Active,
  file: number,
  routine: number,
): Map<number, Float64Array> {
  const { start, frame, part, costs } = profile.stacks;
  const frames = profile.frames;
  const out = new Map<number, Float64Array>();
  const seen = new Map<number, number>();
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start[s]; k < start[s + 1]; k++) {
      const f = frame[k];
      if (frames.file[f] !== file || (routine >= 0 && frames.routine[f] !== routine)) continue;
      const line = frames.line[f];
      if (seen.get(line) === s) continue;
      seen.set(line, s);
      let sum = out.get(line);
      if (!sum) out.set(line, (sum = new Float64Array(costs.length)));
      for (let c = 0; c < costs.length; c++) sum[c] += costs[c][s];
    }
  }
  return out;
}
