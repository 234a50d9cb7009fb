// A period of a build with few parallel jobs, often its end.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { buildDurationUs, endUs, stepText, windowOf } from '../../analysis/answers/steps/steps.ts';
import { criticalPathOf } from '../../analysis/builds/critical.ts';
import { availableParallelism, endOfBuild, narrowWindows } from '../../analysis/builds/narrow.ts';
import { failedSteps, mostSlotsOf, stagesOf } from '../../analysis/builds/stages.ts';
import { buildRule, stepSubject } from '../rule.ts';
import { count, cutName, part, say, time } from '../say.ts';

const LEAST = 0.1;
/** Shorter builds are ignored. */
const LEAST_US = 1e6;
/** A period that ends within this share of the build's end counts as the end. */
const NEAR = 0.02;
const CONFIGURING: ReadonlySet<string> = new Set(['configure', 'generate']);

export const narrowEnd = buildRule({
  id: 'narrow-end',
  question: 'Was the build poorly parallel for a long time?',
  evidence: 'periods when fewer than half of the possible jobs ran',
  threshold:
    'a period of at least 10 % of a build of a second or more; two or more jobs could run; configure and generate steps are excluded',
  requires: ['steps'],
  *find(e) {
    const { analysis } = e;
    const { steps } = analysis.profile;
    const [from] = windowOf(analysis);
    const to = endOfBuild(analysis);
    const wall = buildDurationUs(analysis);
    // Failed builds have no regular end, and slices of a trace are not jobs.
    if (failedSteps(analysis).length > 0 || !(wall >= LEAST_US) || analysis.profile.routines.name.length > 0) return [];
    yield* criticalPathOf(analysis).wait();
    const possibleJobs = availableParallelism(analysis);
    if (possibleJobs < 2) return [];
    const role = (step: number) => stepText(analysis.profile, 'role', step) ?? '';
    // CMake configures sequentially by design.
    const windows = narrowWindows(analysis).filter((w) => w.step >= 0 && !CONFIGURING.has(role(w.step)));
    const end = windows.find((w) => w.toUs >= to - NEAR * wall);
    const longest = end && end.toUs - end.fromUs >= LEAST * wall ? end : windows[0];
    if (!longest || longest.toUs - longest.fromUs < LEAST * wall) return [];
    const took = longest.toUs - longest.fromUs;
    const of = say`${part('share', took, wall)} of the build`;
    const where =
      longest === end
        ? say`In the last ${time('narrow', took)} (${of}),`
        : say`For ${time('narrow', took)} (${of}), from ${time('from', longest.fromUs - from)} on,`;
    const inside = Math.min(longest.toUs, endUs(steps, longest.step)) - Math.max(longest.fromUs, steps.startUs[longest.step]);
    const who = cutName(shortStepName(analysis.profile, longest.step));

    return {
      ...say`${where} an average of ${count('running', Math.round(longest.running * 100) / 100)} of ${count('could', possibleJobs)} possible jobs ran, among them ${who} for ${time('inside', inside)}`,
      why: steps.cores === null ? 'running jobs compared with their peak' : 'running jobs compared with the cores of the host',
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
