// Fewer or more jobs at once than in the base.

import { mostSlotsOf, stagesOf } from '../../../analysis/builds/stages.ts';
import { viewSubject } from '../../rule.ts';
import { asCount, asTime, say } from '../../say.ts';
import { comparedWallTimes, makeWholeBuildsRule } from './whole-builds.ts';

/** Minimum change of the build time, as a share of the base. */
const MIN_CHANGE = 0.05;

export const jobsDifferRule = makeWholeBuildsRule({
  id: 'jobs-differ',
  question: 'Did the two builds have a different number of parallel jobs?',
  evidence: '-j of the build command, else the peak number of parallel jobs',
  threshold: '-j differs, or else the peaks differ by more than 25 %; the build takes at least 5 % more or less time',
  find(e, before) {
    const [now, then] = [mostSlotsOf(stagesOf(e.analysis)), mostSlotsOf(stagesOf(before))];
    const { us, beforeUs } = comparedWallTimes(e.analysis, before);
    const isRecorded = now.recorded && then.recorded;
    const differ = isRecorded
      ? now.places !== then.places
      : Math.abs(now.places - then.places) > Math.min(now.places, then.places) / 4;
    // More jobs make a build faster. If the build with more jobs is slower, the cause is another one.
    if (!differ || !(beforeUs > 0) || now.places > then.places !== us < beforeUs) return [];
    if (Math.abs(us / beforeUs - 1) < MIN_CHANGE) return [];
    const [ours, theirs] = isRecorded
      ? [say`-j ${asCount('jobs', now.places)}`, say`-j ${asCount('jobsBefore', then.places)}`]
      : [asCount('jobs', now.places, 'parallel job'), asCount('jobsBefore', then.places)];
    return {
      ...say`The build ran with ${ours} instead of ${theirs}, and took ${asTime('now', us)} instead of ${asTime('before', beforeUs)}`,
      why: isRecorded ? '-j in the commands of both builds' : 'the peak number of parallel jobs in both builds',
      ...viewSubject('jobs', 'utilization', { report: 'load' }),
    };
  },
});
