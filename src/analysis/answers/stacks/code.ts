// The machine code of a sampled routine, with what is inlined into it: a sample is in all functions that are at its address.
import { Groups } from '../../../model/groups.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Places } from '../../../model/stacks/tables.ts';
import { pickRows } from '../../../model/table.ts';
import type { Costing, MergedInstrs } from '../costing.ts';
import type { Active } from '../once.ts';
import { noJumps } from '../without.ts';
import { inlinedFrames } from './inlined.ts';

/** Nothing for profiles without addresses, or in which nothing is inlined. */
export function codeOfStacks(profile: ProfileOf<'stacks'>, active: Active): Pick<Costing, 'code'> | undefined {
  const { places, grain } = profile;
  if (!places || !inlinedFrames(profile, grain)) return undefined;
  const instrs = (routine: number) => instrsOf(profile, places, routine, active);
  return { code: () => ({ instrs, instrCalls: () => undefined, jumps: noJumps }) };
}

/** The instructions of the samples whose innermost frame is of the routine, or inlined into it. */
function instrsOf(
  { frames, stacks }: ProfileOf<'stacks'>,
  { ofFrame, ownHigh, ownLow }: Places,
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
  const groups = Groups.by(rows.length, (i) => high[i] * 2 ** 32 + low[i]).sorted(high, low);
  const picked = pickRows({ high, low, leaf: leafOf }, groups.first);
  return {
    ...{ high: picked.high, low: picked.low },
    function: picked.leaf.map((f) => frames.routine[f]),
    file: Int32Array.from(picked.leaf, (f) => frames.file[f]),
    line: picked.leaf.map((f) => frames.line[f]),
    costs: groups.sums(stacks.costs, rows),
  };
}
