// The bottleneck of a build, and the simulated gain of splitting, moving or removing it.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { criticalPathOf } from '../../analysis/builds/critical.ts';
import type { Speedup } from '../../analysis/builds/narrow.ts';
import { makeBuildRule, stepSubject } from '../rule.ts';
import { APPROX_MARK, asShareOf, asTime, cutName, EMPTY_PHRASE, joinWithAnd, say } from '../say.ts';
import { findAdvice, GAIN_THRESHOLD_TEXT } from './advice.ts';

const SPEEDUP_WORDS: Readonly<Record<Speedup['what'], { readonly name: string; readonly action: string }>> = {
  'two parallel halves': { name: 'halved', action: 'splitting it into two parallel steps' },
  'not waited for': { name: 'unawaited', action: 'taking it off the dependency chain' },
  'started first': { name: 'first', action: 'starting it before other steps' },
  'no time': { name: 'removed', action: 'removing it' },
};
/** Minimum gain, as a share of the build, of a further change that is reported with the best one. */
const MIN_FURTHER_GAIN = 0.01;

export const bottleneckStepRule = makeBuildRule({
  id: 'waited-for',
  question: 'Which step held up the build, and what would splitting, speeding up or reordering it save?',
  evidence:
    'the longest steps of the longest chain of dependencies; the build simulated with each of them in halves, off the chain, before other steps, and removed',
  threshold: GAIN_THRESHOLD_TEXT,
  assumes: 'durations do not depend on parallel steps; the order of the other starts stays',
  *find({ analysis, profile }) {
    // `late-start` reports steps that only have to start earlier.
    const { wall, chances, best, why } = yield* findAdvice(analysis, ({ what }) => what !== 'started first');
    if (!best) return [];
    const { on } = yield* criticalPathOf(analysis).wait();
    // Smallest gain first: removing a step saves most, but is seldom possible.
    const ways = chances.filter((c) => c === best || (c.step === best.step && c.gainUs >= MIN_FURTHER_GAIN * wall)).reverse();
    const gains = ways.map(({ what, gainUs }, i) => {
      const gain = say`${APPROX_MARK}${asTime(SPEEDUP_WORDS[what].name, gainUs)}`;
      const most = i === ways.length - 1 ? say` (${asShareOf('gain', gainUs, wall)})` : EMPTY_PHRASE;
      return say`${SPEEDUP_WORDS[what].action} ${i === 0 ? 'would save ' : ''}${gain}${most}`;
    });
    const step = cutName(shortStepName(profile, best.step));
    return {
      ...say`${step} (${asTime('took', profile.steps.durationUs[best.step])}) held up the build (${asTime('wall', wall)}): ${joinWithAnd(gains)}`,
      why,
      // A step of the longest chain may not be on the critical path.
      ...(on[best.step]
        ? stepSubject(best.step, best.gainUs / wall, 'critical', 'criticalpath')
        : stepSubject(best.step, best.gainUs / wall, 'step', 'longestchain')),
      estimated: true,
    };
  },
});
