// How much longer or shorter the build took than the base, in wall time and summed time.
import { totalJobUs } from '../../../columns/builds/times.ts';
import { viewSubject } from '../../rule.ts';
import { asShareOf, asTime, say } from '../../say.ts';
import { comparedWallTimes, makeWholeBuildsRule } from './whole-builds.ts';

/** Minimum change of the wall time for a finding. Smaller changes appear only in the title. */
const MIN_CHANGE = 0.05;

export const buildChangeRule = makeWholeBuildsRule({
  id: 'build-change',
  question: 'Did the build take longer or shorter than the base?',
  evidence: 'the wall times of both builds and the summed time of their steps',
  threshold: 'a change of the wall time of at least 5 %',
  find(e, before) {
    const { us, beforeUs, phases } = comparedWallTimes(e.analysis, before);
    const [work, workBefore] = [totalJobUs(e.analysis), totalJobUs(before)];
    const [wallBy, workBy] = [us - beforeUs, work - workBefore];
    if (!(beforeUs > 0) || !(workBefore > 0) || Math.abs(wallBy) < MIN_CHANGE * beforeUs) return [];
    const longer = wallBy > 0 ? 'longer' : 'shorter';
    const took = say`took ${asShareOf('wall', Math.abs(wallBy), beforeUs)} ${longer}: ${asTime('now', us)} instead of ${asTime('before', beforeUs)}`;
    const alone = (phases?.alone ?? []).flatMap((names, k) =>
      names.length === 0 ? [] : `${names.join(' and ')} ran ${k === 0 ? 'now' : 'in the base'} only`,
    );
    return {
      ...(phases
        ? say`The phases of both builds (${phases.both.join(', ')}) ${took}; ${alone.join(', ')}`
        : say`The build ${took}; its steps took ${asShareOf('work', Math.abs(workBy), workBefore)} ${workBy > 0 ? 'more' : 'less'} time together`),
      why: phases ? 'wall times of the phases that both builds have' : 'wall times of both builds; summed times of their steps',
      ...viewSubject('wall time', 'changes'),
      // The finding about the number of jobs explains the change and has the same times.
      covers: ['jobs'],
    };
  },
});
