// The distinct stacks of samples, as pprof's -traces lists them: each sequence of routines is one row, with the labels of its samples.
import { memo } from '../../../base/memo.ts';
import { PairTable } from '../../../model/hash-table.ts';
import { eventValue } from '../../../model/head.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { activeIn } from '../once.ts';
import { labelsOf } from './part-labels.ts';
import { tagsOfSet } from './tags.ts';

export interface DistinctStack {
  /** The stack's row in the table of costs. */
  readonly row: number;
  /** A recorded stack that has these routines. */
  readonly stack: number;
  readonly sets: Set<number>;
}

/** The distinct stacks with any cost, most expensive first by the first event, and the costs of each. */
export const distinctStacks = memo((profile: ProfileOf<'stacks'>, partsOff: ReadonlySet<number>) => {
  const { start, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const active = activeIn(partsOff);
  const sets = labelsOf(profile)?.labels.set;
  /** Paths of routines from the outermost: pairs of the path above, plus one, and a routine. Path 0 has no frame. */
  const paths = new PairTable(Int32Array);
  const rowOfPath: number[] = [];
  const stacks: DistinctStack[] = [];
  const rowOf = part.map((of, s) => {
    if (active && !active(of)) return NO_ROW;
    let path = 0;
    for (let k = start[s + 1] - 1; k >= start[s]; k--) path = paths.numberOf(path, routine[frame[k]]) + 1;
    const row = (rowOfPath[path] ??= stacks.length);
    if (row === stacks.length) stacks.push({ row, stack: s, sets: new Set() });
    stacks[row].sets.add(sets?.[s] ?? 0);
    return row;
  });
  const sums = costs.map((column) => {
    const out = new Float64Array(stacks.length);
    for (let s = 0; s < rowOf.length; s++) if (rowOf[s] !== NO_ROW) out[rowOf[s]] += column[s];
    return out;
  });
  const cost = (of: DistinctStack) => eventValue(profile.events[0], sums, of.row);
  const withCost = stacks.filter(({ row }) => sums.some((column) => column[row] !== 0));
  return { stacks: withCost.sort((a, b) => cost(b) - cost(a)), costs: sums };
}, 2);

const NO_ROW = 2 ** 32 - 1;

/** The labels of a stack's samples: their keys, and the values of each. */
export function labelsOfStack(profile: ProfileOf<'stacks'>, { sets }: DistinctStack): ReadonlyMap<string, ReadonlySet<string>> {
  const out = new Map<string, Set<string>>();
  const of = labelsOf(profile);
  if (!of) return out;
  for (const set of sets) for (const { key, value } of tagsOfSet(of, set)) out.set(key, (out.get(key) ?? new Set()).add(value));
  return out;
}
