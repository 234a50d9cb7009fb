// The bottlenecks of a build, and the gain without them.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { criticalPathOf } from '../../analysis/builds/critical.ts';
import type { Chance } from '../../analysis/builds/narrow.ts';
import { buildRule, ofStep } from '../rule.ts';
import { ABOUT, cutName, listed, NOTHING, part, say, time } from '../say.ts';
import { adviceOn, GAIN_TEXT } from './advice.ts';

const WAYS: Readonly<Record<Chance['what'], { readonly name: string; readonly said: string }>> = {
  'two parallel halves': { name: 'halved', said: 'splitting it into two parallel steps' },
  'not waited for': { name: 'unawaited', said: 'taking it off the dependency chain' },
  'started first': { name: 'first', said: 'starting it before other steps' },
  'no time': { name: 'removed', said: 'removing it' },
};
/** Gains of less than this share of the build are not reported beside a larger one. */
const WORTH = 0.01;

export const waitedFor = buildRule({
  id: 'waited-for',
  question: 'Which step held up the build, and what would splitting, speeding up or reordering it save?',
  evidence:
    'the longest steps of the longest chain of dependencies; the build simulated with each of them in halves, off the chain, before other steps, and removed',
  threshold: GAIN_TEXT,
  assumes: 'durations do not depend on parallel steps; the order of the other starts stays',
  asks: ['steps'],
  *find(e) {
    const { analysis, profile } = e;
    // An earlier start alone is another rule's.
    const { wall, chances, best, why } = yield* adviceOn(analysis, ({ what }) => what !== 'started first');
    if (!best) return [];
    const { on } = yield* criticalPathOf(analysis).wait();
    // The smallest gain first: what removes the step is not what one can do.
    const ways = chances.filter((c) => c === best || (c.step === best.step && c.gainUs >= WORTH * wall)).reverse();
    const gains = ways.map(({ what, gainUs }, i) => {
      const gain = say`${ABOUT}${time(WAYS[what].name, gainUs)}`;
      const most = i === ways.length - 1 ? say` (${part('gain', gainUs, wall)})` : NOTHING;
      return say`${WAYS[what].said} ${i === 0 ? 'would save ' : ''}${gain}${most}`;
    });
    const step = cutName(shortStepName(profile, best.step));
    return {
      ...say`${step} (${time('took', profile.steps.durationUs[best.step])}) held up the build (${time('wall', wall)} wall time): ${listed(gains)}`,
      why,
      // A step of the longest chain may not be on the path of what was waited for.
      ...(on[best.step]
        ? ofStep(best.step, best.gainUs / wall, 'critical', 'criticalpath')
        : ofStep(best.step, best.gainUs / wall, 'step', 'longestchain')),
      estimated: true,
    };
  },
});
