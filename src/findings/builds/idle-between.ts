// Idle time between the stages of a record, which is no part of the build.
import { buildDurationUs, stageSpansOf } from '../../analysis/answers/steps/steps.ts';
import { idleBetween } from '../../model/steps/stages.ts';
import { makeBuildRule } from '../rule.ts';
import { asTime, joinWithAnd, say } from '../say.ts';

const MIN_IDLE_US = 1e6;
const MIN_IDLE_SHARE = 0.05;
const MAX_NAMED_GAPS = 3;

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
    if (sum < MIN_IDLE_US || sum < MIN_IDLE_SHARE * whole) return [];
    const idleTexts = idle
      .slice(0, MAX_NAMED_GAPS)
      .map(
        (i, k) =>
          say`${asTime(`idle${k + 1}`, i.us)} ${i.after === i.before ? say`between two stages of ${i.after}` : say`between ${i.after} and ${i.before}`}`,
      );
    return {
      ...say`The build was idle for ${joinWithAnd(idleTexts)}; its duration of ${asTime('whole', whole)} excludes this`,
      why: 'starts and ends of the stages in the record',
      subject: 'idle',
      target: { view: 'gantt', report: 'gantt' },
    };
  },
});
