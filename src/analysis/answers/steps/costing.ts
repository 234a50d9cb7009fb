// The Costing of steps in time: time by name, and by the path of names of a trace.

import { depthFirst } from '../../../model/inputs/contexts.ts';
import { type ProfileOf, questionsOf } from '../../../model/profile.ts';
import { ASYNC_KIND, type Steps } from '../../../model/steps/tables.ts';
import type { Costing, Totals } from '../costing.ts';
import { contextCosting } from '../inputs/costing.ts';
import { contextTables, nestedContexts } from '../nested.ts';
import { type Active, activeIn, once } from '../once.ts';
import { noEdges, withoutCalls, withoutCycles, withoutLines, zeroTotals } from '../without.ts';
import { endUs, hasRun, isWork } from './steps.ts';

export function stepCosting(profile: ProfileOf<'steps'>, partsOff: ReadonlySet<number>): Costing {
  const active = activeIn(partsOff);
  const totals = once(() => stepTotals(profile, active));
  const plain = { ...withoutLines, can: questionsOf(profile), counts: { steps: profile.steps.name.length }, totals };
  if (profile.routines.name.length === 0) return { ...plain, ...withoutCalls, edges: once(() => noEdges(profile.columns, 0)) };
  // Equal paths of several parts are one: the parts that are off are left out already.
  return { ...plain, ...contextCosting(() => sliceContexts(profile, active, false)) };
}

/** By step: 1 if an ancestor has the same routine. Computed in one pass, because steps may be deeply nested. */
function nestedInOwn({ parent, routine }: Steps, routines: number): Uint8Array {
  const nested = new Uint8Array(parent.length);
  const { order, end } = depthFirst(parent);
  /** By routine: the end of its outermost step entered last. */
  const until = new Uint32Array(routines);
  order.forEach((i, place) => {
    const r = routine[i];
    if (r < 0) return;
    if (place < until[r]) nested[i] = 1;
    else until[r] = end[place];
  });
  return nested;
}

/** Time by name: self excludes the steps inside; inclusive does not count a step again that is inside one of the same name. */
function stepTotals(profile: ProfileOf<'steps'>, active: Active): Totals {
  const steps = profile.steps;
  const { self, inclusive, total, calls } = zeroTotals(profile);
  const nested = nestedInOwn(steps, calls.length);
  const own = selfTimes(steps, active);
  for (let i = 0; i < steps.name.length; i++) {
    if (isWork(steps, i) && (!active || active(steps.part[i]))) total[0][0] += steps.durationUs[i];
    if (!takesTime(steps, active, i)) continue;
    const r = steps.routine[i];
    calls[r]++;
    self[0][r] += own[i];
    if (!nested[i]) inclusive[0][r] += steps.durationUs[i];
  }
  return withoutCycles({ total, whole: total, self, inclusive, calls });
}

// Slices of a trace as calling contexts: their nesting, and the time of each.

/** Whether a slice's time counts: it ran, synchronously, in an active part. */
const takesTime = (steps: Steps, active: Active, i: number): boolean =>
  hasRun(steps, i) && steps.kind[i] !== ASYNC_KIND && steps.routine[i] >= 0 && (!active || active(steps.part[i]));

/** By step: microseconds without the steps inside; overlapping inner steps are subtracted once. */
function selfTimes(steps: Steps, active: Active): Float64Array {
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
