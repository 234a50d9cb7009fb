// The calls from the lines of a file in sampled stacks. A sample counts once for a line and callee, from however many addresses.
import type { ProfileOf } from '../../model/profile.ts';
import type { LineCalls } from '../costing.ts';
import { LineCallGroups } from '../line-calls.ts';
import type { Active } from '../once.ts';
import { PairNumbers } from './stacks.ts';

/** `routine`: whose code, -1 for all. */
export function stackLineCalls(profile: ProfileOf<'stacks'>, active: Active, file: number, routine: number): LineCalls {
  const { start, frame, part, costs } = profile.stacks;
  const { frames } = profile;
  const routines = profile.routines.name.length;
  const pairs = new PairNumbers(routines);
  const groups = new LineCallGroups(new Uint32Array(routines));
  const groupOf: number[] = [];
  const sums: number[][] = costs.map(() => []);
  const seen: number[] = [];
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start[s] + 1; k < start[s + 1]; k++) {
      const f = frame[k];
      if (frames.file[f] !== file || (routine >= 0 && frames.routine[f] !== routine)) continue;
      const callee = frames.routine[frame[k - 1]];
      const pair = pairs.of(f, callee);
      // A new frame and callee is one more call site of its line.
      if (pair === groupOf.length) {
        groupOf.push(groups.of(frames.line[f], frames.routine[f], callee));
        groups.sites[groupOf[pair]]++;
      }
      const g = groupOf[pair];
      if (seen[g] === s) continue;
      seen[g] = s;
      for (let c = 0; c < costs.length; c++) sums[c][g] = (sums[c][g] ?? 0) + costs[c][s];
    }
  }
  return groups.rows(
    new Float64Array(groups.size),
    sums.map((column) => Float64Array.from(column)),
  );
}
