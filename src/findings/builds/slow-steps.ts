// Steps that take much longer than others of their kind.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { jobsOf, stepText } from '../../analysis/answers/steps/steps.ts';
import { groupByKey } from '../../base/lists.ts';
import { medianOf } from '../../base/median.ts';
import { totalJobUs } from '../../columns/builds/times.ts';
import { makeBuildRule, stepSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, EMPTY_PHRASE, ratio, say } from '../say.ts';

const MIN_MEDIAN_RATIO = 4;
const MIN_WORK_SHARE = 0.02;
const MIN_MEDIAN_US = 50_000;
const MIN_STEPS_OF_KIND = 5;
const MAX_NAMED_STEPS = 2;
/** The texts that steps of one kind share. */
const KIND_FIELDS = ['role', 'target', 'language'] as const;

export const slowStepsRule = makeBuildRule({
  id: 'slow-steps',
  question: 'Which step takes much longer than similar steps?',
  evidence: 'the duration of steps of the same target, role and language',
  threshold: `at least ${MIN_MEDIAN_RATIO} times the median of ${MIN_STEPS_OF_KIND} or more steps, which is at least 50 ms; at least 2 % of all work; tests and custom commands are excluded`,
  find({ analysis, profile }) {
    const { durationUs } = profile.steps;
    // Tests and custom commands differ too much to be compared.
    const isComparable = (i: number) => ![null, 'custom', 'test'].includes(stepText(profile, 'role', i));
    const kindOf = (i: number) => KIND_FIELDS.map((field) => stepText(profile, field, i)).join('\n');
    const alike = groupByKey(jobsOf(analysis).filter(isComparable), kindOf);
    const all = totalJobUs(analysis);
    return [...alike.values()]
      .filter((list) => list.length >= MIN_STEPS_OF_KIND)
      .flatMap((list) => {
        const median = medianOf(list.map((i) => durationUs[i]));
        // Times this short are cache hits, not compiles.
        if (median < MIN_MEDIAN_US) return [];
        return list
          .filter((i) => durationUs[i] >= MIN_MEDIAN_RATIO * median && durationUs[i] >= MIN_WORK_SHARE * all)
          .map((i) => ({ i, median, of: list.length }));
      })
      .sort((a, b) => durationUs[b.i] - durationUs[a.i])
      .slice(0, MAX_NAMED_STEPS)
      .map(({ i, median, of }) => {
        const target = stepText(profile, 'target', i);
        const where = target === null ? EMPTY_PHRASE : say` of ${cutName(target)}`;
        return {
          ...say`${cutName(shortStepName(profile, i))} took ${asTime('took', durationUs[i])}, ${ratio('times', durationUs[i] / median)} times the median of the ${asCount('alike', of)} ${cutName(stepText(profile, 'role', i) ?? '')} steps${where} (${asTime('median', median)}): ${asShareOf('work', durationUs[i], all)} of all work`,
          why: 'durations of steps of the same target, role and language',
          ...stepSubject(i, durationUs[i] / all, 'steps'),
        };
      });
  },
});
