// A period of a build with few parallel jobs, often its end.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { buildDurationUs, endUs, stepText, timeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { criticalPathOf } from '../../analysis/builds/critical.ts';
import { narrowWindows } from '../../analysis/builds/narrow.ts';
import { hasAllSteps } from '../../analysis/builds/needs.ts';
import { builtJobs, failedSteps, mostSlotsOf, stagesOf } from '../../analysis/builds/stages.ts';
import { makeBuildRule, stepSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, EMPTY_PHRASE, say } from '../say.ts';

const MIN_PERIOD_SHARE = 0.1;
const MIN_BUILD_US = 1e6;
/** Maximum time between a period and the build's end, as a share of the build, at which the period counts as the end. */
const END_TOLERANCE = 0.02;
const CONFIGURE_ROLES: ReadonlySet<string> = new Set(['configure', 'generate']);

export const narrowEndRule = makeBuildRule({
  id: 'narrow-end',
  question: 'Was the build poorly parallel for a long time?',
  evidence: 'periods when fewer than half of the possible jobs ran',
  threshold:
    'a period of at least 10 % of a build of a second or more; two or more jobs could run; configure and generate steps are excluded',
  *find({ analysis, profile }) {
    const { steps } = profile;
    // Where steps are left out, nobody knows what ran.
    if (!hasAllSteps(analysis)) return [];
    const [from, windowEnd] = timeWindowOf(analysis);
    const to = builtJobs(analysis).reduce((end, i) => Math.max(end, endUs(steps, i)), 0);
    const wall = buildDurationUs(analysis);
    // Failed builds end early, and slices of a trace are not jobs.
    if (failedSteps(analysis).length > 0 || !(wall >= MIN_BUILD_US) || profile.routines.name.length > 0) return [];
    yield* criticalPathOf(analysis).wait();
    const role = (step: number) => stepText(profile, 'role', step) ?? '';
    // CMake configures sequentially by design.
    const windows = narrowWindows(analysis).filter((w) => w.possible >= 2 && w.step >= 0 && !CONFIGURE_ROLES.has(role(w.step)));
    const end = windows.find((w) => w.toUs >= to - END_TOLERANCE * wall);
    const longest = end && end.toUs - end.fromUs >= MIN_PERIOD_SHARE * wall ? end : windows[0];
    if (!longest || longest.toUs - longest.fromUs < MIN_PERIOD_SHARE * wall) return [];
    const took = longest.toUs - longest.fromUs;
    const of = say`${asShareOf('share', took, wall)} of the build`;
    const where =
      longest === end && to >= windowEnd - END_TOLERANCE * wall
        ? say`In the last ${asTime('narrow', took)} (${of}),`
        : say`For ${asTime('narrow', took)} (${of}), from ${asTime('from', longest.fromUs - from)} on,`;
    const inside = Math.min(longest.toUs, endUs(steps, longest.step)) - Math.max(longest.fromUs, steps.startUs[longest.step]);
    const who = cutName(shortStepName(profile, longest.step));
    // Without the number of cores, nobody knows how many could run.
    const { possible, recorded } = longest;
    const slots = recorded === 1 ? say`-j ${asCount('could', possible)}` : asCount('could', possible);
    const whence =
      recorded === 0 ? ' at the peak' : recorded > 1 ? say` by -j of ${asCount('builds', recorded, 'build')}` : EMPTY_PHRASE;
    const could = steps.cores === null ? say`(${slots}${whence})` : say`on ${asCount('could', possible, 'core')}`;
    return {
      ...say`${where} an average of ${asCount('running', Math.round(longest.running * 100) / 100, 'job')} ran ${could}, among them ${who} for ${asTime('inside', inside)}`,
      why: `running jobs compared with ${steps.cores === null ? '-j, else with their peak' : 'the cores of the host'}`,
      ...stepSubject(longest.step, took / wall, 'gantt', 'narrow'),
      subject: 'narrow end',
      // A finding about the step itself is more useful if the step fills most of the period.
      covers: [
        ...(inside > took / 2 ? [`step ${longest.step}`] : []),
        ...(mostSlotsOf(stagesOf(analysis)).places === 1 ? ['jobs'] : []),
      ],
    };
  },
});
