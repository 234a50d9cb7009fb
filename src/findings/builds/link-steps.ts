// Link steps that take much of the work.
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { jobsOf, stepText } from '../../analysis/answers/steps/steps.ts';
import { totalJobUs } from '../../columns/builds/times.ts';
import { buildRule, stepSubject } from '../rule.ts';
import { count, cutName, part, say, time } from '../say.ts';

const LEAST = 0.1;

export const linkSteps = buildRule({
  id: 'link-steps',
  question: 'How much of the work is linking?',
  evidence: 'the duration of the steps whose role is link',
  threshold: 'at least 10 % of all work',
  requires: ['steps'],
  find(e) {
    const { analysis, profile } = e;
    const { durationUs } = profile.steps;
    const links = jobsOf(analysis).filter((i) => stepText(profile, 'role', i) === 'link');
    if (links.length === 0) return [];
    const all = totalJobUs(analysis);
    const sum = links.reduce((s, i) => s + durationUs[i], 0);
    if (sum < LEAST * all) return [];
    const longest = links.reduce((best, i) => (durationUs[i] > durationUs[best] ? i : best), links[0]);
    return {
      ...say`${count('links', links.length, 'link step')} took ${time('us', sum)}, ${part('share', sum, all)} of all work; the longest, ${cutName(shortStepName(profile, longest))}, took ${time('longest', durationUs[longest])}`,
      why: 'durations of the steps that link',
      ...stepSubject(longest, sum / all, 'steps'),
      subject: 'links',
    };
  },
});
