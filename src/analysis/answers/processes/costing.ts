// The Costing of processes: a build trace has nothing to sum but its processes, by program.
import { zeroCosts } from '../../../model/event-value.ts';
import { questionsOf } from '../../../model/kinds.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Costing, Totals } from '../costing.ts';
import { nestedCosting } from '../nested.ts';
import { type Active, activeIn, once } from '../once.ts';
import { withoutCycles, withoutLines } from '../without.ts';
import { processContexts } from './process-contexts.ts';

export function processCosting(profile: ProfileOf<'processes'>, partsOff: ReadonlySet<number>): Costing {
  const active = activeIn(partsOff);
  const nested = nestedCosting(() => processContexts(profile, active));
  return {
    ...withoutLines,
    ...nested,
    can: questionsOf(profile),
    counts: { processes: profile.processes.id.length },
    totals: once(() => processTotals(profile, active, nested)),
  };
}

/** Inclusive does not count a process again below one of the same program. */
function processTotals(profile: ProfileOf<'processes'>, active: Active, { groups }: Pick<Costing, 'groups'>): Totals {
  const { program, part } = profile.processes;
  const programs = profile.routines.name.length;
  const total = zeroCosts(1, 1);
  const self = zeroCosts(1, programs);
  for (let i = 0; i < program.length; i++) {
    if (active && !active(part[i])) continue;
    total[0][0]++;
    self[0][program[i]]++;
  }
  // Each program is a group of its own.
  const inclusive = groups({ groupOf: Int32Array.from(self[0].keys()), groups: programs, columns: [0] })?.costs ?? self;
  return withoutCycles({ total, whole: total, self, inclusive, calls: self[0] });
}
