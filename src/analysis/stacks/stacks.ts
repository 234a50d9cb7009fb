// Sums over sampled stacks. A sample counts once for a routine, an edge, a call site or a line, however often it occurs
// in the stack: so recursion never counts twice, and nothing here is an estimate.
import { atOnce, inSlices } from '../../base/slices.ts';
import { indexBy } from '../../model/column.ts';
import { zeroCosts } from '../../model/event-value.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Frames, Places } from '../../model/stacks/tables.ts';
import type { CallSites, Edges, GroupCosts, GroupQuery, Totals } from '../costing.ts';
import type { Active } from '../once.ts';
import { withoutCycles } from '../without.ts';
import { InlinedRows, inlinedFrames } from './inlined.ts';

export function stackTotals(profile: ProfileOf<'stacks'>, active: Active): Totals {
  return atOnce(totalsInSlices(profile, active));
}

/** Stacks between pauses. */
const SLICE = 1 << 14;

export function* totalsInSlices(profile: ProfileOf<'stacks'>, active: Active): Generator<undefined, Totals> {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const routines = profile.routines.name.length;
  const self = zeroCosts(profile.columns, routines);
  const inclusive = zeroCosts(profile.columns, routines);
  const total = zeroCosts(profile.columns, 1);
  const seen = new Int32Array(routines).fill(-1);
  const inlined = inlinedFrames(profile, profile.grain);
  const always = inlined && new InlinedRows(inlined);
  const add = (first: number, end: number) => {
    for (let s = first; s < end; s++) {
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
        always?.met(r, frame[k]);
        if (seen[r] === s) continue;
        seen[r] = s;
        for (let c = 0; c < costs.length; c++) inclusive[c][r] += costs[c][s];
      }
    }
  };
  yield* inSlices(part.length, add, SLICE);
  // Whole stacks make recursion cycles irrelevant: nothing is counted twice.
  const totals = withoutCycles({ total, whole: total, self, inclusive, calls: new Float64Array(routines) });
  return always ? { ...totals, inlined: always.done(routines) } : totals;
}

/** Samples with a routine of the group in their stack. */
export function stackGroups(profile: ProfileOf<'stacks'>, active: Active, { groupOf, groups }: GroupQuery): GroupCosts {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const out = zeroCosts(profile.columns, groups);
  const seen = new Int32Array(groups).fill(-1);
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start[s]; k < start[s + 1]; k++) {
      const group = groupOf[routine[frame[k]]];
      if (group < 0 || seen[group] === s) continue;
      seen[group] = s;
      for (let c = 0; c < costs.length; c++) out[c][group] += costs[c][s];
    }
  }
  return { costs: out, estimated: new Uint8Array(groups) };
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
  const inlined = inlinedFrames(profile, profile.grain);
  const always = inlined && new InlinedRows(inlined);
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start[s] + 1; k < start[s + 1]; k++) {
      const e = pairs.of(routine[frame[k]], routine[frame[k - 1]]);
      always?.met(e, frame[k - 1]);
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
    ...inOrder(always, order),
  };
}

/** Which calls are wanted: by caller's routine, callee's routine and the file of the call. */
export type Wanted = (caller: number, callee: number, file: number) => boolean;

/** Call sites: lines whose frames call another frame. In order of caller, file, line, address. */
export function stackCallSites(profile: ProfileOf<'stacks'>, active: Active, wanted: Wanted): CallSites {
  const { start, frame, part, costs } = profile.stacks;
  const { frames, places } = profile;
  const lines = linesOfFrames(frames);
  const pairs = new PairNumbers(profile.routines.name.length);
  const sums: number[][] = costs.map(() => []);
  const seen: number[] = [];
  const inlined = inlinedFrames(profile, profile.grain);
  const always = inlined && new InlinedRows(inlined);
  /** A frame of each site, and whether there are frames at other addresses. */
  const caller: number[] = [];
  const spread: number[] = [];
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start[s] + 1; k < start[s + 1]; k++) {
      const f = frame[k];
      const callee = frames.routine[frame[k - 1]];
      if (!wanted(frames.routine[f], callee, frames.file[f])) continue;
      const site = pairs.of(lines[f], callee);
      always?.met(site, frame[k - 1]);
      caller[site] ??= f;
      if (places && places.ofFrame[caller[site]] !== places.ofFrame[f]) spread[site] = 1;
      // The lowest address stands for all: it does not depend on the order of the samples.
      if (places && before(places, f, caller[site])) caller[site] = f;
      if (seen[site] === s) continue;
      seen[site] = s;
      for (let c = 0; c < costs.length; c++) sums[c][site] = (sums[c][site] ?? 0) + costs[c][s];
    }
  }
  const high = (site: number) => places?.ownHigh[places.ofFrame[caller[site]]] ?? 0;
  const low = (site: number) => places?.ownLow[places.ofFrame[caller[site]]] ?? 0;
  const order = pairs.first.map((_, i) => i);
  order.sort(
    (a, b) =>
      frames.routine[caller[a]] - frames.routine[caller[b]] ||
      frames.file[caller[a]] - frames.file[caller[b]] ||
      frames.line[caller[a]] - frames.line[caller[b]] ||
      high(a) - high(b) ||
      low(a) - low(b),
  );
  return {
    caller: Uint32Array.from(order, (i) => frames.routine[caller[i]]),
    callee: Uint32Array.from(order, (i) => pairs.second[i]),
    file: Int32Array.from(order, (i) => frames.file[caller[i]]),
    line: Uint32Array.from(order, (i) => frames.line[caller[i]]),
    ...(places ? { high: Uint32Array.from(order, high), low: Uint32Array.from(order, low) } : {}),
    ...(places ? { spread: Uint8Array.from(order, (i) => spread[i] ?? 0) } : {}),
    ...inOrder(always, order),
    count: new Float64Array(order.length),
    costs: sums.map((column) => Float64Array.from(order, (i) => column[i])),
  };
}

function inOrder(always: InlinedRows | undefined, order: ArrayLike<number>): { readonly inlined?: Uint8Array } {
  if (!always) return {};
  const rows = always.done(order.length);
  return { inlined: Uint8Array.from(order, (row) => rows[row]) };
}

/** Numbers the lines of routines: frames with the same routine, file and line have the same. */
function linesOfFrames({ routine, file, line }: Frames): Uint32Array {
  const known = new Map<string, number>();
  return Uint32Array.from(routine, (r, f) => {
    const key = `${r} ${file[f]} ${line[f]}`;
    let n = known.get(key);
    if (n === undefined) known.set(key, (n = known.size));
    return n;
  });
}

function before({ ofFrame, ownHigh, ownLow }: Places, f: number, g: number): boolean {
  const [a, b] = [ofFrame[f], ofFrame[g]];
  return ownHigh[a] < ownHigh[b] || (ownHigh[a] === ownHigh[b] && ownLow[a] < ownLow[b]);
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
