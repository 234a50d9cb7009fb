// Lines, instructions and calls of sampled stacks.
import { Groups, Numbering } from '../../../model/groups.ts';
import { PairTable } from '../../../model/pairs.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { CodeAddresses } from '../../../model/stacks/tables.ts';
import { pickRows } from '../../../model/table.ts';
import type { Costing, LineCalls, MergedInstrs } from '../costing.ts';
import type { Active } from '../once.ts';
import { noJumps } from '../without.ts';
import { inlinedFrames } from './inlined.ts';
import { sumsByRow } from './stacks.ts';

// The machine code of a sampled routine with the functions inlined into it: a sample counts for all functions at its address.

/** Undefined for profiles without addresses or inlined functions. */
export function codeOfStacks(profile: ProfileOf<'stacks'>, active: Active): Pick<Costing, 'code'> | undefined {
  const { places, granularity } = profile;
  if (!places || !inlinedFrames(profile, granularity)) return undefined;
  const instrs = (routine: number) => instrsOf(profile, places, routine, active);
  return { code: () => ({ instrs, instrCalls: () => undefined, jumps: noJumps }) };
}

/** The instructions of the samples whose innermost frame is of the routine, or inlined into it. */
function instrsOf(
  { frames, stacks }: ProfileOf<'stacks'>,
  { ofFrame, ownHigh, ownLow }: CodeAddresses,
  routine: number,
  active: Active,
): MergedInstrs {
  const rows: number[] = [];
  for (let s = 0; s < stacks.part.length; s++) {
    if (stacks.start[s] === stacks.start[s + 1] || active?.(stacks.part[s]) === false) continue;
    const leaf = stacks.frame[stacks.start[s]];
    // The frames of an address are neighbours, the innermost first.
    for (let f = leaf; ofFrame[f] === ofFrame[leaf]; f++)
      if (frames.routine[f] === routine) {
        rows.push(s);
        break;
      }
  }
  const leafOf = Uint32Array.from(rows, (s) => stacks.frame[stacks.start[s]]);
  const [high, low] = [leafOf.map((f) => ownHigh[ofFrame[f]]), leafOf.map((f) => ownLow[ofFrame[f]])];
  const groups = Groups.groupBy(rows.length, (i) => high[i] * 2 ** 32 + low[i]).sortBy(high, low);
  const picked = pickRows({ high, low, leaf: leafOf }, groups.first);
  return {
    ...{ high: picked.high, low: picked.low },
    function: picked.leaf.map((f) => frames.routine[f]),
    file: Int32Array.from(picked.leaf, (f) => frames.file[f]),
    line: picked.leaf.map((f) => frames.line[f]),
    costs: groups.sums(stacks.costs, rows),
  };
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
