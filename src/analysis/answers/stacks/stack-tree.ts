// The calling-context tree of sampled stacks: exact, including recursion.
import type { ProfileOf } from '../../../model/profile.ts';
import type { Active } from '../once.ts';
import { pathTree } from '../path-tree.ts';
import type { TreeSource } from '../tree.ts';
import { inlinedFrames } from './inlined.ts';

export function stackTree(profile: ProfileOf<'stacks'>, active: Active, inverted: boolean): TreeSource {
  const { start } = profile.stacks;
  return inverted ? treeFrom(profile, active, 1, (s) => start[s]) : treeFrom(profile, active, -1, (s) => start[s + 1] - 1);
}

/** The stacks with the routine, from its outermost frame up to their roots: each counts once, however often the routine is in it. */
export function stackCallers(profile: ProfileOf<'stacks'>, active: Active, of: number): TreeSource {
  const { start, frame } = profile.stacks;
  const { routine } = profile.frames;
  return treeFrom(profile, active, 1, (s) => {
    for (let k = start[s + 1] - 1; k >= start[s]; k--) if (routine[frame[k]] === of) return k;
    return start[s + 1];
  });
}

/** The tree from a place of each stack on, outwards (1) or inwards (-1). */
function treeFrom(profile: ProfileOf<'stacks'>, active: Active, by: 1 | -1, first: (stack: number) => number): TreeSource {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const inlined = inlinedFrames(profile, profile.granularity);
  const inside = (s: number, k: number) => (k >= start[s] && k < start[s + 1] ? k : -1);
  return pathTree({
    rows: () => Array.from(part.keys()).filter((s) => !active || active(part[s])),
    start: (s) => inside(s, first(s)),
    next: (s, k) => inside(s, k + by),
    routineAt: (k) => routine[frame[k]],
    costs,
    downwards: by < 0,
    ...(inlined ? { inlinedAt: (k) => inlined[frame[k]] === 1 } : {}),
  });
}
