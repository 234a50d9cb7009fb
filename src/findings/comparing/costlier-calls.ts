// Routines with a higher or lower self cost than in the base, not explained by the number of calls.
import { lineTarget, makeComparingRule } from '../rule.ts';
import { APPROX_MARK, asCost, asCount, asShareOf, EMPTY_PHRASE, fromToText, locationText, routineText, say } from '../say.ts';
import { baseTotal, changedLine, deltaSubject, isCausedByCalls, largestDeltas, THRESHOLD_TEXT } from './delta.ts';
import { isInlined } from './inlined-into.ts';

const MIN_LINE_SHARE = 0.1;

export const costlierCallsRule = makeComparingRule({
  id: 'costlier-calls',
  question: 'Which routine has a higher self cost than in the base, and on which line?',
  evidence: 'self cost, lines, and calls where they are counted, of the 200 routines that changed most, in both runs',
  threshold: `${THRESHOLD_TEXT}; not explained by the number of calls`,
  find(e) {
    const whole = baseTotal(e);
    const { profile } = e;
    const { costing } = e.analysis;
    const hasLines = (routine: number) => costing.can.has('lines') && costing.lines({ routine }).line.some((line) => line > 0);
    return largestDeltas(e, (d) => d.state === 'both' && !isCausedByCalls(d) && !isInlined(e, d.routine)).map((d) => {
      const calls =
        d.calls > 0 && d.callsBefore > 0 && (d.calls > 1 || d.callsBefore > 1)
          ? say`; ${asCost(e, 'perCall', d.now / d.calls)} per call instead of ${asCost(e, 'perCallBefore', d.before / d.callsBefore)}, in ${d.calls === d.callsBefore ? say`the same ${asCount('calls', d.calls, 'call')}` : say`${asCount('calls', d.calls, 'call')} instead of ${asCount('callsBefore', d.callsBefore)}`}`
          : EMPTY_PHRASE;
      const line = changedLine(e, d);
      const [view, report] = line || hasLines(d.routine) ? ['source', 'source'] : ['routines', 'changes'];
      const share = line === undefined ? 0 : line.value / d.delta;
      // A line without a counterpart in the base may be another line that moved.
      const isHot = line !== undefined && share >= MIN_LINE_SHARE && !(line.estimated && share > 1);
      const where = isHot
        ? say`; ${line.estimated ? APPROX_MARK : ''}${asCost(e, 'line', Math.abs(line.value))} ${d.delta > 0 ? 'more' : 'less'} at ${locationText(line.file, line.line)}`
        : EMPTY_PHRASE;
      return {
        ...say`The self cost of ${routineText(profile, d.routine)} ${d.delta > 0 ? 'rose' : 'fell'} ${fromToText(e, d.before, d.now)}, by ${asShareOf('delta', Math.abs(d.delta), whole)} of the base${where}${calls}`,
        why: `its self cost in both runs${isHot && line.estimated ? '; lines are paired by place and cost because the base’s source was not read' : ''}`,
        ...deltaSubject(e, d),
        target: line ? lineTarget(d.routine, line.file, line.line) : { view, report, routine: d.routine },
      };
    });
  },
});
