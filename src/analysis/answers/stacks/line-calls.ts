// The calls from the lines of a file in sampled stacks. A sample counts once for a line and callee, from however many addresses.
import { Numbering } from '../../../model/groups.ts';
import { Pairs } from '../../../model/pairs.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { LineCalls } from '../costing.ts';
import type { Active } from '../once.ts';
import { sumsByRow } from './stacks.ts';

/** `routine`: whose code, -1 for all. */
export function stackLineCalls(profile: ProfileOf<'stacks'>, active: Active, file: number, routine: number): LineCalls {
  const { frame } = profile.stacks;
  const { frames } = profile;
  const [pairs, rows] = [new Pairs(), new Numbering<string>()];
  const [line, callees, inside, sites]: number[][] = [[], [], [], []];
  const rowOf: number[] = [];
  const costs = sumsByRow(profile, active, true, (k) => {
    const f = frame[k];
    if (frames.file[f] !== file || (routine >= 0 && frames.routine[f] !== routine)) return -1;
    const callee = frames.routine[frame[k - 1]];
    const pair = pairs.of(f, callee);
    // A new frame and callee is one more call site of its line.
    if (pair === rowOf.length) {
      const stays = frames.routine[f] === callee ? 1 : 0;
      const row = rows.of(`${frames.line[f]}.${callee}.${stays}`);
      rowOf.push(row);
      [line[row], callees[row], inside[row], sites[row]] = [frames.line[f], callee, stays, (sites[row] ?? 0) + 1];
    }
    return rowOf[pair];
  });
  return {
    line: Uint32Array.from(line),
    callee: Uint32Array.from(callees),
    inside: Uint8Array.from(inside),
    sites: Uint32Array.from(sites),
    count: new Float64Array(rows.size),
    costs,
  };
}
