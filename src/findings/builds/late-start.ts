// A long step that could have started earlier, and ended the build.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { readyUs } from '../../analysis/builds/needs.ts';
import { makeBuildRule, stepSubject } from '../rule.ts';
import { APPROX_MARK, asShareOf, asTime, cutName, EMPTY_PHRASE, say } from '../say.ts';
import { findAdvice, GAIN_THRESHOLD_TEXT } from './advice.ts';

export const lateStartRule = makeBuildRule({
  id: 'late-start',
  question: 'Which long step started late, though it could have started early?',
  evidence:
    'the longest steps of the critical path; the build simulated with each of them started before all others that are ready',
  threshold: GAIN_THRESHOLD_TEXT,
  assumes: 'durations do not depend on parallel steps; the order of the other starts stays',
  *find({ analysis, profile }) {
    const { steps } = profile;
    const { wall, best, why } = yield* findAdvice(analysis, ({ what }) => what === 'started first');
    if (!best) return [];
    const { step, gainUs } = best;
    const waited = steps.startUs[step] - readyUs(analysis, step);
    const ready = waited > 0 ? say`, ${asTime('waited', waited)} after its inputs were ready` : EMPTY_PHRASE;
    return {
      ...say`${cutName(shortStepName(profile, step))} (${asTime('took', steps.durationUs[step])}) started late${ready}; starting it first would save ${APPROX_MARK}${asTime('gain', gainUs)} (${asShareOf('share', gainUs, wall)} of the build)`,
      why,
      ...stepSubject(step, gainUs / wall, 'gantt', 'whatif'),
      estimated: true,
    };
  },
});
