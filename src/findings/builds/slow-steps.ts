// Steps that take much longer than others of their kind.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { jobsOf, stepText } from '../../analysis/answers/steps/steps.ts';
import { addTo } from '../../base/lists.ts';
import { medianOf } from '../../base/median.ts';
import { totalJobUs } from '../../columns/builds/times.ts';
import { buildRule, stepSubject } from '../rule.ts';
import { count, cutName, NOTHING, part, ratio, say, time } from '../say.ts';

const TIMES = 4;
const LEAST = 0.02;
const LEAST_US = 50_000;
const LEAST_ALIKE = 5;
const MOST_NAMED = 2;

export const slowSteps = buildRule({
  id: 'slow-steps',
  question: 'Which step takes much longer than similar steps?',
  evidence: 'the duration of steps of the same target, role and language',
  threshold: `at least ${TIMES} times the median of ${LEAST_ALIKE} or more steps, which is at least 50 ms; at least 2 % of all work; tests and custom commands are excluded`,
  requires: ['steps'],
  find(e) {
    const { analysis, profile } = e;
    const { durationUs } = profile.steps;
    const alike = new Map<string, number[]>();
    for (const i of jobsOf(analysis)) {
      const role = stepText(profile, 'role', i);
      // Tests and custom commands differ too much to be compared.
      if (role === null || role === 'custom' || role === 'test') continue;
      const key = [role, stepText(profile, 'target', i), stepText(profile, 'language', i)].join('\n');
      addTo(alike, key, i);
    }
    const all = totalJobUs(analysis);
    return [...alike.values()]
      .filter((list) => list.length >= LEAST_ALIKE)
      .flatMap((list) => {
        const median = medianOf(list.map((i) => durationUs[i]));
        // Very short times are cache hits, not compiles.
        if (median < LEAST_US) return [];
        return list
          .filter((i) => durationUs[i] >= TIMES * median && durationUs[i] >= LEAST * all)
          .map((i) => ({ i, median, of: list.length }));
      })
      .sort((a, b) => durationUs[b.i] - durationUs[a.i])
      .slice(0, MOST_NAMED)
      .map(({ i, median, of }) => {
        const target = stepText(profile, 'target', i);
        const where = target === null ? NOTHING : say` of ${cutName(target)}`;
        return {
          ...say`${cutName(shortStepName(profile, i))} took ${time('took', durationUs[i])}, ${ratio('times', durationUs[i] / median)} times the median of the ${count('alike', of)} ${cutName(stepText(profile, 'role', i) ?? '')} steps${where} (${time('median', median)}): ${part('work', durationUs[i], all)} of all work`,
          why: 'durations of steps of the same target, role and language',
          ...stepSubject(i, durationUs[i] / all, 'steps'),
        };
      });
  },
});
