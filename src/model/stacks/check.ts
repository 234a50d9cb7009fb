// Checks the invariants of sampled stacks.
import { checkLines } from '../callgraph/tables.ts';
import { sumColumn } from '../cost-columns.ts';
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { checkSnapshots, type StackSamples } from './tables.ts';
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
    const [all, leaves] = [sumColumn(column), sumColumn(lines.costs[c])];
    // Beyond 2^53 the order of additions matters. Columns of halves then give exact sums.
    // Sums of fractions depend on the order, too. A small sum may consist of large values with opposite signs.
    const size = sumColumn(Float64Array.from(column, Math.abs));
    const exact = size <= Number.MAX_SAFE_INTEGER && column.every(Number.isInteger);
    const slack = exact ? 0 : size * ROUNDING_SHARE;
    to.check(Math.abs(all - leaves) <= slack, `stacks cost ${all} in column ${c}, their innermost frames ${leaves}`);
  });
}

/** Checks that samples are in order of time, and that their costs add up to the costs of the stacks, if these are exact. */
function checkTimes({ stacks, columns }: StackSamples & Head, times: SampleTimes, to: Invariants): void {
  const { stack, at, column } = times;
  to.checkRange('times.stack', stack, 0, stacks.part.length);
  to.checkRange('times.column', column, 0, columns);
  to.checkRows(at.length, (i) => (i === 0 || at[i] >= at[i - 1] ? undefined : `sample ${i} is before the one in front of it`));
  const made = costsOfSamples(times, 0, at.length, columns, stacks.part.length);
  stacks.costs.forEach((costs, c) => {
    if (made[c].some((v) => v !== 0))
      to.checkRows(costs.length, (s) =>
        Math.abs(costs[s] - made[c][s]) <= Math.abs(costs[s]) * ROUNDING_SHARE
          ? undefined
          : `stack ${s} costs ${costs[s]} in column ${c}, its samples ${made[c][s]}`,
      );
  });
}

/** The relative tolerance of sums: a double has 53 bits, and rounding errors of many additions take up to 23. */
const ROUNDING_SHARE = 2 ** -30;
