// Fewer or more jobs at once than in the base.

import { buildUs } from '../../../analysis/answers/steps/steps.ts';
import { placesIn, stagesOf } from '../../../analysis/builds/stages.ts';
import { comparingRule } from '../../rule.ts';
import { count, say, time } from '../../say.ts';

/** A build that takes longer, or less, by this share. */
const LEAST_CHANGE = 0.05;

export const jobsDiffer = comparingRule({
  kind: 'steps',
  id: 'jobs-differ',
  question: 'Did the two builds have a different number of parallel jobs?',
  evidence: '-j of the build command, else the peak number of parallel jobs',
  threshold: '-j differs, or else the peaks differ by more than 25 %; the build takes at least 5 % more or less time',
  asks: ['steps'],
  find(e, before) {
    const [now, then] = [placesIn(stagesOf(e.analysis)), placesIn(stagesOf(before))];
    const [us, beforeUs] = [buildUs(e.analysis), buildUs(before)];
    const said = now.recorded && then.recorded;
    const differ = said ? now.places !== then.places : Math.abs(now.places - then.places) > Math.min(now.places, then.places) / 4;
    // More jobs make a build faster: a slower one has another cause.
    if (!differ || !(beforeUs > 0) || now.places > then.places !== us < beforeUs) return [];
    if (Math.abs(us / beforeUs - 1) < LEAST_CHANGE) return [];
    const [ours, theirs] = said
      ? [say`-j ${count('jobs', now.places)}`, say`-j ${count('jobsBefore', then.places)}`]
      : [count('jobs', now.places, 'parallel job'), count('jobsBefore', then.places)];
    return {
      ...say`The build ran with ${ours} instead of ${theirs}, and took ${time('now', us)} instead of ${time('before', beforeUs)}`,
      why: said ? '-j in the commands of both builds' : 'the peak number of parallel jobs in both builds',
      subject: 'jobs',
      target: { view: 'utilization', report: 'load' },
    };
  },
});
