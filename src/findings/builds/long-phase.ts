// Phases of a build in which it makes nothing: loading and analysis of Bazel.
import { buildDurationUs, endUs, jobsOf, stepName, stepText } from '../../analysis/answers/steps/steps.ts';
import { WHOLE_KIND } from '../../model/steps/tables.ts';
import { makeBuildRule, stepSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, say } from '../say.ts';

const MIN_PHASE_US = 1e6;
const MIN_BUILD_SHARE = 0.2;

export const longPhaseRule = makeBuildRule({
  id: 'long-phase',
  question: 'Does the build take long before it makes anything?',
  evidence: 'the phases that the build tool recorded, and the steps that began in them',
  threshold: 'a second or more and at least 20 % of the build, without a step but the fetching of repositories',
  find({ analysis, profile }) {
    const { steps } = profile;
    const whole = buildDurationUs(analysis);
    const jobs = jobsOf(analysis);
    const least = Math.max(MIN_PHASE_US, MIN_BUILD_SHARE * whole);
    const phases = Array.from(steps.kind.keys()).filter(
      (i) => steps.kind[i] === WHOLE_KIND && steps.durationUs[i] >= least && stepText(profile, 'role', i) === 'phase',
    );
    return phases.flatMap((phase) => {
      const us = steps.durationUs[phase];
      const inside = jobs.filter((i) => steps.startUs[i] >= steps.startUs[phase] && steps.startUs[i] < endUs(steps, phase));
      if (inside.some((i) => stepText(profile, 'role', i) !== 'fetch')) return [];
      const longest = inside.reduce((best, i) => (best < 0 || steps.durationUs[i] > steps.durationUs[best] ? i : best), -1);
      const fetched =
        longest < 0
          ? ''
          : say`; it fetched ${asCount('fetched', inside.length, 'repository')}, the longest in ${asTime('longest', steps.durationUs[longest])}`;
      return {
        ...say`${cutName(stepName(profile, phase))} took ${asTime('took', us)}, ${asShareOf('share', us, whole)} of the build${fetched}`,
        why: 'phases that the build tool recorded',
        ...stepSubject(phase, us / whole, 'gantt'),
        subject: `phase ${phase}`,
      };
    });
  },
});
