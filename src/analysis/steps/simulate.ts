// How long a build would take with other numbers of jobs: list scheduling over the dependency graph, stage by stage. A simulation:
// steps take as long as they did, whatever runs beside them, and start in the same order as they did, as soon as their
// dependencies are done and a place is free. The commands of one rule keep their place until the last has ended.

import { Heap } from '../../base/heap.ts';
import { memo } from '../../base/memo.ts';
import { formatPercent, plural } from '../../base/units.ts';
import type { Analysis } from '../analysis.ts';
import { unitGraph } from './needs.ts';
import { placesIn, stagesOf } from './stages.ts';

/**
 * Microseconds from the first start to the last end, if `free` steps took no time; undefined if nothing ran, or no dependencies are
 * known. `jobs`: as many places in every stage; undefined for as many as there were. O(n log n).
 */
export function simulate(
  analysis: Analysis<'steps'>,
  jobs: number | undefined,
  free: ReadonlySet<number> = new Set(),
): number | undefined {
  const graph = unitGraph(analysis);
  if (!graph || graph.units.length === 0) return undefined;
  const { durationUs } = analysis.profile.steps;
  const { units, needs } = graph;
  const { stages, idleUs } = stagesOf(analysis);
  const took = units.map((u) => {
    const saved = u.steps.reduce((sum, i) => sum + (free.has(i) ? durationUs[i] : 0), 0);
    return Math.max(0, u.endUs - u.startUs - saved);
  });
  let now = 0;
  let first = 0;
  for (const stage of stages) {
    const next = first + stage.units.length;
    now = runStage({ from: first, to: next, needs, took, places: jobs ?? stage.places }, now);
    first = next;
  }
  return now + idleUs;
}

interface StagePlan {
  /** The stage's units are [from, to). */
  readonly from: number;
  readonly to: number;
  readonly needs: readonly (readonly number[])[];
  readonly took: readonly number[];
  readonly places: number;
}

/** When the last unit of a stage ends. */
function runStage({ from, to, needs, took, places }: StagePlan, start: number): number {
  const waits = new Uint32Array(to - from);
  const next: number[][] = Array.from(waits, () => []);
  for (let k = from; k < to; k++)
    for (const d of needs[k]) {
      // Earlier stages are done.
      if (d < from) continue;
      waits[k - from]++;
      next[d - from].push(k);
    }
  const ready = new Heap();
  const running = new Heap();
  for (let k = from; k < to; k++) if (waits[k - from] === 0) ready.push(k, k);
  let now = start;
  while (ready.size > 0 || running.size > 0) {
    while (ready.size > 0 && running.size < places) {
      const k = ready.pop();
      running.push(now + took[k], k);
    }
    now = running.least;
    // All that end now, before anything else starts.
    while (running.size > 0 && running.least === now)
      for (const k of next[running.pop() - from]) if (--waits[k - from] === 0) ready.push(k, k);
  }
  return now;
}

export interface Simulation {
  /** The places that the build had, and whether its command said so. */
  readonly jobs: number;
  readonly recorded: boolean;
  readonly measuredUs: number;
  /** The build as it was, simulated: how far the simulation can be trusted. */
  readonly asItWasUs: number;
  readonly withJobs: readonly { readonly jobs: number; readonly us: number }[];
  /** With unlimited jobs: the longest chain of each stage. */
  readonly unlimitedUs: number;
}

export const simulation = memo((analysis: Analysis<'steps'>): Simulation | undefined => {
  const asItWasUs = simulate(analysis, undefined);
  if (asItWasUs === undefined) return undefined;
  const stages = stagesOf(analysis);
  const { places: jobs, recorded } = placesIn(stages);
  const cores = analysis.profile.steps.cores ?? 0;
  const counts = [...new Set([1, 2, 4, 8, 16, 32, 64, cores])].filter((n) => n > 0 && n !== jobs).sort((a, b) => a - b);
  const unlimitedUs = simulate(analysis, Number.POSITIVE_INFINITY) ?? Number.NaN;
  const withJobs: { jobs: number; us: number }[] = [];
  for (const n of counts) {
    const us = simulate(analysis, n) ?? Number.NaN;
    withJobs.push({ jobs: n, us });
    // More jobs would change nothing.
    if (us <= unlimitedUs) break;
  }
  return { jobs, recorded, measuredUs: stages.toUs - stages.fromUs, asItWasUs, withJobs, unlimitedUs };
}, 2);

/** The share of the measured time by which the build as it was, simulated, may differ from it. */
const CLOSE = 0.1;

/** By what share of the measured time the build as it was, simulated, differs from it: positive if it is longer. */
export const offBy = (s: Simulation): number => (s.measuredUs > 0 ? (s.asItWasUs - s.measuredUs) / s.measuredUs : 0);

/** Whether what is simulated is near enough to what was measured to say what a single step costs. */
export const isClose = (s: Simulation): boolean => Math.abs(offBy(s)) <= CLOSE;

/** How far the build as it was, simulated, is from what was measured: `12.34% shorter`; '' if it is close. */
export function difference(s: Simulation): string {
  if (isClose(s)) return '';
  return `${formatPercent(Math.abs(s.asItWasUs - s.measuredUs), s.measuredUs)} ${offBy(s) > 0 ? 'longer' : 'shorter'}`;
}

/** Why simulations of this build are doubtful; '' if they are not. */
export function doubt(s: Simulation): string {
  const off = difference(s);
  return off === '' ? '' : `${off} than measured, when simulated as it was: don't rely on simulations`;
}

/** What the build would take if a step took no time; undefined if simulations of this build are not close. */
export const withoutStep = memo((analysis: Analysis<'steps'>, step: number): number | undefined => {
  const s = simulation(analysis);
  return s && isClose(s) ? simulate(analysis, undefined, new Set([step])) : undefined;
}, 64);

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
