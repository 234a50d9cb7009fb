// The costing of processes, and their calling contexts.

import { zeroCosts } from '../../../model/head.ts';
import { type ProfileOf, questionsOf } from '../../../model/profile.ts';
import type { Costing, Totals } from '../costing.ts';
import { contextCosting } from '../inputs/costing.ts';
import { contextTables, nestedContexts } from '../nested.ts';
import { type Active, activeIn, once } from '../once.ts';
import { withoutCycles, withoutLines } from '../without.ts';

// Processes as calling contexts by program: who started whom. A process costs one, and all that it started.

function processContexts(profile: ProfileOf<'processes'>, active: Active): ProfileOf<'inputs'> {
  const { processes, compared: _, ...head } = profile;
  const { parent, program, part } = processes;
  const { contexts, of } = nestedContexts({ parent, routine: program, part }, (i) => !active || active(part[i]), false);
  const count = new Float64Array(contexts.id.length);
  for (const c of of) if (c >= 0) count[c]++;
  const sum = count.slice();
  // Parents come first.
  for (let c = sum.length - 1; c >= 0; c--) if (contexts.parent[c] >= 0) sum[contexts.parent[c]] += sum[c];
  return { ...head, ...contextTables(contexts, { calls: count, sum, selfSum: count }) };
}

export function processCosting(profile: ProfileOf<'processes'>, partsOff: ReadonlySet<number>): Costing {
  const active = activeIn(partsOff);
  const nested = contextCosting(() => processContexts(profile, active));
  const totals = once(() => processTotals(profile, active, nested));
  return { ...withoutLines, ...nested, can: questionsOf(profile), counts: { processes: profile.processes.id.length }, totals };
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
