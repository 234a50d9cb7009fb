// Tests that take most of the work of a build, and the longest of them.
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { stepText, workOf } from '../../analysis/answers/steps/steps.ts';
import { jobTotal } from '../../columns/builds/times.ts';
import { buildRule, ofStep } from '../rule.ts';
import { count, cutName, part, say, time } from '../say.ts';

const LEAST = 0.5;

export const testTime = buildRule({
  id: 'test-time',
  question: 'Do tests take most of the work, and which one takes longest?',
  evidence: 'the durations of tests and of all other steps',
  threshold: 'tests take at least half of all work, beside other steps',
  asks: ['steps'],
  find(e) {
    const { analysis, profile } = e;
    const { durationUs } = profile.steps;
    const work = workOf(analysis);
    const tests = work.filter((i) => stepText(profile, 'role', i) === 'test');
    const all = jobTotal(analysis);
    const sum = tests.reduce((us, i) => us + durationUs[i], 0);
    if (sum === 0 || tests.length === work.length || sum < LEAST * all) return [];
    const longest = tests.reduce((most, i) => (durationUs[i] > durationUs[most] ? i : most));
    return {
      ...say`${count('tests', tests.length, 'test')} took ${part('share', sum, all)} of all work (${time('took', sum)}); the longest, ${cutName(shortStepName(profile, longest))}, took ${time('longest', durationUs[longest])}`,
      why: 'durations of all steps',
      ...ofStep(longest, sum / all, 'steps'),
    };
  },
});
