// Steps of a build that failed.
import { failedSteps } from '../../analysis/answers/steps/stages.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';

import { buildRule } from '../rule.ts';
import { count, cutName, listed, NOTHING, say } from '../say.ts';

const MOST_NAMED = 3;

export const stepsFailed = buildRule({
  id: 'failed-steps',
  question: 'Did the build fail, and at which step?',
  evidence: 'the exit codes of the steps; tests have a rule of their own',
  threshold: 'any step with an exit code other than 0',
  asks: ['steps'],
  find({ analysis, profile }) {
    const failed = failedSteps(analysis);
    if (failed.length === 0) return [];
    const names = failed
      .slice(0, MOST_NAMED)
      .map((i, k) => say`${cutName(shortStepName(profile, i))} (exit code ${count(`code${k + 1}`, profile.steps.result[i])})`);
    const stopped = profile.steps.stopped ?? [];
    const some = stopped.slice(0, MOST_NAMED).map(cutName);
    const rest = say`; ${count('stopped', stopped.length, 'output')} ${stopped.length === 1 ? 'was' : 'were'} not made: ${stopped.length > MOST_NAMED ? 'among them ' : ''}${listed(some)}`;
    return {
      ...say`The build failed in ${count('failed', failed.length, 'step')}: ${failed.length > MOST_NAMED ? 'first ' : ''}${listed(names)}${stopped.length > 0 ? rest : NOTHING}`,
      why:
        stopped.length > 0
          ? 'exit codes of the steps; what needs them, by build.ninja'
          : 'exit codes of the steps; steps that depend on them did not run',
      subject: 'failed steps',
      target: { view: 'steps', report: 'steps', step: failed[0] },
    };
  },
});
