// Routines whose calls cost more or less than in the base.
import { comparingRule } from '../rule.ts';
import { cost, count, NOTHING, named, part, say } from '../say.ts';
import { isByCalls, largest, stake, wholeBefore } from './delta.ts';

export const dearerCalls = comparingRule({
  id: 'dearer-calls',
  question: 'What costs more by itself than in the base?',
  evidence: 'self cost, and calls where they are counted, of the 200 routines that changed most, in both runs',
  threshold: 'a change of at least 1 % of the base that is not mostly one of calls; beyond noise',
  asks: ['routines', 'self'],
  find(e) {
    const whole = wholeBefore(e);
    const { profile } = e.analysis;
    return largest(e, (d) => d.state === 'both' && !isByCalls(d)).map((d) => {
      const up = d.delta > 0;
      const calls =
        d.calls > 0 && d.callsBefore > 0
          ? say`; ${cost(e, 'perCall', d.now / d.calls)} a call instead of ${cost(e, 'perCallBefore', d.before / d.callsBefore)}, in ${d.calls === d.callsBefore ? say`the same ${count('calls', d.calls, 'call')}` : say`${count('calls', d.calls, 'call')} instead of ${count('callsBefore', d.callsBefore)}`}`
          : NOTHING;
      return {
        ...say`${named(profile, d.routine)} costs ${up ? 'more' : 'less'} by itself: ${cost(e, 'now', d.now)} instead of ${cost(e, 'before', d.before)}, ${part('delta', Math.abs(d.delta), whole)} of the base${calls}`,
        why: 'its self cost in both runs',
        ...stake(e, d),
        target: e.analysis.costing.can.has('lines')
          ? { view: 'source', report: 'source', routine: d.routine }
          : { view: 'routines', report: 'changes', routine: d.routine },
      };
    });
  },
});
