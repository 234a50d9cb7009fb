// The Costing of processes: a build trace has nothing to sum but its events.
import { zeroCosts } from '../../model/event-value.ts';
import { questionsOf } from '../../model/kinds.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Costing, Totals } from '../costing.ts';
import { noEdges, withoutCalls, withoutCycles, withoutLines } from '../without.ts';

export function processCosting(profile: ProfileOf<'processes'>, partsOff: ReadonlySet<number>): Costing {
  return {
    ...withoutLines,
    ...withoutCalls,
    can: questionsOf(profile),
    counts: { processes: profile.processes.id.length },
    totals: () => processTotals(profile, partsOff),
    edges: () => noEdges(profile.columns, 0),
  };
}

function processTotals(profile: ProfileOf<'processes'>, partsOff: ReadonlySet<number>): Totals {
  const total = zeroCosts(1, 1);
  for (const p of profile.processes.part) if (!partsOff.has(p)) total[0][0]++;
  const none = zeroCosts(1, 0);
  return withoutCycles({ total, whole: total, self: none, inclusive: none, calls: new Float64Array(0) });
}
