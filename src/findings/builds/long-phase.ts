// Phases of a build in which it makes nothing: loading and analysis of Bazel.
import { buildDurationUs, endUs, jobsOf, stepName, stepText, WHOLE } from '../../analysis/answers/steps/steps.ts';
import { buildRule, stepSubject } from '../rule.ts';
import { count, cutName, part, say, time } from '../say.ts';

const LEAST_US = 1e6;
const LEAST = 0.2;

export const longPhase = buildRule({
  id: 'long-phase',
  question: 'Does the build take long before it makes anything?',
  evidence: 'the phases that the build tool recorded, and the steps that began in them',
  threshold: 'a second or more and at least 20 % of the build, without a step but the fetching of repositories',
  requires: ['steps'],
  find({ analysis }) {
    const { profile } = analysis;
    const { steps } = profile;
    const whole = buildDurationUs(analysis);
    const jobs = jobsOf(analysis);
    const least = Math.max(LEAST_US, LEAST * whole);
    const phases = Array.from(steps.kind.keys()).filter(
      (i) => steps.kind[i] === WHOLE && steps.durationUs[i] >= least && stepText(profile, 'role', i) === 'phase',
    );
    return phases.flatMap((phase) => {
      const us = steps.durationUs[phase];
      const inside = jobs.filter((i) => steps.startUs[i] >= steps.startUs[phase] && steps.startUs[i] < endUs(steps, phase));
      if (inside.some((i) => stepText(profile, 'role', i) !== 'fetch')) return [];
      const longest = inside.reduce((best, i) => (best < 0 || steps.durationUs[i] > steps.durationUs[best] ? i : best), -1);
      const fetched =
        longest < 0
          ? ''
          : say`; it fetched ${count('fetched', inside.length, 'repository')}, the longest in ${time('longest', steps.durationUs[longest])}`;
      return {
        ...say`${cutName(stepName(profile, phase))} took ${time('took', us)}, ${part('share', us, whole)} of the build${fetched}`,
        why: 'phases that the build tool recorded',
        ...stepSubject(phase, us / whole, 'gantt'),
        subject: `phase ${phase}`,
      };
    });
  },
});
