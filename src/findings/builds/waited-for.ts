// The bottlenecks of a build, and the gain without them.
import { basisText, criticalPathOf } from '../../analysis/answers/steps/critical.ts';
import { type Chance, chancesOf } from '../../analysis/answers/steps/narrow.ts';
import { failedSteps } from '../../analysis/answers/steps/stages.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { buildUs } from '../../analysis/answers/steps/steps.ts';
import { buildRule, ofStep } from '../rule.ts';
import { ABOUT, cutName, listed, NOTHING, part, say, time } from '../say.ts';

const LEAST = 0.03;

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
    'the longest steps of the longest chain of dependencies; the build simulated with each of them in halves, off the chain, and removed',
  threshold:
    'a gain of at least 3 % of the build; only if the simulation of the unchanged build is within 10 % of the measured time',
  assumes: 'durations do not depend on parallel steps; the order of starts stays',
  asks: ['steps'],
  *find(e) {
    const { analysis, profile } = e;
    const { basis } = yield* criticalPathOf(analysis).wait();
    const wall = buildUs(analysis);
    // The end of a build that failed is not what its steps decide.
    if (!(wall > 0) || basis === 'lanes' || failedSteps(analysis).length > 0) return [];
    const all = yield* chancesOf(analysis).wait();
    // The gain of an earlier start alone is another rule's.
    const first = all.find(({ what }) => what !== 'started first');
    if (!first || first.gainUs < LEAST * wall) return [];
    // The smallest gain first: what removes the step is not what one can do.
    const ways = all.filter((c) => c === first || (c.step === first.step && c.gainUs >= WORTH * wall)).reverse();
    const gains = ways.map(({ what, gainUs }, i) => {
      const gain = say`${ABOUT}${time(WAYS[what].name, gainUs)}`;
      const most = i === ways.length - 1 ? say` (${part('gain', gainUs, wall)})` : NOTHING;
      return say`${WAYS[what].said} ${i === 0 ? 'would save ' : ''}${gain}${most}`;
    });
    const step = cutName(shortStepName(profile, first.step));
    return {
      ...say`${step} (${time('took', profile.steps.durationUs[first.step])}) held up the build (${time('wall', wall)} wall time): ${listed(gains)}`,
      why: `simulated; dependencies from ${basisText(analysis, 'text')}`,
      ...ofStep(first.step, first.gainUs / wall, 'critical', 'criticalpath'),
      estimated: true,
    };
  },
});
