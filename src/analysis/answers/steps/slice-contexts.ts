// Slices of a trace as calling contexts: their nesting, and the time of each.
import type { ProfileOf } from '../../../model/profile.ts';
import { ASYNC_KIND, type Steps } from '../../../model/steps/tables.ts';
import { contextTables, nestedContexts } from '../nested.ts';
import type { Active } from '../once.ts';
import { endUs, hasRun } from './steps.ts';

/** Whether a slice's time counts: it ran, synchronously, in an active part. */
export function takesTime(steps: Steps, active: Active, i: number): boolean {
  return hasRun(steps, i) && steps.kind[i] !== ASYNC_KIND && steps.routine[i] >= 0 && (!active || active(steps.part[i]));
}

/** By step: microseconds without the steps inside; overlapping inner steps are subtracted once. */
export function selfTimes(steps: Steps, active: Active): Float64Array {
  const { parent, startUs, durationUs } = steps;
  const n = parent.length;
  const self = new Float64Array(n);
  /** By step: the end of the time that inner steps cover so far. */
  const covered = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < n; i++) {
    if (!takesTime(steps, active, i)) continue;
    self[i] += durationUs[i];
    const p = parent[i];
    if (p < 0) continue;
    const end = Math.min(endUs(steps, i), endUs(steps, p));
    const from = Math.max(startUs[i], covered[p]);
    if (end > from) self[p] -= end - from;
    covered[p] = Math.max(end, from);
  }
  return self;
}

/** The trace with a context for each path of slices, and one point that says what it costs. `byPart`: each part has contexts of its own. */
export function sliceContexts(profile: ProfileOf<'steps'>, active: Active, byPart: boolean): ProfileOf<'inputs'> {
  const { steps, compared: _, ...head } = profile;
  const self = selfTimes(steps, active);
  const { contexts, of } = nestedContexts(steps, (i) => takesTime(steps, active, i), byPart);
  const n = contexts.id.length;
  const [calls, sum, selfSum] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < self.length; i++) {
    const c = of[i];
    if (c < 0) continue;
    calls[c]++;
    sum[c] += steps.durationUs[i];
    selfSum[c] += self[i];
  }
  return { ...head, ...contextTables(contexts, { calls, sum, selfSum }) };
}
