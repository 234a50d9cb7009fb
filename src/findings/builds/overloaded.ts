// More jobs ran at once than the host has cores: steps waited for each other.

import { jobConcurrency, stepText, workStepsOf } from '../../analysis/answers/steps/steps.ts';
import { failedSteps, mostSlotsOf, stagesInSlices } from '../../analysis/builds/stages.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, asShareOf, say } from '../say.ts';
import { meanHostLoad } from './comparing/slower-host.ts';

const MIN_TIME_SHARE = 0.5;
/** Programs that compile on other hosts. */
const DISTRIBUTES = /(?:^|[\s/"])(?:distcc|icecc|icerun|recc|gomacc|rewrapper|fbuild|xgconsole)(?:\.exe)?["\s]/i;

export const overloadedHostRule = makeBuildRule({
  id: 'overloaded',
  question: 'Did more jobs run at once than the host has cores?',
  evidence: 'running jobs over time, and the cores that the record states',
  threshold:
    'more jobs than cores for at least half of the time in which jobs ran, none of them for other hosts (distcc); the host load, if recorded, is not below the cores',
  onlyNotes: true,
  *find({ analysis, profile }) {
    const { cores } = profile.steps;
    if (cores === null || failedSteps(analysis).length > 0) return [];
    const { places } = mostSlotsOf(yield* stagesInSlices(analysis).wait());
    if (places <= cores || meanHostLoad(profile.steps) < cores) return [];
    if (workStepsOf(analysis).some((i) => DISTRIBUTES.test(stepText(profile, 'command', i) ?? ''))) return [];
    const { atLevel } = jobConcurrency(analysis);
    const busy = atLevel.reduce((sum, us, n) => (n > 0 ? sum + us : sum), 0);
    const over = atLevel.reduce((sum, us, n) => (n > cores ? sum + us : sum), 0);
    if (!(busy > 0) || over < MIN_TIME_SHARE * busy) return [];
    return {
      ...say`${asShareOf('over', over, busy)} of the time, more jobs ran than the host has cores (${asCount('places', places, 'job')}, ${asCount('cores', cores, 'core')}): steps took longer than alone, and simulations with fewer jobs are too long`,
      why: 'running jobs over time, and the cores of the host',
      try: `build with -j ${cores}`,
      ...viewSubject('overloaded', 'utilization', { report: 'load' }),
    };
  },
});
