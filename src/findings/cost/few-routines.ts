// The few routines that make up most of the cost.
import { rankingBySelf } from '../hottest.ts';
import { costRule, routineSubject } from '../rule.ts';
import { count, eventName, listed, routineText, say, share } from '../say.ts';
import { isLinker } from './code-names.ts';

/** Minimum share of the named routines together. */
const MOST = 0.5;
const FEWEST = 2;
const MOST_NAMED = 5;
/** The profile must have at least this many times as many routines. */
const MIN_ROUTINES_FACTOR = 4;

export const fewRoutines = costRule({
  id: 'few-routines',
  question: 'Do a few routines make up most of the cost?',
  evidence: 'the self cost of all routines',
  threshold: `${FEWEST} to ${MOST_NAMED} routines make up half of the cost, and the profile has at least ${MIN_ROUTINES_FACTOR} times as many routines`,
  requires: ['routines', 'self'],
  find(e) {
    const { analysis, event, whole } = e;
    const { value, order } = rankingBySelf(analysis, event);
    let routines = 0;
    for (let r = 0; r < value.length; r++) if (value[r] > 0) routines++;
    let [sum, k] = [0, 0];
    while (k < order.length && sum < MOST * whole) sum += value[order[k++]];
    if (k < FEWEST || k > MOST_NAMED || sum < MOST * whole || routines < MIN_ROUTINES_FACTOR * k) return [];
    const few = Array.from(order.subarray(0, k));
    const names = listed(few.map((r, i) => say`${routineText(analysis.profile, r)} (${share(e, `self${i + 1}`, value[r])})`));
    return {
      ...say`${count('few', k)} of ${count('routines', routines, 'routine')} account for ${share(e, 'self', sum)} of ${eventName(e)}: ${names}`,
      why: 'sum of self costs, no double counting',
      ...routineSubject(order[0], sum / whole, 'routines'),
      subject: 'routines',
      // If all of them belong to the dynamic linker, the start-up finding has the same cause.
      covers: [...few.map((r) => `routine ${r}`), ...(few.every((r) => isLinker(analysis.profile, r)) ? ['start-up'] : [])],
    };
  },
});
