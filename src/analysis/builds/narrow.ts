// Finds the times when a build ran few jobs, and the steps whose change would shorten it most.

import { firstIndexWhere, memo, sortedByKey } from '../../base/lists.ts';
import { memoInBackground, type Sliced } from '../../base/slices.ts';
import type { Analysis } from '../answers/analysis.ts';
import { buildDurationUs, concurrencyOf, endUs } from '../answers/steps/steps.ts';
import { criticalPath, criticalPathOf } from './critical.ts';
import { contradictedNeeds, longestChain, unitGraphOf } from './needs.ts';
import { type Counterfactual, isSimulationClose, measuredUsOf, simulateInSlices, unchangedUsOf } from './simulate.ts';
import { builtJobs, mostSlotsOf, stagesOf } from './stages.ts';

/** A period with fewer than half of the possible jobs running. */
export interface NarrowWindow extends Readonly<Record<'fromUs' | 'toUs' | 'running', number>> {
  /** How many jobs could run then: the host's cores, else the job slots of that stage. */
  readonly possible: number;
  /** How many commands with -j of that stage are recorded. */
  readonly recorded: number;
  /** The step that ran for most of it, preferably on the critical path: the others waited for it. -1 if nothing ran. */
  readonly step: number;
}

/** The minimum length of a window, as a share of the build. Shorter ones are moments between two steps. */
const MIN_WINDOW_SHARE = 0.005;

/** A window with fewer running jobs than this is narrow, even if few could run. */
const MIN_PARALLELISM = 1.5;

/** How many jobs could run at once: the host's cores, else the job slots of the build. */
export const availableParallelism = (analysis: Analysis<'steps'>): number =>
  analysis.profile.steps.cores ?? mostSlotsOf(stagesOf(analysis)).places;

/** The windows in which few jobs ran, longest first. */
export const narrowWindows = memo((analysis: Analysis<'steps'>): readonly NarrowWindow[] => {
  const { steps } = analysis.profile;
  const wholeUs = buildDurationUs(analysis);
  const least = Math.max(1, wholeUs * MIN_WINDOW_SHARE);
  const jobs = builtJobs(analysis);
  const starts = Float64Array.from(jobs, (i) => steps.startUs[i]);
  const longest = jobs.reduce((most, i) => Math.max(most, steps.durationUs[i]), 0);
  const { on } = criticalPath(analysis);
  const windows: NarrowWindow[] = [];
  const add = (fromUs: number, toUs: number, work: number, places: Pick<NarrowWindow, 'possible' | 'recorded'>) => {
    if (toUs - fromUs < least) return;
    let [best, bestUs] = [-1, 0];
    // Jobs that began longer ago than the longest job lasts have ended.
    for (let k = firstIndexWhere(starts.length, (j) => starts[j] >= fromUs - longest); k < jobs.length && starts[k] < toUs; k++) {
      const i = jobs[k];
      const inside = Math.min(toUs, endUs(steps, i)) - Math.max(fromUs, steps.startUs[i]);
      const worth = inside <= 0 ? 0 : on[i] ? inside + wholeUs : inside;
      if (worth > bestUs) [best, bestUs] = [i, worth];
    }
    windows.push({ fromUs, toUs, running: work / (toUs - fromUs), ...places, step: best });
  };
  // Time between two stages does not count as narrow.
  for (const { units, places, recorded } of stagesOf(analysis).stages) {
    const own = units.flatMap((u) => u.steps);
    const possible = steps.cores ?? places;
    const half = Math.max(MIN_PARALLELISM, possible / 2);
    const { us, running } = concurrencyOf(steps, own);
    let [start, work] = [Number.NaN, 0];
    for (let k = 0; k + 1 < us.length; k++) {
      if (running[k] < half) {
        if (Number.isNaN(start)) [start, work] = [us[k], 0];
        work += running[k] * (us[k + 1] - us[k]);
      } else if (!Number.isNaN(start)) {
        add(start, us[k], work, { possible, recorded });
        start = Number.NaN;
      }
    }
    if (!Number.isNaN(start)) add(start, us[us.length - 1], work, { possible, recorded });
  }
  return windows.sort((a, b) => b.toUs - b.fromUs - (a.toUs - a.fromUs) || a.fromUs - b.fromUs);
}, 4);

/** The build's time if a step were different, simulated. */
export interface Speedup {
  readonly step: number;
  readonly what: 'two parallel halves' | 'not waited for' | 'no time' | 'started first';
  readonly us: number;
  /** The time saved, compared with the simulation of the unchanged build. */
  readonly gainUs: number;
}

/** How many steps are tried: the longest of the longest chain, and of the critical path. */
const MAX_TRIED_STEPS = 5;

/**
 * Simulated speedups, largest gain first: steps of the critical path and of the longest chain without time, and the longest of them changed
 * otherwise. Empty if simulations of this build are inaccurate.
 */
export const speedups = memoInBackground(function* (analysis: Analysis<'steps'>): Sliced<readonly Speedup[]> {
  const asItWasUs = yield* closeUnchangedUs(analysis);
  if (asItWasUs === undefined) return [];
  const { durationUs } = analysis.profile.steps;
  const longest = (steps: readonly number[]) => sortedByKey(steps, (i) => durationUs[i], true).slice(0, MAX_TRIED_STEPS);
  const { links } = yield* criticalPathOf(analysis).wait();
  const ways: readonly (readonly [Speedup['what'], number, Counterfactual])[] = [
    ...longest(longestChain(analysis)).flatMap((step) => [
      ['two parallel halves', step, { halved: step }] as const,
      ['not waited for', step, { unawaited: step }] as const,
    ]),
    ...longest(links.map((link) => link.step)).map((step) => ['started first', step, { first: step }] as const),
  ];
  const gains = [...(yield* criticalGainsOf(analysis).wait())].filter(([, gainUs]) => gainUs > 0);
  const found = gains.map(([step, gainUs]): Speedup => ({ step, what: 'no time', us: asItWasUs - gainUs, gainUs }));
  for (const [what, step, how] of ways) {
    const us = (yield* simulateInSlices(analysis, undefined, how)) ?? asItWasUs;
    if (us < asItWasUs) found.push({ step, what, us, gainUs: asItWasUs - us });
  }
  // The longest step comes first among equal gains.
  return found.sort((a, b) => b.gainUs - a.gainUs || durationUs[b.step] - durationUs[a.step] || a.step - b.step);
});

/** The number of critical steps whose gain is simulated, and the most steps that these simulations process together. */
const MAX_GAINS = 200;
const MAX_GAIN_STEPS = 300_000;

/**
 * By step, what the build would save if the step took no time, for the longest steps of the critical path and of the longest chain. Empty if
 * simulations are inaccurate.
 */
export const criticalGainsOf = memoInBackground(function* (analysis: Analysis<'steps'>): Sliced<ReadonlyMap<number, number>> {
  const gains = new Map<number, number>();
  const { links } = yield* criticalPathOf(analysis).wait();
  const asItWasUs = yield* closeUnchangedUs(analysis);
  if (asItWasUs === undefined) return gains;
  const { durationUs } = analysis.profile.steps;
  const most = Math.min(MAX_GAINS, Math.floor(MAX_GAIN_STEPS / durationUs.length));
  const tried = new Set([...links.map(({ step }) => step), ...longestChain(analysis)]);
  for (const step of sortedByKey([...tried], (i) => durationUs[i], true).slice(0, most)) {
    const us = yield* simulateInSlices(analysis, undefined, { savedUs: new Map([[step, durationUs[step]]]) });
    if (us !== undefined) gains.set(step, Math.max(0, asItWasUs - us));
  }
  return gains;
});

/** The simulated time of the unchanged build; undefined if simulations of this build are inaccurate. */
export function* closeUnchangedUs(analysis: Analysis<'steps'>): Sliced<number | undefined> {
  yield* unitGraphOf(analysis).wait();
  const asItWasUs = yield* unchangedUsOf(analysis).wait();
  if (asItWasUs === undefined) return undefined;
  const simulated = { asItWasUs, measuredUs: measuredUsOf(analysis), contradicted: contradictedNeeds(analysis) };
  return isSimulationClose(simulated) ? asItWasUs : undefined;
}
