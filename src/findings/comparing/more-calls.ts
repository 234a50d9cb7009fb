// Routines that cost more, or less, because they are called more or less often.
import { callsBefore, callsScale } from '../../analysis/answers/compared/measure.ts';
import { comparingRule, type Evidence } from '../rule.ts';
import { cost, count, NOTHING, named, part, type Said, say } from '../say.ts';
import { byCalls, isByCalls, LEAST_TEXT, largest, stake, wholeBefore } from './delta.ts';

/** The caller whose calls have changed most. */
function fromWhom({ analysis }: Evidence, routine: number, up: boolean): Said {
  const { edges, profile } = analysis;
  const before = edges.costs[callsBefore(analysis)];
  const scale = callsScale(analysis);
  let [best, most] = [-1, 0];
  for (let i = edges.into.from[routine]; i < edges.into.from[routine + 1]; i++) {
    const k = edges.into.order[i];
    const more = (edges.count[k] - before[k] * scale) * (up ? 1 : -1);
    if (more > most) [best, most] = [k, more];
  }
  if (best < 0) return NOTHING;
  const all = Math.abs(analysis.totals.calls[routine] - analysis.totals.inclusive[callsBefore(analysis)][routine] * scale);
  const which = most > all / 2 ? say`most of the difference from` : say`the most from`;
  return say`, ${which} ${named(profile, edges.caller[best])} (${count('callerBefore', before[best] * scale)} before, ${count('callerNow', edges.count[best])} now)`;
}

export const moreCalls = comparingRule({
  id: 'more-calls',
  question: 'What costs more because it is called more often, and from whom?',
  evidence: 'self cost and calls of the 200 routines that changed most, in both runs',
  threshold: `${LEAST_TEXT}; calls at the base's cost of one explain it to within a fifth`,
  asks: ['routines', 'self', 'calls', 'counts'],
  find(e) {
    const whole = wholeBefore(e);
    const { profile } = e.analysis;
    return largest(e, (d) => d.state === 'both' && isByCalls(d)).map((d) => {
      const up = d.delta > 0;
      return {
        ...say`${named(profile, d.routine)} is called ${up ? 'more' : 'less'} often: ${count('calls', d.calls)} times, ${count('callsBefore', d.callsBefore)} in the base${fromWhom(e, d.routine, up)}; its self cost ${up ? 'rose' : 'fell'} from ${cost(e, 'before', d.before)} to ${cost(e, 'now', d.now)}, by ${part('delta', Math.abs(d.delta), whole)} of the base`,
        why: `its self cost in both runs; at the base's cost of a call, ${up ? 'more' : 'fewer'} calls make ${cost(e, '', Math.abs(byCalls(d))).text} of the difference of ${cost(e, '', Math.abs(d.delta)).text}`,
        ...stake(e, d),
        target: { view: 'calls', report: 'calls', routine: d.routine },
      };
    });
  },
});
