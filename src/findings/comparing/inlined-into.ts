// Functions that were inlined since the base: their cost moved to their callers.
import { eventOfBothRuns } from '../../analysis/answers/compared/measure.ts';
import { memo } from '../../base/lists.ts';
import { rowsOfKey } from '../../model/column.ts';
import { eventValue } from '../../model/head.ts';
import { type Evidence, makeComparingRule, routineSubject } from '../rule.ts';
import { asCost, fromToText, joinWithAnd, routineText, say } from '../say.ts';
import { baseTotal, type Delta, MAX_NAMED, reportableDeltas, THRESHOLD_TEXT } from './delta.ts';

/** Maximum share of calls left, maximum change of the callers' inclusive costs, minimum share of the lost cost they gained. */
const [MAX_CALLS_LEFT, MAX_INCLUSIVE_CHANGE, MIN_TAKEN_OVER_SHARE] = [0.5, 0.1, 0.5];

/**
 * Finds callers that took over a routine's self cost; undefined if they took too little, or their inclusive cost changed. `rise`: the summed
 * rise of their self costs.
 */
function findTakeover({ analysis, event }: Evidence, d: Delta) {
  const { edges, totals, costing } = analysis;
  if (!costing.can.has('calls') || !costing.can.has('inclusive')) return undefined;
  const [now, before] = eventOfBothRuns(analysis, event);
  const lost = d.before - d.now;
  let [rise, change] = [0, 0];
  const callers = new Set<number>();
  for (const k of rowsOfKey(edges.into, d.routine)) {
    const caller = edges.caller[k];
    if (caller === d.routine || callers.has(caller) || eventValue(before, edges.costs, k) <= 0) continue;
    const self = eventValue(now, totals.self, caller) - eventValue(before, totals.self, caller);
    if (self <= 0) continue;
    callers.add(caller);
    rise += self;
    change += Math.abs(eventValue(now, totals.inclusive, caller) - eventValue(before, totals.inclusive, caller));
  }
  // A far higher rise has another cause.
  return rise >= MIN_TAKEN_OVER_SHARE * lost && rise <= lost / MIN_TAKEN_OVER_SHARE && change <= MAX_INCLUSIVE_CHANGE * d.before
    ? { ...d, callers: [...callers], rise }
    : undefined;
}

const inlinedRoutines = memo((e: Evidence) => {
  const isCalledLess = ({ state, calls, callsBefore }: Delta) => state === 'gone' || calls <= MAX_CALLS_LEFT * callsBefore;
  return reportableDeltas(e, (d) => d.delta < 0 && isCalledLess(d)).flatMap((d) => findTakeover(e, d) ?? []);
}, 4);

/** Whether a routine was inlined, or took over the self cost of an inlined routine. */
export const isInlined = (e: Evidence, routine: number): boolean =>
  inlinedRoutines(e).some((d) => d.routine === routine || d.callers.includes(routine));

export const inlinedFunctionRule = makeComparingRule({
  id: 'inlined-into',
  question: 'Which functions were inlined into their callers?',
  evidence: 'routines that are gone or called at most half as often; the self and inclusive costs of their callers in both runs',
  threshold: `${THRESHOLD_TEXT}; the inclusive costs of the callers changed by at most a tenth of what the routine cost, and their self costs rose by half to twice of what it lost`,
  requires: ['routines', 'self', 'calls'],
  find(e) {
    const { profile } = e;
    const whole = baseTotal(e);
    return inlinedRoutines(e)
      .slice(0, MAX_NAMED)
      .map((d) => ({
        ...say`${routineText(profile, d.routine)} seems to be inlined into ${joinWithAnd(d.callers.slice(0, MAX_NAMED).map((r) => routineText(profile, r)))}${d.callers.length > MAX_NAMED ? ' and others' : ''}: its self cost fell ${fromToText(e, d.before, d.now)}, theirs rose by ${asCost(e, 'rise', d.rise)}, and their inclusive cost is about the same`,
        why: 'it is gone or called less, and the inclusive costs of its callers changed by at most a tenth of what it cost',
        ...routineSubject(d.routine, Math.abs(d.delta) / whole, 'calls', { report: 'changes' }),
        estimated: true,
      }));
  },
});
