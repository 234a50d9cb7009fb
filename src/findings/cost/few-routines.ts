// The few routines that make up most of the cost.
import { bySelf } from '../hottest.ts';
import { costRule, ofRoutine } from '../rule.ts';
import { count, eventName, listed, named, say, share } from '../say.ts';
import { isLinker } from './code-names.ts';

/** The routines named make at least this share. */
const MOST = 0.5;
const FEWEST = 2;
const MOST_NAMED = 5;
/** There are at least so many times as many routines. */
const OF = 4;

export const fewRoutines = costRule({
  id: 'few-routines',
  question: 'Do a few routines make up most of the cost?',
  evidence: 'the self cost of all routines',
  threshold: `${FEWEST} to ${MOST_NAMED} routines make up half of the cost, and the profile has at least ${OF} times as many routines`,
  asks: ['routines', 'self'],
  find(e) {
    const { analysis, event, whole } = e;
    const { value, order } = bySelf(analysis, event);
    let routines = 0;
    for (let r = 0; r < value.length; r++) if (value[r] > 0) routines++;
    let [sum, k] = [0, 0];
    while (k < order.length && sum < MOST * whole) sum += value[order[k++]];
    if (k < FEWEST || k > MOST_NAMED || sum < MOST * whole || routines < OF * k) return [];
    const few = Array.from(order.subarray(0, k));
    const names = listed(few.map((r, i) => say`${named(analysis.profile, r)} (${share(e, `self${i + 1}`, value[r])})`));
    return {
      ...say`${count('few', k)} of ${count('routines', routines, 'routine')} account for ${share(e, 'self', sum)} of ${eventName(e)}: ${names}`,
      why: 'sum of self costs, no double counting',
      ...ofRoutine(order[0], sum / whole, 'routines'),
      subject: 'routines',
      // All of the dynamic linker: what start-up says has the same cause.
      covers: [...few.map((r) => `routine ${r}`), ...(few.every((r) => isLinker(analysis.profile, r)) ? ['start-up'] : [])],
    };
  },
});
