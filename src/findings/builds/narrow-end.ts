// The narrow end of a build, where most of the machine is idle.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { buildUs, endUs, stepText, windowOf } from '../../analysis/answers/steps/steps.ts';
import { criticalPathOf } from '../../analysis/builds/critical.ts';
import { couldRun, endOfBuild, narrowWindows } from '../../analysis/builds/narrow.ts';
import { failedSteps, placesIn, stagesOf } from '../../analysis/builds/stages.ts';
import { buildRule, ofStep } from '../rule.ts';
import { count, cutName, part, say, time } from '../say.ts';

const LEAST = 0.1;
/** Shorter builds are of no interest. */
const LEAST_US = 1e6;
/** A window that ends this near to the end of the build is its end. */
const NEAR = 0.02;
const CONFIGURING: ReadonlySet<string> = new Set(['configure', 'generate']);

export const narrowEnd = buildRule({
  id: 'narrow-end',
  question: 'Was the build poorly parallel for a long time?',
  evidence: 'periods when fewer than half of the possible jobs ran',
  threshold:
    'a period of at least 10 % of a build of a second or more; two or more jobs could run; configure and generate steps are excluded',
  asks: ['steps'],
  *find(e) {
    const { analysis } = e;
    const { steps } = analysis.profile;
    const [from] = windowOf(analysis);
    const to = endOfBuild(analysis);
    const wall = buildUs(analysis);
    // A build that failed or was interrupted has another end; slices of a trace are no jobs.
    if (failedSteps(analysis).length > 0 || !(wall >= LEAST_US) || analysis.profile.routines.name.length > 0) return [];
    yield* criticalPathOf(analysis).wait();
    const could = couldRun(analysis);
    if (could < 2) return [];
    const role = (step: number) => stepText(analysis.profile, 'role', step) ?? '';
    // CMake configures one thing after the other: that is known.
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
      ...say`${where} an average of ${count('running', Math.round(longest.running * 100) / 100)} of ${count('could', could)} possible jobs ran, among them ${who} for ${time('inside', inside)}`,
      why: steps.cores === null ? 'running jobs compared with their peak' : 'running jobs compared with the cores of the host',
      ...ofStep(longest.step, took / wall, 'gantt', 'narrow'),
      subject: 'narrow end',
      // How to shorten the step, or start it earlier, says more, where the step is most of it.
      covers: [
        ...(inside > took / 2 ? [`step ${longest.step}`] : []),
        ...(placesIn(stagesOf(analysis)).places === 1 ? ['jobs'] : []),
      ],
    };
  },
});
