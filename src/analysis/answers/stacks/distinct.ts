// The distinct stacks of samples, as pprof's -traces lists them: each sequence of routines with one set of labels is one row.
import { memo } from '../../../base/memo.ts';
import { eventValue } from '../../../model/event-value.ts';
import { PairTable } from '../../../model/pairs.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { activeIn } from '../once.ts';
import { hasLabels, type Tag, tagsOfSet } from './tags.ts';

export interface DistinctStack {
  /** The stack's row in the table of costs. */
  readonly row: number;
  /** A recorded stack that has these routines and labels. */
  readonly stack: number;
}

/** By label set: the first set with the same labels. */
function firstEqualSets(profile: ProfileOf<'stacks'>): Uint32Array | undefined {
  if (!hasLabels(profile)) return undefined;
  const known = new Map<string, number>();
  return Uint32Array.from({ length: profile.labels.start.length - 1 }, (_, set) => {
    const key = JSON.stringify(tagsOfSet(profile, set));
    if (!known.has(key)) known.set(key, set);
    return known.get(key) ?? set;
  });
}

/** The distinct stacks with any cost, most expensive first by the first event, and the costs of each. */
export const distinctStacks = memo((profile: ProfileOf<'stacks'>, partsOff: ReadonlySet<number>) => {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const active = activeIn(partsOff);
  const sets = firstEqualSets(profile);
  /** Paths of routines from the outermost: pairs of the path above, plus one, and a routine. */
  const paths = new PairTable(Int32Array);
  const groups = new PairTable(Int32Array);
  const stacks: DistinctStack[] = [];
  const groupOf = new Int32Array(part.length).fill(-1);
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    let path = 0;
    for (let k = start[s + 1] - 1; k >= start[s]; k--) path = paths.numberOf(path, routine[frame[k]]) + 1;
    const row = groups.numberOf(path, sets && profile.labels ? sets[profile.labels.set[s]] : 0);
    groupOf[s] = row;
    if (row === stacks.length) stacks.push({ row, stack: s });
  }
  const sums = costs.map((column) => {
    const out = new Float64Array(stacks.length);
    for (let s = 0; s < groupOf.length; s++) if (groupOf[s] >= 0) out[groupOf[s]] += column[s];
    return out;
  });
  const cost = (of: DistinctStack) => eventValue(profile.events[0], sums, of.row);
  const withCost = stacks.filter(({ row }) => sums.some((column) => column[row] !== 0));
  return { stacks: withCost.sort((a, b) => cost(b) - cost(a)), costs: sums };
}, 2);

/** The labels of a recorded stack, in the order of the file. */
export const tagsOfStack = (profile: ProfileOf<'stacks'>, stack: number): readonly Tag[] =>
  hasLabels(profile) ? tagsOfSet(profile, profile.labels.set[stack]) : [];
