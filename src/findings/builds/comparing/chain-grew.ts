// Steps that are new on the longest dependency chain and make the build longer.

import { shortStepName } from '../../../analysis/answers/steps/step-names.ts';
import { uncutDurationUs } from '../../../analysis/answers/steps/steps.ts';
import { stepsBefore } from '../../../analysis/builds/changes.ts';
import { longestChain, unitGraphOf } from '../../../analysis/builds/needs.ts';
import { stepSubject } from '../../rule.ts';
import { asCount, asTime, cutName, say } from '../../say.ts';
import { comparedWallTimes, makeWholeBuildsRule } from './whole-builds.ts';

const MIN_CHANGE = 0.05;
/** Minimum share of the slowdown that the chain explains, and minimum share of the chain that its new steps take. */
const MIN_SLOWDOWN_SHARE = 0.5;
const MIN_NEW_SHARE = 0.2;

export const chainGrewRule = makeWholeBuildsRule({
  id: 'chain-grew',
  question: 'Does the build wait for other steps than in the base?',
  evidence: 'the longest chain of dependent steps in both builds, with the durations of each',
  threshold:
    'the build and the chain take at least 5 % longer, the chain at least half as much as the build; a fifth of the chain was not on it in the base',
  *find(e, before) {
    const times = comparedWallTimes(e.analysis, before);
    const longer = times.us - times.beforeUs;
    if (!(longer >= MIN_CHANGE * times.beforeUs)) return [];
    for (const of of [e.analysis, before]) yield* unitGraphOf(of).wait();
    const [chain, chainBefore] = [longestChain(e.analysis), longestChain(before)];
    const lasting = (steps: readonly number[], of = e.analysis) =>
      steps.reduce((sum, i) => sum + uncutDurationUs(of.profile.steps, i), 0);
    const [us, beforeUs] = [lasting(chain), lasting(chainBefore, before)];
    if (chainBefore.length === 0 || us - beforeUs < Math.max(MIN_CHANGE * beforeUs, MIN_SLOWDOWN_SHARE * longer)) return [];
    const wasOn = new Set(chainBefore);
    const moved = chain.filter((i) => !wasOn.has(stepsBefore(e.analysis, before).of(i)));
    if (lasting(moved) < MIN_NEW_SHARE * us) return [];
    const most = moved.reduce((a, b) => (lasting([b]) > lasting([a]) ? b : a));
    const others = moved.length - 1;
    const and =
      others > 0
        ? say` and ${asCount('others', others, 'other step')} (${asTime('moved', lasting(moved))} together) are on it now, and were not in the base`
        : say` is on it now, and was not in the base`;
    return {
      ...say`The longest chain of steps that wait for each other takes ${asTime('now', us)} instead of ${asTime('before', beforeUs)}: ${cutName(shortStepName(e.analysis.profile, most))} (${asTime('most', lasting([most]))})${and}`,
      why: 'dependencies and durations of both builds',
      ...stepSubject(most, (us - beforeUs) / times.beforeUs, 'changes'),
      subject: 'longest chain',
      sign: 1,
    };
  },
});
