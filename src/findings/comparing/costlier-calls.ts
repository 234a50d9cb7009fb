// Routines with a higher or lower self cost than in the base, not explained by the number of calls.
import { comparingRule, lineTarget } from '../rule.ts';
import { APPROX_MARK, cost, count, fromTo, locationText, NOTHING, part, routineText, say } from '../say.ts';
import { changedLine, isCausedByCalls, largestDeltas, shareOfDelta, THRESHOLD_TEXT, wholeBefore } from './delta.ts';
import { isInlined } from './inlined-into.ts';

/** Minimum share of the change for a line to be named. */
const HOT_LINE = 0.1;

export const costlierCalls = comparingRule({
  id: 'costlier-calls',
  question: 'Which routine has a higher self cost than in the base, and on which line?',
  evidence: 'self cost, lines, and calls where they are counted, of the 200 routines that changed most, in both runs',
  threshold: `${THRESHOLD_TEXT}; not explained by the number of calls`,
  requires: ['routines', 'self'],
  find(e) {
    const whole = wholeBefore(e);
    const { profile } = e.analysis;
    return largestDeltas(e, (d) => d.state === 'both' && !isCausedByCalls(d) && !isInlined(e, d.routine)).map((d) => {
      const calls =
        d.calls > 0 && d.callsBefore > 0 && (d.calls > 1 || d.callsBefore > 1)
          ? say`; ${cost(e, 'perCall', d.now / d.calls)} per call instead of ${cost(e, 'perCallBefore', d.before / d.callsBefore)}, in ${d.calls === d.callsBefore ? say`the same ${count('calls', d.calls, 'call')}` : say`${count('calls', d.calls, 'call')} instead of ${count('callsBefore', d.callsBefore)}`}`
          : NOTHING;
      const line = changedLine(e, d);
      const isHot = line !== undefined && line.value / d.delta >= HOT_LINE;
      const where = isHot
        ? say`; ${line.estimated ? APPROX_MARK : ''}${cost(e, 'line', Math.abs(line.value))} ${d.delta > 0 ? 'more' : 'less'} at ${locationText(line.file, line.line)}`
        : NOTHING;
      return {
        ...say`The self cost of ${routineText(profile, d.routine)} ${d.delta > 0 ? 'rose' : 'fell'} ${fromTo(e, d.before, d.now)}, by ${part('delta', Math.abs(d.delta), whole)} of the base${where}${calls}`,
        why: `its self cost in both runs${isHot && line.estimated ? '; lines are paired by place and cost because the base’s source was not read' : ''}`,
        ...shareOfDelta(e, d),
        target: line ? lineTarget(d.routine, line.file, line.line) : { view: 'routines', report: 'changes', routine: d.routine },
      };
    });
  },
});
