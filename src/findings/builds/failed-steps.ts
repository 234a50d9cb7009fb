// Steps of a build that failed.
import { failedSteps } from '../../analysis/answers/steps/stages.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';

import { buildRule } from '../rule.ts';
import { count, cutName, listed, say } from '../say.ts';

const MOST_NAMED = 3;

export const stepsFailed = buildRule({
  id: 'failed-steps',
  question: 'Did the build fail, and at which step?',
  evidence: 'the results of the steps, without tests, which have a rule of their own',
  threshold: 'any step with a result other than 0',
  asks: ['steps'],
  find({ analysis, profile }) {
    const failed = failedSteps(analysis);
    if (failed.length === 0) return [];
    const names = failed
      .slice(0, MOST_NAMED)
      .map((i, k) => say`${cutName(shortStepName(profile, i))} (exit code ${count(`code${k + 1}`, profile.steps.result[i])})`);
    return {
      ...say`The build failed: ${listed(names)}${failed.length > MOST_NAMED ? ' first' : ''}, ${count('failed', failed.length, 'step')} in all`,
      why: 'results of the steps; all that needs what they make did not run',
      subject: 'failed steps',
      target: { view: 'steps', report: 'steps', step: failed[0] },
    };
  },
});
