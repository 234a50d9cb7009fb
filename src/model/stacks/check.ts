// Invariants of sampled stacks.
import { checkLines } from '../callgraph/check.ts';
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { checkSnapshots } from './snapshots.ts';
import type { StackSamples } from './tables.ts';
import { costsOfSamples, type SampleTimes } from './times.ts';

export function checkStacks(profile: Head & StackSamples, to: Invariants): void {
  const { places, frames, stacks, lines, routines, files, objects, parts, columns, times } = profile;
  checkLines(profile, to);
  const n = stacks.part.length;
  const [routine, file, place] = [routines.name.length, files.name.length, places?.high.length ?? 0];
  to.checkTable('frames', { ...frames, place: places?.ofFrame }, { routine, file, place });
  if (places) to.checkRange('places.object', places.object, -1, objects.name.length);
  to.checkRange('stacks.frame', stacks.frame, 0, frames.routine.length);
  to.checkRange('stacks.part', stacks.part, 0, parts.length);
  to.checkCostColumns('stacks', stacks.costs, columns, n);
  to.check(stacks.start.length === n + 1 && stacks.start[n] === stacks.frame.length, 'the stacks do not cover their frames');
  if (times) checkTimes(profile, times, to);
  const { markers, strings } = profile;
  if (markers) {
    to.checkTable('markers', markers, { name: strings.start.length - 1, part: parts.length });
    to.checkRows(markers.from.length, (i) =>
      markers.to[i] >= markers.from[i] ? undefined : `marker ${i} ends before it starts`,
    );
  }
  if (profile.snapshots) checkSnapshots(profile.snapshots, parts.length, to);
  to.checkRows(n, (s) => (stacks.start[s] < stacks.start[s + 1] ? undefined : `stack ${s} is empty`));
  stacks.costs.forEach((column, c) => {
    const [all, leaves] = [sum(column), sum(lines.costs[c])];
    // Beyond 2^53 the order of additions matters; there are columns of halves then, which are exact.
    // So it does with fractions. What adds up to little may be made of much.
    const size = sum(Float64Array.from(column, Math.abs));
    const exact = size <= Number.MAX_SAFE_INTEGER && column.every(Number.isInteger);
    const slack = exact ? 0 : size * ROUNDING;
    to.check(Math.abs(all - leaves) <= slack, `stacks cost ${all} in column ${c}, their innermost frames ${leaves}`);
  });
}

/** Samples are in order, and make up the costs of the stacks, where these are whole numbers that doubles hold. */
function checkTimes({ stacks, columns }: StackSamples & Head, times: SampleTimes, to: Invariants): void {
  const { stack, at, column } = times;
  to.checkRange('times.stack', stack, 0, stacks.part.length);
  to.checkRange('times.column', column, 0, columns);
  to.checkRows(at.length, (i) => (i === 0 || at[i] >= at[i - 1] ? undefined : `sample ${i} is before the one in front of it`));
  const made = costsOfSamples(times, 0, at.length, columns, stacks.part.length);
  stacks.costs.forEach((costs, c) => {
    if (made[c].some((v) => v !== 0))
      to.checkRows(costs.length, (s) =>
        Math.abs(costs[s] - made[c][s]) <= Math.abs(costs[s]) * ROUNDING
          ? undefined
          : `stack ${s} costs ${costs[s]} in column ${c}, its samples ${made[c][s]}`,
      );
  });
}

/** A double has 53 bits; the others are for the number of additions. */
const ROUNDING = 2 ** -30;

function sum(column: ArrayLike<number>): number {
  let all = 0;
  for (let i = 0; i < column.length; i++) all += column[i];
  return all;
}
