// Lines, instructions and calls of sampled stacks.
import { Groups, Numbering } from '../../../model/groups.ts';
import { PairTable } from '../../../model/pairs.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { pickColumn, pickRows } from '../../../model/table.ts';
import type { Costing, LineCalls, MergedInstrs } from '../costing.ts';
import { pairKey } from '../lines.ts';
import type { Active } from '../once.ts';
import { noJumps } from '../without.ts';
import { inlinedFrames } from './inlined.ts';
import { sumsByRow } from './stacks.ts';

/**
 * The machine code of a sampled routine with the functions inlined into it: a sample counts for all functions at its address.
 * Undefined for profiles without addresses or inlined functions.
 */
export function codeOfStacks(profile: ProfileOf<'stacks'>, active: Active): Pick<Costing, 'code'> | undefined {
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
  return { code: () => ({ instrs, instrCalls: () => undefined, jumps: noJumps }) };
}

// The calls from the lines of a file in sampled stacks. A sample counts once for a line and callee, from however many addresses.

/** `routine`: whose code, -1 for all. */
export function stackLineCalls(profile: ProfileOf<'stacks'>, active: Active, file: number, routine: number): LineCalls {
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
