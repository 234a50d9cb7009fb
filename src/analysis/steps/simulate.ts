// How long a build would take with other numbers of jobs: list scheduling over the dependency graph. A simulation: steps take as
// long as they did, whatever runs beside them, and start in the same order as they did, as soon as their dependencies are done and
// a job is free.

import { Heap } from '../../base/heap.ts';
import { memo } from '../../base/memo.ts';
import { plural } from '../../base/units.ts';
import type { Analysis } from '../analysis.ts';
import { dependencies } from './critical.ts';
import { activeSteps, endUs, isJob, jobConcurrency, stepText } from './steps.ts';

/** Phases run one after the other: nothing is compiled before the build files are written, or tested before it is built. */
const PHASES: Readonly<Record<string, number>> = { configure: 0, generate: 1, install: 3, test: 4 };
const BUILDING = 2;

interface Plan {
  /** Jobs in order of start, in runs of one phase. */
  readonly segments: readonly (readonly number[])[];
  /** Time in which nothing ran. */
  readonly idleUs: number;
}

const planOf = memo((analysis: Analysis<'steps'>): Plan => {
  const { profile } = analysis;
  const steps = profile.steps;
  const segments: number[][] = [];
  let phase = -1;
  let end = Number.NEGATIVE_INFINITY;
  let idleUs = 0;
  for (const i of activeSteps(analysis)) {
    if (!isJob(steps, i)) continue;
    const own = PHASES[stepText(profile, 'role', i) ?? ''] ?? BUILDING;
    if (own !== phase || segments.length === 0) segments.push([]);
    phase = own;
    segments.at(-1)!.push(i);
    if (end > Number.NEGATIVE_INFINITY && steps.startUs[i] > end) idleUs += steps.startUs[i] - end;
    end = Math.max(end, endUs(steps, i));
  }
  return { segments, idleUs };
}, 2);

/**
 * Microseconds from the first start to the last end with that many jobs, if `free` steps took no time; undefined if no
 * dependencies are known. O(n log n).
 */
export function simulate(analysis: Analysis<'steps'>, jobs: number, free: ReadonlySet<number> = new Set()): number | undefined {
  const needs = dependencies(analysis);
  if (!needs) return undefined;
  const steps = analysis.profile.steps;
  const { segments, idleUs } = planOf(analysis);
  const ends = new Float64Array(steps.name.length).fill(Number.NaN);
  let now = 0;
  for (const segment of segments) {
    const inside = new Map(segment.map((i, k) => [i, k]));
    const waits = new Uint32Array(segment.length);
    const next: number[][] = segment.map(() => []);
    segment.forEach((i, k) => {
      for (const d of needs.get(i) ?? []) {
        const at = inside.get(d);
        // Only earlier steps count, so there are no cycles.
        if (at === undefined || at >= k) continue;
        waits[k]++;
        next[at].push(k);
      }
    });
    const ready = new Heap();
    const running = new Heap();
    segment.forEach((_, k) => {
      if (waits[k] === 0) ready.push(k, k);
    });
    let busy = 0;
    let segmentEnd = now;
    while (ready.size > 0 || running.size > 0) {
      while (ready.size > 0 && busy < jobs) {
        const k = ready.pop();
        const i = segment[k];
        ends[i] = now + (free.has(i) ? 0 : steps.durationUs[i]);
        running.push(ends[i], k);
        busy++;
      }
      const done = running.pop();
      busy--;
      now = ends[segment[done]];
      segmentEnd = Math.max(segmentEnd, now);
      for (const k of next[done]) if (--waits[k] === 0) ready.push(k, k);
    }
    now = segmentEnd;
  }
  return now + idleUs;
}

export interface Simulation {
  /** The most jobs that ran at once. */
  readonly jobs: number;
  /** The build as it was, simulated: how far the simulation can be trusted. */
  readonly asItWasUs: number;
  readonly withJobs: readonly { readonly jobs: number; readonly us: number }[];
  /** With unlimited jobs: the longest chain. */
  readonly unlimitedUs: number;
}

export const simulation = memo((analysis: Analysis<'steps'>): Simulation | undefined => {
  const jobs = Math.max(1, jobConcurrency(analysis).most);
  const asItWasUs = simulate(analysis, jobs);
  if (asItWasUs === undefined) return undefined;
  const cores = analysis.profile.steps.cores ?? 0;
  const counts = [...new Set([1, 2, 4, 8, 16, 32, 64, cores])].filter((n) => n > 0 && n !== jobs).sort((a, b) => a - b);
  const unlimitedUs = simulate(analysis, Number.POSITIVE_INFINITY)!;
  const withJobs: { jobs: number; us: number }[] = [];
  for (const n of counts) {
    const us = simulate(analysis, n)!;
    withJobs.push({ jobs: n, us });
    // More jobs would change nothing.
    if (us <= unlimitedUs) break;
  }
  return { jobs, asItWasUs, withJobs, unlimitedUs };
}, 2);

/** What the build would take if a step took no time. */
export const withoutStep = memo(
  (analysis: Analysis<'steps'>, step: number): number | undefined =>
    simulate(analysis, Math.max(1, jobConcurrency(analysis).most), new Set([step])),
  64,
);

/** The most steps that all simulations of a report may process together. */
const BUDGET = 5_000_000;

/** The same for each link of the critical path; in a huge build, only for the longest ones. */
export function withoutEach(analysis: Analysis<'steps'>, links: readonly number[]): ReadonlyMap<number, number> {
  const { durationUs, name } = analysis.profile.steps;
  const most = Math.max(10, Math.floor(BUDGET / name.length));
  const chosen = [...links].sort((a, b) => durationUs[b] - durationUs[a]).slice(0, most);
  return new Map(
    chosen.flatMap((step): [number, number][] => {
      const us = withoutStep(analysis, step);
      return us === undefined ? [] : [[step, us]];
    }),
  );
}

/** `≈ 9 s as it was with 2 jobs, ≈ 6 s with 4, ≈ 5 s with any number`. */
export function simulationText(s: Simulation, time: (us: number) => string): string {
  const others = s.withJobs.map((w) => `${time(w.us)} with ${w.jobs}`);
  return [
    `${time(s.asItWasUs)} as it was with ${plural(s.jobs, 'job')}`,
    ...others,
    `${time(s.unlimitedUs)} with any number`,
  ].join(', ');
}
