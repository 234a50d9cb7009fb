// A long step that could have started earlier, and ended the build.
import { basisText, criticalPathOf } from '../../analysis/answers/steps/critical.ts';
import { chancesOf } from '../../analysis/answers/steps/narrow.ts';
import { readyUs } from '../../analysis/answers/steps/needs.ts';
import { failedSteps } from '../../analysis/answers/steps/stages.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { buildUs } from '../../analysis/answers/steps/steps.ts';
import { buildRule, ofStep } from '../rule.ts';
import { ABOUT, cutName, NOTHING, part, say, time } from '../say.ts';

const LEAST = 0.03;

export const lateStart = buildRule({
  id: 'late-start',
  question: 'Which long step started late, though it could have started early?',
  evidence:
    'the longest steps of the critical path; the build simulated with each of them started before all others that are ready',
  threshold:
    'a gain of at least 3 % of the build; only if the simulation of the unchanged build is within 10 % of the measured time',
  assumes: 'durations do not depend on parallel steps; the order of the other starts stays',
  asks: ['steps'],
  *find(e) {
    const { analysis, profile } = e;
    const { steps } = profile;
    const { basis } = yield* criticalPathOf(analysis).wait();
    const wall = buildUs(analysis);
    if (!(wall > 0) || basis === 'lanes' || failedSteps(analysis).length > 0) return [];
    const best = (yield* chancesOf(analysis).wait()).find(({ what }) => what === 'started first');
    if (!best || best.gainUs < LEAST * wall) return [];
    const { step, gainUs } = best;
    const waited = steps.startUs[step] - readyUs(analysis, step);
    const ready = waited > 0 ? say`, ${time('waited', waited)} after its inputs were ready` : NOTHING;
    return {
      ...say`${cutName(shortStepName(profile, step))} (${time('took', steps.durationUs[step])}) started late${ready}; starting it first would save ${ABOUT}${time('gain', gainUs)} (${part('share', gainUs, wall)}) of the build`,
      why: `simulated; what needs what is known by ${basisText(analysis, 'text')}`,
      ...ofStep(step, gainUs / wall, 'gantt', 'whatif'),
      estimated: true,
    };
  },
});
