// Routines whose own code costs more or less than in the base.
import { atLine, comparingRule } from '../rule.ts';
import { ABOUT, cost, count, fromTo, NOTHING, named, part, placed, say } from '../say.ts';
import { changedLine, isByCalls, LEAST_TEXT, largest, stake, wholeBefore } from './delta.ts';
import { isInlined } from './inlined-into.ts';

/** A line that makes less of a change is not named: there is no one line. */
const HOT_LINE = 0.1;

export const dearerCalls = comparingRule({
  id: 'dearer-calls',
  question: 'Which routine has a higher self cost than in the base, and on which line?',
  evidence: 'self cost, lines, and calls where they are counted, of the 200 routines that changed most, in both runs',
  threshold: `${LEAST_TEXT}; not explained by the number of calls`,
  asks: ['routines', 'self'],
  find(e) {
    const whole = wholeBefore(e);
    const { profile } = e.analysis;
    return largest(e, (d) => d.state === 'both' && !isByCalls(d) && !isInlined(e, d.routine)).map((d) => {
      const calls =
        d.calls > 0 && d.callsBefore > 0 && (d.calls > 1 || d.callsBefore > 1)
          ? say`; ${cost(e, 'perCall', d.now / d.calls)} per call instead of ${cost(e, 'perCallBefore', d.before / d.callsBefore)}, in ${d.calls === d.callsBefore ? say`the same ${count('calls', d.calls, 'call')}` : say`${count('calls', d.calls, 'call')} instead of ${count('callsBefore', d.callsBefore)}`}`
          : NOTHING;
      const line = changedLine(e, d);
      const isHot = line !== undefined && line.value / d.delta >= HOT_LINE;
      const where = isHot
        ? say`; ${line.estimated ? ABOUT : ''}${cost(e, 'line', Math.abs(line.value))} ${d.delta > 0 ? 'more' : 'less'} at ${placed(line.file, line.line)}`
        : NOTHING;
      return {
        ...say`The self cost of ${named(profile, d.routine)} ${d.delta > 0 ? 'rose' : 'fell'} ${fromTo(e, d.before, d.now)}, by ${part('delta', Math.abs(d.delta), whole)} of the base${where}${calls}`,
        why: `its self cost in both runs${isHot && line.estimated ? '; lines are paired by place and cost because the base’s source was not read' : ''}`,
        ...stake(e, d),
        target: line ? atLine(d.routine, line.file, line.line) : { view: 'routines', report: 'changes', routine: d.routine },
      };
    });
  },
});
