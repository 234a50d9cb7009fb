// Idle time between the stages of a record, which is no part of the build.
import { buildDurationUs, stageSpansOf } from '../../analysis/answers/steps/steps.ts';
import { idleBetween } from '../../model/steps/stages.ts';
import { buildRule } from '../rule.ts';
import { listed, say, time } from '../say.ts';

const LEAST_US = 1e6;
const LEAST = 0.05;
const MOST_NAMED = 3;

export const idleBetweenStages = buildRule({
  id: 'idle-between',
  question: 'Was the build idle between its stages?',
  evidence: 'the spans of configure, build, test and install in the record',
  threshold: 'a second or more, and at least 5 % of the stages',
  onlyNotes: true,
  requires: ['steps'],
  find({ analysis }) {
    const whole = buildDurationUs(analysis);
    const idle = idleBetween(stageSpansOf(analysis)).sort((a, b) => b.us - a.us);
    const sum = idle.reduce((us, i) => us + i.us, 0);
    if (sum < LEAST_US || sum < LEAST * whole) return [];
    const idleTexts = idle
      .slice(0, MOST_NAMED)
      .map(
        (i, k) =>
          say`${time(`idle${k + 1}`, i.us)} ${i.after === i.before ? say`between two stages of ${i.after}` : say`between ${i.after} and ${i.before}`}`,
      );
    return {
      ...say`The build was idle for ${listed(idleTexts)}; its duration of ${time('whole', whole)} excludes this`,
      why: 'starts and ends of the stages in the record',
      subject: 'idle',
      target: { view: 'gantt', report: 'gantt' },
    };
  },
});
