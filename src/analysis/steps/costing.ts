// The Costing of steps in time: time by name.
import { indexBy } from '../../model/column.ts';
import { zeroCosts } from '../../model/event-value.ts';
import { questionsOf } from '../../model/kinds.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Steps } from '../../model/steps/tables.ts';
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

/** 1 for a step inside one of the same routine, however far up: found on one way through all steps, since they may lie deep. */
function nestedInOwn({ parent, routine }: Steps, routines: number): Uint8Array {
  const n = parent.length;
  const nested = new Uint8Array(n);
  const { order: children, from } = indexBy(parent, n);
  const open = new Uint32Array(routines);
  const stack: number[] = [];
  for (let i = 0; i < n; i++) if (parent[i] < 0) stack.push(i);
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    // -1 - i: behind all that is inside step i.
    const r = routine[i < 0 ? -1 - i : i];
    if (i < 0) {
      if (r >= 0) open[r]--;
      continue;
    }
    if (r >= 0) nested[i] = open[r]++ > 0 ? 1 : 0;
    stack.push(-1 - i);
    for (let k = from[i]; k < from[i + 1]; k++) stack.push(children[k]);
  }
  return nested;
}

/** Time by name: self excludes the steps inside; inclusive does not count a step again that is inside one of the same name. */
function stepTotals(profile: ProfileOf<'steps'>, active: Active): Totals {
  const steps = profile.steps;
  const routines = profile.routines.name.length;
  const self = zeroCosts(1, routines);
  const inclusive = zeroCosts(1, routines);
  const total = zeroCosts(1, 1);
  const calls = new Float64Array(routines);
  const nested = nestedInOwn(steps, routines);
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
    if (!nested[i]) inclusive[0][r] += duration;
  }
  return withoutCycles({ total, whole: total, self, inclusive, calls });
}
