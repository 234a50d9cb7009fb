// Recursion levels of two runs: `f'2` and `f'3` are one function, whose levels depend on the option of the recording. If one run has more
// levels than the other, both are compared by function.
import { runToEnd } from '../../../base/slices.ts';
import type { Profile, ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { levelledName, splitLevel } from '../../answers/callgraph/levels.ts';
import { joinRoutines } from '../transforms/call-graph-merge.ts';

/** By routine with a level: the level, and the routine of the function's first level; -1 if there is none. */
function levelsOf({
  routines,
  strings,
}: ProfileOf<'callgraph'>): Map<number, { readonly level: number; readonly first: number }> {
  const key = (r: number, name: string) => `${routines.file[r]} ${routines.object[r]} ${name}`;
  const names = Array.from(routines.name, (_, r) => stringAt(strings, levelledName(routines, r)));
  const levelled = names.flatMap((name, r) => (name.includes("'") && splitLevel(name)[1] > 1 ? [r] : []));
  if (levelled.length === 0) return new Map();
  const firsts = new Map(names.map((name, r) => [key(r, name), r]));
  return new Map(
    levelled.map((r) => {
      const [name, level] = splitLevel(names[r]);
      return [r, { level, first: firsts.get(key(r, name)) ?? -1 }];
    }),
  );
}

type Levels = ReturnType<typeof levelsOf>;

function mergeLevels(profile: ProfileOf<'callgraph'>, levels: Levels): Profile {
  const to = Uint32Array.from(profile.routines.name.keys());
  for (const [r, { first }] of levels) if (first >= 0) to[r] = first;
  const merged = runToEnd(joinRoutines(profile, profile, to, () => true));
  return { ...merged, notes: [...(profile.notes ?? []), 'recursion levels are merged: the two runs have other ones'] };
}

/** Both runs, with one routine per function if they have other recursion levels. */
export function withSameLevels(now: Profile, before: Profile): readonly [now: Profile, before: Profile] {
  if (now.kind !== 'callgraph' || before.kind !== 'callgraph') return [now, before];
  const [ours, theirs] = [levelsOf(now), levelsOf(before)];
  const highest = (levels: Levels) => Math.max(1, ...Array.from(levels.values(), ({ level }) => level));
  if (highest(ours) === highest(theirs)) return [now, before];
  return [mergeLevels(now, ours), mergeLevels(before, theirs)];
}
