// The Costing of sampled stacks.

import { Background } from '../../../base/slices.ts';
import { Groups, Numbering, pickColumn, pickRows } from '../../../model/column.ts';
import { PairTable } from '../../../model/hash-table.ts';
import { type ProfileOf, questionsOf } from '../../../model/profile.ts';
import { namelessRoutines } from '../../names/names.ts';
import type { Costing, LineCalls, MergedInstrs } from '../costing.ts';
import { lineCosting, pairKey } from '../lines.ts';
import { type Active, activeIn, once } from '../once.ts';
import { pathTree } from '../path-tree.ts';
import type { TreeSource } from '../tree.ts';
import { inlinedFrames } from './inlined.ts';
import { inclusiveStackLines, stackCallSites, stackEdges, stackGroups, sumsByRow, totalsInSlices } from './stacks.ts';

export function stackCosting(profile: ProfileOf<'stacks'>, partsOff: ReadonlySet<number>): Costing {
  const active = activeIn(partsOff);
  const totals = new Background(totalsInSlices(profile, active));
  const { lines, instrs } = lineCosting(profile, active);
  const { start } = profile.stacks;
  return {
    can: questionsOf(profile),
    counts: {
      stacks: profile.stacks.part.length,
      ...(profile.places ? { addresses: profile.places.high.length } : {}),
      costLines: profile.lines.line.length,
    },
    totals: () => totals.now(),
    preparing: totals,
    edges: once(() => stackEdges(profile, active)),
    callSites: (of) => stackCallSites(profile, active, of),
    lines,
    instrs,
    // A sampled stack records where calls return to.
    instrCalls: () => undefined,
    jumps: () => [],
    ...codeOfStacks(profile, active),
    inclusiveLines: (file, routine, self) => inclusiveStackLines(profile, active, file, routine, self),
    groups: (of) => stackGroups(profile, active, of),
    lineCalls: (file, routine) => stackLineCalls(profile, active, file, routine),
    tree: (inverted) =>
      inverted ? treeFrom(profile, active, 1, (s) => start[s]) : treeFrom(profile, active, -1, (s) => start[s + 1] - 1),
    routineTree: (routine, inverted) => treeFrom(profile, active, inverted ? 1 : -1, outermostOf(profile, routine)),
  };
}

// Lines, instructions and calls of sampled stacks.

/**
 * The machine code of a sampled routine with the functions inlined into it: a sample counts for all functions at its address.
 * Undefined for profiles without addresses or inlined functions.
 */
function codeOfStacks(profile: ProfileOf<'stacks'>, active: Active): Pick<Costing, 'code'> | undefined {
  const { places, granularity, frames, stacks } = profile;
  if (!places || !inlinedFrames(profile, granularity)) return undefined;
  const { ofFrame, ownHigh, ownLow } = places;
  /** The instructions of the samples whose innermost frame is of the routine, or inlined into it. */
  const instrs = (routine: number): MergedInstrs => {
    const rows: number[] = [];
    for (let s = 0; s < stacks.part.length; s++) {
      if (stacks.start[s] === stacks.start[s + 1] || active?.(stacks.part[s]) === false) continue;
      const leaf = stacks.frame[stacks.start[s]];
      let f = leaf;
      // The frames of an address are neighbours, the innermost first.
      while (ofFrame[f] === ofFrame[leaf] && frames.routine[f] !== routine) f++;
      if (ofFrame[f] === ofFrame[leaf]) rows.push(s);
    }
    const leaves = Uint32Array.from(rows, (s) => stacks.frame[stacks.start[s]]);
    const [high, low] = [leaves.map((f) => ownHigh[ofFrame[f]]), leaves.map((f) => ownLow[ofFrame[f]])];
    const groups = Groups.groupBy(rows.length, (i) => pairKey(high[i], low[i])).sortBy(high, low);
    const own = pickRows(frames, pickColumn(leaves, groups.first));
    const code = { ...pickRows({ high, low }, groups.first), function: own.routine, file: own.file, line: own.line };
    return { ...code, costs: groups.sums(stacks.costs, rows) };
  };
  return { code: () => ({ instrs, instrCalls: () => undefined, jumps: () => [] }) };
}

// The calls from the lines of a file in sampled stacks. A sample counts once for a line and callee, from however many addresses.

/** `routine`: whose code, -1 for all. */
function stackLineCalls(profile: ProfileOf<'stacks'>, active: Active, file: number, routine: number): LineCalls {
  const { frame } = profile.stacks;
  const { frames } = profile;
  const [pairs, rows] = [new PairTable(Int32Array), new Numbering<string>()];
  const [line, callees, inside, sites]: number[][] = [[], [], [], []];
  const rowOf: number[] = [];
  const costs = sumsByRow(profile, active, true, (k) => {
    const f = frame[k];
    if (frames.file[f] !== file || (routine >= 0 && frames.routine[f] !== routine)) return -1;
    const callee = frames.routine[frame[k - 1]];
    const pair = pairs.numberOf(f, callee);
    // A new frame and callee is one more call site of its line.
    if (pair === rowOf.length) {
      const stays = frames.routine[f] === callee ? 1 : 0;
      const row = rows.numberOf(`${frames.line[f]}.${callee}.${stays}`);
      rowOf.push(row);
      [line[row], callees[row], inside[row], sites[row]] = [frames.line[f], callee, stays, (sites[row] ?? 0) + 1];
    }
    return rowOf[pair];
  });
  const numbers = { line: Uint32Array.from(line), callee: Uint32Array.from(callees), sites: Uint32Array.from(sites) };
  return { ...numbers, inside: Uint8Array.from(inside), count: new Float64Array(rows.size), costs };
}

// The calling-context tree of sampled stacks: exact, including recursion. Code without names that calls more of it is one node, since
// nothing shows which of it called which.

/** Finds the outermost frame of a routine in a stack, so that each counts once, however often the routine is in it; -1 without one. */
function outermostOf({ stacks: { start, frame }, frames: { routine } }: ProfileOf<'stacks'>, of: number) {
  return (s: number): number => {
    for (let k = start[s + 1] - 1; k >= start[s]; k--) if (routine[frame[k]] === of) return k;
    return -1;
  };
}

/** The tree from a place of each stack on, outwards (1) or inwards (-1). */
function treeFrom(profile: ProfileOf<'stacks'>, active: Active, by: 1 | -1, first: (stack: number) => number): TreeSource {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const inlined = inlinedFrames(profile, profile.granularity);
  const inside = (s: number, k: number) => (k >= start[s] && k < start[s + 1] ? k : -1);
  const isNameless = namelessRoutines(profile);
  const next = (s: number, k: number) => {
    const of = routine[frame[k]];
    let at = inside(s, k + by);
    if (isNameless[of]) while (at >= 0 && routine[frame[at]] === of) at = inside(s, at + by);
    return at;
  };
  return pathTree({
    rows: () => Array.from(part.keys()).filter((s) => !active || active(part[s])),
    start: (s) => inside(s, first(s)),
    next,
    routineAt: (k) => routine[frame[k]],
    costs,
    downwards: by < 0,
    ...(inlined ? { inlinedAt: (k) => inlined[frame[k]] === 1 } : {}),
  });
}
