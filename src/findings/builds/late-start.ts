// A long step that could have started earlier, and ended the build.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { readyUs } from '../../analysis/builds/needs.ts';
import { buildRule, stepSubject } from '../rule.ts';
import { APPROX_MARK, cutName, NOTHING, part, say, time } from '../say.ts';
import { findAdvice, GAIN_TEXT } from './advice.ts';

export const lateStart = buildRule({
  id: 'late-start',
  question: 'Which long step started late, though it could have started early?',
  evidence:
    'the longest steps of the critical path; the build simulated with each of them started before all others that are ready',
  threshold: GAIN_TEXT,
  assumes: 'durations do not depend on parallel steps; the order of the other starts stays',
  requires: ['steps'],
  *find(e) {
    const { analysis, profile } = e;
    const { steps } = profile;
    const { wall, best, why } = yield* findAdvice(analysis, ({ what }) => what === 'started first');
    if (!best) return [];
    const { step, gainUs } = best;
    const waited = steps.startUs[step] - readyUs(analysis, step);
    const ready = waited > 0 ? say`, ${time('waited', waited)} after its inputs were ready` : NOTHING;
    return {
      ...say`${cutName(shortStepName(profile, step))} (${time('took', steps.durationUs[step])}) started late${ready}; starting it first would save ${APPROX_MARK}${time('gain', gainUs)} (${part('share', gainUs, wall)} of the build)`,
      why,
      ...stepSubject(step, gainUs / wall, 'gantt', 'whatif'),
      estimated: true,
    };
  },
});
