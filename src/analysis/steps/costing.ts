// The Costing of steps in time: time by name.
import { zeroCosts } from '../../model/event-value.ts';
import { questionsOf } from '../../model/kinds.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Costing, Totals } from '../costing.ts';
import { type Active, activeIn, once } from '../once.ts';
import { noEdges, withoutCalls, withoutCycles, withoutLines } from '../without.ts';
import { ASYNC, endUs, isJob, ran } from './steps.ts';

export function stepCosting(profile: ProfileOf<'steps'>, partsOff: ReadonlySet<number>): Costing {
  return {
    ...withoutLines,
    ...withoutCalls,
    can: questionsOf(profile),
    counts: { steps: profile.steps.name.length },
    totals: once(() => stepTotals(profile, activeIn(partsOff))),
    edges: once(() => noEdges(profile.columns, profile.routines.name.length)),
  };
}

/** Time by name: self excludes the steps inside; inclusive does not count a step again that is inside one of the same name. */
function stepTotals(profile: ProfileOf<'steps'>, active: Active): Totals {
  const steps = profile.steps;
  const routines = profile.routines.name.length;
  const self = zeroCosts(1, routines);
  const inclusive = zeroCosts(1, routines);
  const total = zeroCosts(1, 1);
  const calls = new Float64Array(routines);
  /** Up to where the steps inside a step cover it: what two of them share is taken from it once. */
  const covered = new Map<number, number>();
  for (let i = 0; i < steps.name.length; i++) {
    if (!ran(steps, i) || steps.kind[i] === ASYNC || (active && !active(steps.part[i]))) continue;
    const duration = steps.durationUs[i];
    const p = steps.parent[i];
    const r = steps.routine[i];
    if (isJob(steps, i)) total[0][0] += duration;
    if (r < 0) continue;
    calls[r]++;
    self[0][r] += duration;
    if (p >= 0) {
      const above = steps.routine[p];
      const end = Math.min(endUs(steps, i), endUs(steps, p));
      const from = Math.max(steps.startUs[i], covered.get(p) ?? Number.NEGATIVE_INFINITY);
      if (above >= 0 && end > from) self[0][above] -= end - from;
      covered.set(p, Math.max(end, from));
    }
    let nested = false;
    for (let k = p; k >= 0 && !nested; k = steps.parent[k]) nested = steps.routine[k] === r;
    if (!nested) inclusive[0][r] += duration;
  }
  return withoutCycles({ total, whole: total, self, inclusive, calls });
}
