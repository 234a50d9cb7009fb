// Link steps that take much of the work.
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { jobsOf, stepText } from '../../analysis/answers/steps/steps.ts';
import { totalJobUs } from '../../columns/builds/times.ts';
import { makeBuildRule, stepSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, say } from '../say.ts';

const MIN_WORK_SHARE = 0.1;

export const linkStepsRule = makeBuildRule({
  id: 'link-steps',
  question: 'How much of the work is linking?',
  evidence: 'the duration of the steps whose role is link; none where roles are guessed from the names of outputs',
  threshold: 'at least 10 % of all work',
  find({ analysis, profile }) {
    const { durationUs } = profile.steps;
    const links = jobsOf(analysis).filter((i) => stepText(profile, 'role', i) === 'link');
    if (links.length === 0 || profile.steps.guessesRoles) return [];
    const all = totalJobUs(analysis);
    const sum = links.reduce((s, i) => s + durationUs[i], 0);
    if (sum < MIN_WORK_SHARE * all) return [];
    const longest = links.reduce((best, i) => (durationUs[i] > durationUs[best] ? i : best), links[0]);
    return {
      ...say`${asCount('links', links.length, 'link step')} took ${asTime('us', sum)}, ${asShareOf('share', sum, all)} of all work; the longest, ${cutName(shortStepName(profile, longest))}, took ${asTime('longest', durationUs[longest])}`,
      why: 'durations of the steps that link',
      ...stepSubject(longest, sum / all, 'steps'),
      subject: 'links',
    };
  },
});
