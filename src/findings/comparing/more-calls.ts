// Routines that cost more, or less, because they are called more or less often.
import { callsBefore, callsScale } from '../../analysis/answers/compared/measure.ts';
import { comparingRule, type Evidence } from '../rule.ts';
import { cost, count, NOTHING, named, part, type Said, say } from '../say.ts';
import { byCalls, instead, isByCalls, LEAST_TEXT, largestOf, MOST_NAMED, stake, wholeBefore } from './delta.ts';
import { isInlined } from './inlined-into.ts';

interface CallerChange {
  readonly routine: number;
  readonly before: number;
  readonly now: number;
  /** More than half of the difference is its. */
  readonly isMost: boolean;
}

/** The caller whose calls have changed most. */
function mainChange({ analysis }: Evidence, routine: number, up: boolean): CallerChange | undefined {
  const { edges } = analysis;
  const before = edges.costs[callsBefore(analysis)];
  const scale = callsScale(analysis);
  let [best, most] = [-1, 0];
  for (let i = edges.into.from[routine]; i < edges.into.from[routine + 1]; i++) {
    const k = edges.into.order[i];
    const more = (edges.count[k] - before[k] * scale) * (up ? 1 : -1);
    if (more > most) [best, most] = [k, more];
  }
  if (best < 0) return undefined;
  const all = Math.abs(analysis.totals.calls[routine] - analysis.totals.inclusive[callsBefore(analysis)][routine] * scale);
  return { routine: edges.caller[best], before: before[best] * scale, now: edges.count[best], isMost: most > all / 2 };
}

function fromWhom({ profile }: Evidence, caller: CallerChange | undefined): Said {
  if (!caller) return NOTHING;
  const which = caller.isMost ? say`most of the difference from` : say`the most from`;
  return say`, ${which} ${named(profile, caller.routine)} (${count('callerBefore', caller.before)} before, ${count('callerNow', caller.now)} now)`;
}

/** A caller that makes no more calls than this part of those before may do the work itself. */
const FAR_FEWER = 0.5;

export const moreCalls = comparingRule({
  id: 'more-calls',
  question: 'What costs more because it is called more often, and from whom?',
  evidence: 'self cost and calls of the 200 routines that changed most, in both runs',
  threshold: `${LEAST_TEXT}; calls at the base's cost of one explain it to within a fifth`,
  asks: ['routines', 'self', 'calls', 'counts'],
  find(e) {
    const whole = wholeBefore(e);
    const { profile } = e.analysis;
    return largestOf(e, (d) => d.state === 'both' && isByCalls(d) && !isInlined(e, d.routine))
      .slice(0, MOST_NAMED)
      .map((d) => {
        const up = d.delta > 0;
        const caller = mainChange(e, d.routine, up);
        const isLost = !up && caller !== undefined && caller.now <= FAR_FEWER * caller.before;
        return {
          ...say`${named(profile, d.routine)} is called ${up ? 'more' : 'less'} often: ${count('calls', d.calls)} times, ${count('callsBefore', d.callsBefore)} in the base${fromWhom(e, caller)}; its self cost ${up ? 'rose' : 'fell'} from ${cost(e, 'before', d.before)} to ${cost(e, 'now', d.now)}, by ${part('delta', Math.abs(d.delta), whole)} of the base${isLost ? instead(e, caller.routine, false) : NOTHING}`,
          why: `its self cost in both runs; at the base's cost of a call, ${up ? 'more' : 'fewer'} calls make ${cost(e, '', Math.abs(byCalls(d))).text} of the difference of ${cost(e, '', Math.abs(d.delta)).text}`,
          ...stake(e, d),
          target: { view: 'calls', report: 'calls', routine: d.routine },
        };
      });
  },
});
