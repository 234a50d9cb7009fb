// Routines whose cost changed because they are called more or less often.
import { callsBefore, callsScale } from '../../analysis/answers/compared/measure.ts';
import { comparingRule, type Evidence } from '../rule.ts';
import { cost, count, fromTo, NOTHING, part, routineText, type Said, say } from '../say.ts';
import {
  callerSelfChangeText,
  changeByCalls,
  isCausedByCalls,
  largestDeltas,
  shareOfDelta,
  THRESHOLD_TEXT,
  wholeBefore,
} from './delta.ts';
import { isInlined } from './inlined-into.ts';

interface CallerChange {
  readonly routine: number;
  readonly before: number;
  readonly now: number;
  /** The caller makes more than half of the difference. */
  readonly isMost: boolean;
}

/** The caller with the largest change of calls in the given direction. */
function largestCallerChange({ analysis }: Evidence, routine: number, up: boolean): CallerChange | undefined {
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

function callerChangeText({ profile }: Evidence, caller: CallerChange | undefined): Said {
  if (!caller) return NOTHING;
  const which = caller.isMost ? 'most of the difference' : 'the largest part of the difference';
  return say`, ${which} from ${routineText(profile, caller.routine)} (${count('callerNow', caller.now)} instead of ${count('callerBefore', caller.before)})`;
}

/** A caller with at most this share of its former calls may do the work itself. */
const FAR_FEWER = 0.5;

export const moreCalls = comparingRule({
  id: 'more-calls',
  question: 'Which routine costs more because it is called more often, and by whom?',
  evidence: 'self cost and calls of the 200 routines that changed most, in both runs',
  threshold: `${THRESHOLD_TEXT}; the change in calls, at the base's cost per call, explains it to within 20 %`,
  requires: ['routines', 'self', 'calls', 'counts'],
  find(e) {
    const whole = wholeBefore(e);
    const { profile } = e.analysis;
    return largestDeltas(e, (d) => d.state === 'both' && isCausedByCalls(d) && !isInlined(e, d.routine)).map((d) => {
      const up = d.delta > 0;
      const caller = largestCallerChange(e, d.routine, up);
      const isLost = !up && caller !== undefined && caller.now <= FAR_FEWER * caller.before;
      return {
        ...say`${routineText(profile, d.routine)} is called ${up ? 'more' : 'less'} often: ${count('calls', d.calls)} times instead of ${count('callsBefore', d.callsBefore)}${callerChangeText(e, caller)}; its self cost ${up ? 'rose' : 'fell'} ${fromTo(e, d.before, d.now)}, by ${part('delta', Math.abs(d.delta), whole)} of the base${isLost ? callerSelfChangeText(e, caller.routine, false) : NOTHING}`,
        why: `its self cost in both runs; at the base's cost per call, the ${up ? 'additional' : 'missing'} calls explain ${cost(e, '', Math.abs(changeByCalls(d))).text} of the difference of ${cost(e, '', Math.abs(d.delta)).text}`,
        ...shareOfDelta(e, d),
        target: { view: 'calls', report: 'calls', routine: d.routine },
      };
    });
  },
});
