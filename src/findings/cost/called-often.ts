// Routines that are expensive because they are called often, and their callers.
import { callsCallerText, isRecursive } from '../calls.ts';
import { rankingBySelf } from '../hottest.ts';
import { makeCostRule, routineSubject } from '../rule.ts';
import { asCost, asCount, asShare, EMPTY_PHRASE, eventName, routineText, say } from '../say.ts';
import { hotRoutines, isCalledOften, MANY_CALLS_TEXT } from './often.ts';

export const calledOftenRule = makeCostRule({
  id: 'called-often',
  question: 'Which routine is expensive because it is called often, and by whom?',
  evidence:
    'its self cost and calls, the calls from each caller, the line that makes most of them, and jumps back over it where they are recorded',
  threshold: `a self cost of at least 5 %; ${MANY_CALLS_TEXT}`,
  requires: ['routines', 'self', 'calls', 'counts'],
  find(e) {
    const { analysis, profile, totals, event, whole } = e;
    const { value } = rankingBySelf(analysis, event);
    return hotRoutines(e)
      .filter((r) => isCalledOften(e, r) && !isRecursive(e, r))
      .map((r) => {
        const calls = totals.calls[r];
        const whom = callsCallerText(e, r);
        const from = whom === EMPTY_PHRASE ? whom : say`; ${whom}`;
        return {
          ...say`${routineText(profile, r)} takes ${asShare(e, 'self', value[r])} of ${eventName(e)} because it is called often: ${asCount('calls', calls, 'call')} of ${asCost(e, 'selfPerCall', value[r] / calls)} each${from}`,
          why: 'recorded calls and self cost',
          ...routineSubject(r, value[r] / whole),
        };
      });
  },
});
