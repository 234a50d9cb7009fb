// Steps in time: what ran beside what, where one lies in the picture, what names add up to.

import { memo } from '../base/memo.ts';
import { zeroCosts } from '../model/event-value.ts';
import type { Profile, Steps } from '../model/profile.ts';
import { KINDS } from '../model/steps.ts';
import { stringAt } from '../model/strings.ts';
import type { Analysis } from './analysis.ts';
import type { Active } from './edges.ts';
import type { Totals } from './totals.ts';

export const WHOLE = KINDS.indexOf('whole');
export const ASYNC = KINDS.indexOf('async');
export const SUM = KINDS.indexOf('sum');

export function stepsOf(profile: Profile): Steps {
  return profile.steps!;
}

/** A text column of a step; null where the file does not say. */
export function stepText(
  profile: Profile,
  column: 'role' | 'target' | 'source' | 'language' | 'config' | 'command' | 'directory' | 'more' | 'trace',
  step: number,
): string | null {
  const id = profile.steps![column][step];
  return id < 0 ? null : stringAt(profile.strings, id);
}

export function stepName(profile: Profile, step: number): string {
  return stringAt(profile.strings, profile.steps!.name[step]) || '(no name)';
}

export function endUs(steps: Steps, i: number): number {
  return steps.startUs[i] + steps.durationUs[i];
}

/** True for steps that have a place in time and are not sums. */
export function ran(steps: Steps, i: number): boolean {
  return !Number.isNaN(steps.startUs[i]) && steps.kind[i] !== SUM;
}

/** Work: what is neither a whole build nor inside another step. Concurrency and utilization are of these. */
export function isJob(steps: Steps, i: number): boolean {
  if (!ran(steps, i) || steps.kind[i] === WHOLE || steps.kind[i] === ASYNC) return false;
  const p = steps.parent[i];
  return p < 0 || steps.kind[p] === WHOLE;
}

/** Failed: a result that is neither 0 nor unknown. (CMake writes 0 for tests that crashed, so a 0 is no promise.) */
export function failed(steps: Steps, i: number): boolean {
  const r = steps.result[i];
  return !Number.isNaN(r) && r !== 0;
}

/** Steps of the parts that are on, in order of start; what never ran last. */
export const activeSteps = memo((analysis: Analysis): Uint32Array => {
  const steps = analysis.profile.steps!;
  const rows = Array.from(steps.startUs.keys()).filter((i) => !analysis.partsOff.has(steps.part[i]) && steps.kind[i] !== SUM);
  return Uint32Array.from([...rows.filter((i) => ran(steps, i)), ...rows.filter((i) => !ran(steps, i))]);
}, 4);

/** First start and last end of what ran; [0, 0] where nothing did. */
export const windowOf = memo((analysis: Analysis): readonly [fromUs: number, toUs: number] => {
  const steps = analysis.profile.steps!;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const i of activeSteps(analysis)) {
    if (!ran(steps, i)) continue;
    from = Math.min(from, steps.startUs[i]);
    to = Math.max(to, endUs(steps, i));
  }
  return to >= from ? [from, to] : [0, 0];
}, 4);

/** How many jobs ran at once: changes in order of time, each with the number from then on. */
export interface Concurrency {
  readonly us: Float64Array;
  readonly running: Uint32Array;
  readonly most: number;
  /** Microseconds at each number of running jobs; [0] is the time in which none ran. */
  readonly atLevel: Float64Array;
}

/** Intervals are half open: a step of no length never counts as running. */
export function concurrencyOf(steps: Steps, rows: Iterable<number>): Concurrency {
  const change = new Map<number, number>();
  for (const i of rows) {
    if (!(steps.durationUs[i] > 0)) continue;
    const [from, to] = [steps.startUs[i], endUs(steps, i)];
    change.set(from, (change.get(from) ?? 0) + 1);
    change.set(to, (change.get(to) ?? 0) - 1);
  }
  const times = Float64Array.from([...change.keys()]).sort();
  const us: number[] = [];
  const running: number[] = [];
  const atLevel: number[] = [0];
  let now = 0;
  let most = 0;
  times.forEach((t, k) => {
    if (k > 0) atLevel[now] = (atLevel[now] ?? 0) + t - times[k - 1];
    const by = change.get(t)!;
    if (by === 0) return;
    now += by;
    most = Math.max(most, now);
    us.push(t);
    running.push(now);
  });
  return {
    us: Float64Array.from(us),
    running: Uint32Array.from(running),
    most,
    atLevel: Float64Array.from({ length: most + 1 }, (_, n) => atLevel[n] ?? 0),
  };
}

export const jobConcurrency = memo((analysis: Analysis): Concurrency => {
  const steps = analysis.profile.steps!;
  return concurrencyOf(
    steps,
    Array.from(activeSteps(analysis)).filter((i) => isJob(steps, i)),
  );
}, 4);

/**
 * Duration of each job divided by how many ran beside it, moment by moment (ninja's and ClangBuildAnalyzer's "weighted duration"):
 * the sum over all jobs is the time in which anything ran.
 */
export const weightedUs = memo((analysis: Analysis): Float64Array => {
  const steps = analysis.profile.steps!;
  const { us, running } = jobConcurrency(analysis);
  // share[k]: integral of 1 / running up to us[k].
  const share = new Float64Array(us.length);
  for (let k = 1; k < us.length; k++) share[k] = share[k - 1] + (running[k - 1] > 0 ? (us[k] - us[k - 1]) / running[k - 1] : 0);
  const upTo = (t: number) => {
    let low = 0;
    let high = us.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (us[middle] <= t) low = middle + 1;
      else high = middle;
    }
    const k = low - 1;
    return k < 0 ? 0 : share[k] + (running[k] > 0 ? (t - us[k]) / running[k] : 0);
  };
  return Float64Array.from(steps.startUs, (start, i) =>
    isJob(steps, i) && !analysis.partsOff.has(steps.part[i]) ? upTo(endUs(steps, i)) - upTo(start) : 0,
  );
}, 4);

/** Time by name: self is without the steps inside, inclusive counts a step inside one of its own name once. */
export function stepTotals(profile: Profile, active?: Active): Totals {
  const steps = profile.steps!;
  const routines = profile.routines.name.length;
  const routineOf = new Map(Array.from(profile.routines.name, (name, r) => [name, r]));
  const self = zeroCosts(1, routines);
  const inclusive = zeroCosts(1, routines);
  const total = zeroCosts(1, 1);
  const calls = new Float64Array(routines);
  for (let i = 0; i < steps.name.length; i++) {
    if (!ran(steps, i) || steps.kind[i] === ASYNC || (active && !active(steps.part[i]))) continue;
    const duration = steps.durationUs[i];
    const p = steps.parent[i];
    const r = routineOf.get(steps.name[i]);
    if (isJob(steps, i)) total[0][0] += duration;
    if (r === undefined) continue;
    calls[r]++;
    self[0][r] += duration;
    if (p >= 0) {
      const above = routineOf.get(steps.name[p]);
      if (above !== undefined) self[0][above] -= duration;
    }
    let nested = false;
    for (let k = p; k >= 0 && !nested; k = steps.parent[k]) nested = steps.name[k] === steps.name[i];
    if (!nested) inclusive[0][r] += duration;
  }
  const none = zeroCosts(1, 1);
  return {
    total,
    whole: total,
    self,
    inclusive,
    calls,
    cycles: { of: new Uint32Array(routines), count: 0 },
    cycleSelf: none,
    cycleInclusive: none,
  };
}

/** A build trace has nothing to sum but its events. */
export function processTotals(profile: Profile, active?: Active): Totals {
  const { part } = profile.processes!;
  const total = zeroCosts(1, 1);
  for (const p of part) if (!active || active(p)) total[0][0]++;
  const none = zeroCosts(1, 0);
  const one = zeroCosts(1, 1);
  return {
    total,
    whole: total,
    self: none,
    inclusive: none,
    calls: new Float64Array(0),
    cycles: { of: new Uint32Array(0), count: 0 },
    cycleSelf: one,
    cycleInclusive: one,
  };
}
