// Steps of a build that take longer or shorter than in the base.

import { shortStepName } from '../../../analysis/answers/steps/step-names.ts';
import { stepText } from '../../../analysis/answers/steps/steps.ts';
import { changesOf, chartChanges, type StepChange } from '../../../analysis/builds/changes.ts';
import { totalJobUs } from '../../../columns/builds/times.ts';
import { makeBuildComparingRule, stepSubject } from '../../rule.ts';
import { asShareOf, asTime, cutName, say } from '../../say.ts';
import { cacheChange } from './cache-hits.ts';
import { bothFinished, changedLikeHost, hostChange } from './slower-host.ts';
import { addedSteps } from './steps-added.ts';

const MIN_CHANGE = 0.02;
const MAX_NAMED_STEPS = 4;

export const slowerStepsRule = makeBuildComparingRule({
  id: 'slower-steps',
  question: 'Which steps are slower or faster than in the base, or did not run there?',
  evidence: 'the steps of both builds, matched by role, target, output, source and configuration',
  threshold: 'a change of at least 2 % of all work in the base and at least 1 % of the step',
  find(e, before) {
    const whole = totalJobUs(before);
    if (!(whole > 0)) return [];
    const { beforeUs } = chartChanges(e.analysis, before);
    const host = hostChange(e.analysis, before);
    const isCausedByHost = (c: StepChange) => host !== undefined && c.before >= 0 && changedLikeHost(host, c.beforeUs, c.afterUs);
    const cache = cacheChange(e.analysis, before);
    const isCausedByCache = (c: StepChange) =>
      cache !== undefined && c.before >= 0 && stepText(e.profile, 'role', c.step) === 'compile';
    // Another rule reports all added steps of these kinds together.
    const added = new Set(addedSteps(e.analysis, before).map(({ kind }) => kind));
    const isLarge = (c: StepChange) =>
      Math.abs(c.changeUs) >= MIN_CHANGE * whole && (c.before < 0 || !Number.isNaN(beforeUs[c.step]));
    return changesOf(e.analysis, before)
      .filter((c) => c.step >= 0 && isLarge(c) && bothFinished(e.analysis, before, c))
      .filter((c) => !isCausedByHost(c) && !added.has(c.kind) && !isCausedByCache(c))
      .slice(0, MAX_NAMED_STEPS)
      .map((c) => {
        const name = cutName(shortStepName(e.analysis.profile, c.step));
        const what = c.changeUs > 0 ? 'longer' : 'shorter';
        const where = c.kind === 'run now' ? 'where it was up to date or not requested' : 'where it did not run';
        const sentence =
          c.before < 0
            ? say`${name} took ${asTime('now', c.afterUs)}, ${asShareOf('change', c.changeUs, whole)} of all work in the base, ${where}`
            : say`${name} took ${asTime('change', Math.abs(c.changeUs))} ${what}: ${asTime('now', c.afterUs)} instead of ${asTime('before', c.beforeUs)}, ${asShareOf('share', Math.abs(c.changeUs), whole)} of all work in the base`;
        return {
          ...sentence,
          why: c.before < 0 ? 'its duration in this build' : 'durations in both builds; a busy host also slows steps',
          ...stepSubject(c.step, Math.abs(c.changeUs) / whole, 'changes'),
          sign: c.changeUs > 0 ? 1 : -1,
        };
      });
  },
});
