// Rules that advise how to shorten a build, by simulated gains: a step that holds the build up, and one that started late.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { buildDurationUs } from '../../analysis/answers/steps/steps.ts';
import { criticalPathOf, hasKnownNeeds, simulationBasis } from '../../analysis/builds/critical.ts';
import { type Speedup, speedups } from '../../analysis/builds/narrow.ts';
import { readyUs } from '../../analysis/builds/needs.ts';
import { failedSteps } from '../../analysis/builds/stages.ts';
import { makeBuildRule, stepSubject } from '../rule.ts';
import { APPROX_MARK, asShareOf, asTime, cutName, EMPTY_PHRASE, joinWithAnd, say } from '../say.ts';

const MIN_GAIN_SHARE = 0.03;
const GAIN_THRESHOLD_TEXT =
  'a gain of at least 3 % of the build; only if the simulation of the unchanged build is within 10 % of the measured time';

/**
 * Simulates changes that would shorten the build: all gains, and the largest one that the rule accepts (`isWanted`); undefined if that is
 * too small.
 */
function* findAdvice(analysis: Analysis<'steps'>, isWanted: (chance: Speedup) => boolean) {
  const wall = buildDurationUs(analysis);
  // The duration of a failed build does not depend on its steps.
  if (!(wall > 0) || failedSteps(analysis).length > 0 || !(yield* hasKnownNeeds(analysis)))
    return { wall, chances: [], best: undefined, why: '' };
  const why = simulationBasis(analysis);
  const chances = yield* speedups(analysis).wait();
  const best = chances.find(isWanted);
  return { wall, chances, best: best && best.gainUs >= MIN_GAIN_SHARE * wall ? best : undefined, why };
}

// A long step that could have started earlier, and ended the build.

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

// The bottleneck of a build, and the simulated gain of splitting, moving or removing it.

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
    'the longest steps of the longest chain of dependencies; the build simulated with each of them in halves, off the chain, before other steps; and with each step of it and of the critical path removed',
  threshold: GAIN_THRESHOLD_TEXT,
  assumes: 'durations do not depend on parallel steps; the order of the other starts stays',
  *find({ analysis, profile }) {
    // `late-start` reports steps that only have to start earlier.
    const { wall, chances, best, why } = yield* findAdvice(analysis, ({ what }) => what !== 'started first');
    if (!best) return [];
    const { on } = yield* criticalPathOf(analysis).wait();
    // The share before the sentence is that of the largest gain.
    const ways = chances.filter((c) => c === best || (c.step === best.step && c.gainUs >= MIN_FURTHER_GAIN * wall));
    const gains = ways.map(({ what, gainUs }, i) => {
      const gain = say`${APPROX_MARK}${asTime(SPEEDUP_WORDS[what].name, gainUs)}`;
      const most = i === 0 ? say` (${asShareOf('gain', gainUs, wall)})` : EMPTY_PHRASE;
      return say`${SPEEDUP_WORDS[what].action} ${i === 0 ? 'would save ' : ''}${gain}${most}`;
    });
    const step = cutName(shortStepName(profile, best.step));
    const how = on[best.step] === 1 ? 'held up the build' : 'held a job slot beside the critical path of the build';
    return {
      ...say`${step} (${asTime('took', profile.steps.durationUs[best.step])}) ${how} (${asTime('wall', wall)}): ${joinWithAnd(gains)}`,
      why,
      // A step of the longest chain may not be on the critical path.
      ...(on[best.step]
        ? stepSubject(best.step, best.gainUs / wall, 'critical', 'criticalpath')
        : stepSubject(best.step, best.gainUs / wall, 'step', 'longestchain')),
      estimated: true,
    };
  },
});
