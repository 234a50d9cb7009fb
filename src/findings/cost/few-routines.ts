// The few routines that make up most of the cost.
import { rankingBySelf } from '../hottest.ts';
import { makeCostRule, routineSubject } from '../rule.ts';
import { asCount, asShare, eventName, joinWithAnd, routineText, say } from '../say.ts';
import { isLinker } from './code-names.ts';

/** Minimum share of the total that the named routines have together. */
const MIN_SHARE = 0.5;
const MIN_NAMED = 2;
const MAX_NAMED = 5;
/** Minimum number of routines in the profile, as a multiple of the named routines. */
const MIN_ROUTINES_FACTOR = 4;

export const fewRoutinesRule = makeCostRule({
  id: 'few-routines',
  question: 'Do a few routines make up most of the cost?',
  evidence: 'the self cost of all routines',
  threshold: `${MIN_NAMED} to ${MAX_NAMED} routines make up half of the cost, and the profile has at least ${MIN_ROUTINES_FACTOR} times as many routines`,
  requires: ['routines', 'self'],
  find(e) {
    const { analysis, event, whole } = e;
    const { value, order } = rankingBySelf(analysis, event);
    let routines = 0;
    for (let r = 0; r < value.length; r++) if (value[r] > 0) routines++;
    let [sum, k] = [0, 0];
    while (k < order.length && sum < MIN_SHARE * whole) sum += value[order[k++]];
    if (k < MIN_NAMED || k > MAX_NAMED || sum < MIN_SHARE * whole || routines < MIN_ROUTINES_FACTOR * k) return [];
    const few = Array.from(order.subarray(0, k));
    const names = joinWithAnd(
      few.map((r, i) => say`${routineText(analysis.profile, r)} (${asShare(e, `self${i + 1}`, value[r])})`),
    );
    return {
      ...say`${asCount('few', k)} of ${asCount('routines', routines, 'routine')} account for ${asShare(e, 'self', sum)} of ${eventName(e)}: ${names}`,
      why: 'sum of self costs, no double counting',
      ...routineSubject(order[0], sum / whole, 'routines'),
      subject: 'routines',
      // If all of them belong to the dynamic linker, the start-up finding has the same cause.
      covers: [...few.map((r) => `routine ${r}`), ...(few.every((r) => isLinker(analysis.profile, r)) ? ['start-up'] : [])],
    };
  },
});
