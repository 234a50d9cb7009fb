// Processes as calling contexts by program: who started whom. A process costs one, and all that it started.
import type { ProfileOf } from '../../../model/profile.ts';
import { contextTables, nestedContexts } from '../nested.ts';
import type { Active } from '../once.ts';

export function processContexts(profile: ProfileOf<'processes'>, active: Active): ProfileOf<'inputs'> {
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
