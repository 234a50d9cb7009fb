// Idle time between the stages of a record, which is no part of the build.

import { buildDurationUs, stageSpansOf } from '../../analysis/answers/steps/steps.ts';
import { hasAllSteps } from '../../analysis/builds/needs.ts';
import { idleBetween } from '../../model/steps/stages.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asTime, firstNames, say } from '../say.ts';

const MIN_IDLE_US = 1e6;
const MIN_IDLE_SHARE = 0.05;

export const idleBetweenStagesRule = makeBuildRule({
  id: 'idle-between',
  question: 'Was the build idle between its stages?',
  evidence: 'the spans of configure, build, test and install in the record',
  threshold: 'a second or more, and at least 5 % of the stages',
  onlyNotes: true,
  find({ analysis }) {
    const whole = buildDurationUs(analysis);
    const idle = idleBetween(stageSpansOf(analysis)).sort((a, b) => b.us - a.us);
    const sum = idle.reduce((us, i) => us + i.us, 0);
    if (!hasAllSteps(analysis) || sum < MIN_IDLE_US || sum < MIN_IDLE_SHARE * whole) return [];
    const nameGap = ({ us, after, before }: (typeof idle)[number], k: number) =>
      say`${asTime(`idle${k + 1}`, us)} ${after === before ? say`between two stages of ${after}` : say`between ${after} and ${before}`}`;
    return {
      ...say`The build was idle for ${firstNames(idle, nameGap, '')}; its duration of ${asTime('whole', whole)} excludes this`,
      why: 'starts and ends of the stages in the record',
      ...viewSubject('idle', 'gantt'),
    };
  },
});
