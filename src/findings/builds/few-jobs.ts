// A build that more parallel jobs would shorten: nearly all the time, all jobs were busy.

import { buildDurationUs, concurrencyOf } from '../../analysis/answers/steps/steps.ts';
import { hasKnownNeeds, simulationBasis } from '../../analysis/builds/critical.ts';
import { closeUnchangedUs } from '../../analysis/builds/narrow.ts';
import { measuredUsOf, ranMoreThanSimulated, simulateInSlices } from '../../analysis/builds/simulate.ts';
import { failedSteps, mostSlotsOf, stagesOf } from '../../analysis/builds/stages.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { APPROX_MARK, asCount, asShareOf, asTime, say } from '../say.ts';

const MIN_SAVED_SHARE = 0.25;
const MIN_BUILD_US = 1e6;

/** Where the number of cores is unknown, the host may have more. */
function adviceText(cores: number | null, places: number): string {
  if (cores === null) return 'build with more jobs (-j) if the host has the cores, or with a compiler cache';
  if (cores > places) return `build with -j ${cores}: the host has ${cores} cores`;
  return 'build on a host with more cores, or with a compiler cache';
}

export const fewJobsRule = makeBuildRule({
  id: 'few-jobs',
  question: 'Would more jobs at once make the build much shorter?',
  evidence: 'the build simulated with twice as many jobs, or as many as the host has cores, and with any number',
  threshold:
    'a build of a second or more of which twice the jobs would save 25 %; the simulation of the unchanged build is within 10 % of the measured time',
  assumes: 'steps take as long beside more others: the host has the cores, memory and disk for them',
  *find({ analysis, profile }) {
    const measuredUs = measuredUsOf(analysis);
    if (measuredUs < MIN_BUILD_US || failedSteps(analysis).length > 0 || !(yield* hasKnownNeeds(analysis))) return [];
    const asItWasUs = yield* closeUnchangedUs(analysis);
    if (asItWasUs === undefined) return [];
    const { stages } = stagesOf(analysis);
    const { places } = mostSlotsOf(stagesOf(analysis));
    const cores = profile.steps.cores ?? Number.POSITIVE_INFINITY;
    // With more jobs than cores, steps slow each other down: their times would change with the number of jobs.
    if (places > cores) return [];
    // More jobs than cores would slow each other down, so they are promised for a larger host only.
    const isFull = cores === places;
    const jobs = isFull ? 2 * places : Math.min(2 * places, cores);
    const more = asCount('jobs', jobs);
    const withMore = profile.steps.cores === null ? say`with ${more} on as many cores` : say`with ${more}`;
    const on = isFull ? say`on a host of ${more} cores` : withMore;
    const twice = (yield* simulateInSlices(analysis, jobs)) ?? Number.NaN;
    const any = (yield* simulateInSlices(analysis, Number.POSITIVE_INFINITY)) ?? Number.NaN;
    if (!(asItWasUs - twice >= MIN_SAVED_SHARE * asItWasUs)) return [];
    // Shares of findings are of the recorded build.
    const share = (asItWasUs - twice) / buildDurationUs(analysis);
    const steps = stages.flatMap(({ units }) => units.flatMap((unit) => unit.steps));
    const { us, running } = concurrencyOf(profile.steps, steps);
    const full = running.reduce((sum, n, k) => (n >= places && k + 1 < us.length ? sum + us[k + 1] - us[k] : sum), 0);
    const isPart = ranMoreThanSimulated(analysis);
    const ofUs = isPart ? measuredUs : buildDurationUs(analysis);
    const whole = isPart ? say`the ${asTime('building', measuredUs)} of building alone` : 'the build';
    return {
      ...say`${asCount('places', places, 'job')} ran at once for ${asShareOf('full', full, ofUs)} of ${whole}: ${on} it would take ${APPROX_MARK}${asTime('twice', twice)} instead of ${APPROX_MARK}${asTime('now', asItWasUs)}, with any number ${APPROX_MARK}${asTime('any', any)}`,
      why: simulationBasis(analysis),
      try: adviceText(profile.steps.cores, places),
      ...viewSubject('jobs', 'utilization', { report: 'load', row: String(places) }),
      ...{ share, estimated: true },
    };
  },
});
