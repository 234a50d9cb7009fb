// Routines whose cost changed because they are called more or less often.
import { callsBefore, callsScale } from '../../analysis/answers/compared/measure.ts';
import { rowsOfKey } from '../../model/column.ts';
import { type Evidence, makeComparingRule } from '../rule.ts';
import { asCost, asCount, asShareOf, EMPTY_PHRASE, fromToText, type Phrase, routineText, say } from '../say.ts';
import {
  baseTotal,
  callerSelfChangeText,
  changeByCalls,
  deltaSubject,
  isCausedByCalls,
  largestDeltas,
  THRESHOLD_TEXT,
} from './delta.ts';
import { isInlined } from './inlined-into.ts';

/** The caller whose number of calls changed most in the given direction. `isMost`: it makes more than half of the difference. */
function largestCallerChange({ analysis }: Evidence, routine: number, up: boolean) {
  const { edges } = analysis;
  const before = edges.costs[callsBefore(analysis)];
  const scale = callsScale(analysis);
  let [best, most] = [-1, 0];
  for (const k of rowsOfKey(edges.into, routine)) {
    const more = (edges.count[k] - before[k] * scale) * (up ? 1 : -1);
    if (more > most) [best, most] = [k, more];
  }
  if (best < 0) return undefined;
  const all = Math.abs(analysis.totals.calls[routine] - analysis.totals.inclusive[callsBefore(analysis)][routine] * scale);
  return { routine: edges.caller[best], before: before[best] * scale, now: edges.count[best], isMost: most > all / 2 };
}

function callerChangeText({ profile }: Evidence, caller: ReturnType<typeof largestCallerChange>): Phrase {
  if (!caller) return EMPTY_PHRASE;
  const which = caller.isMost ? 'most of the difference' : 'the largest part of the difference';
  return say`, ${which} from ${routineText(profile, caller.routine)} (${asCount('callerNow', caller.now)} instead of ${asCount('callerBefore', caller.before)})`;
}

const MAX_KEPT_CALL_SHARE = 0.5;

export const moreCallsRule = makeComparingRule({
  id: 'more-calls',
  question: 'Which routine costs more because it is called more often, and by whom?',
  evidence: 'self cost and calls of the 200 routines that changed most, in both runs',
  threshold: `${THRESHOLD_TEXT}; the change in calls, at the base's cost per call, explains it to within 20 %`,
  requires: ['routines', 'self', 'calls', 'counts'],
  find(e) {
    const whole = baseTotal(e);
    const { profile } = e;
    return largestDeltas(e, (d) => d.state === 'both' && isCausedByCalls(d) && !isInlined(e, d.routine)).map((d) => {
      const up = d.delta > 0;
      const caller = largestCallerChange(e, d.routine, up);
      const isLost = !up && caller !== undefined && caller.now <= MAX_KEPT_CALL_SHARE * caller.before;
      return {
        ...say`${routineText(profile, d.routine)} is called ${up ? 'more' : 'less'} often: ${asCount('calls', d.calls)} times instead of ${asCount('callsBefore', d.callsBefore)}${callerChangeText(e, caller)}; its self cost ${up ? 'rose' : 'fell'} ${fromToText(e, d.before, d.now)}, by ${asShareOf('delta', Math.abs(d.delta), whole)} of the base${isLost ? callerSelfChangeText(e, caller.routine, false) : EMPTY_PHRASE}`,
        why: `its self cost in both runs; at the base's cost per call, the ${up ? 'additional' : 'missing'} calls explain ${asCost(e, '', Math.abs(changeByCalls(d))).text} of the difference of ${asCost(e, '', Math.abs(d.delta)).text}`,
        ...deltaSubject(e, d),
        target: { view: 'calls', report: 'calls', routine: d.routine },
      };
    });
  },
});
