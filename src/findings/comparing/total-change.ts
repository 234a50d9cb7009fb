// The change of the program's total cost.
import type { Event } from '../../model/head.ts';
import { makeComparingRule, profileSubject } from '../rule.ts';
import { asCost, asShareOf, eventName, say } from '../say.ts';
import { bothTotals } from './totals.ts';

/** Minimum share that is written as a percentage. A smaller one would round to 0.00 %, so the difference itself is given. */
const MIN_PRINTABLE_SHARE = 0.00005;

/** Whether costs count things, such as calls, instead of time or memory. */
const isCounted = ({ unit }: Event): boolean => unit === 'count' || unit === 'samples';

export const totalChangeRule = makeComparingRule({
  id: 'total-change',
  question: 'Did the total change?',
  evidence: 'the totals of both runs',
  threshold: 'any difference that is more than chance',
  requires: ['routines', 'self'],
  find(e) {
    const { now, before, chance, ofBaseRuns, unknown } = bothTotals(e);
    const delta = now - before;
    // After transforms, the total is not that of the whole program.
    if (e.analysis.profile.compared?.now.transformed || chance !== undefined || ofBaseRuns || unknown) return [];
    if (!(before > 0) || delta === 0) return [];
    const more = delta > 0 ? 'more' : isCounted(e.event) ? 'fewer' : 'less';
    const sentence =
      Math.abs(delta) < MIN_PRINTABLE_SHARE * before
        ? say`Overall, ${asCost(e, 'delta', Math.abs(delta))} ${more} ${eventName(e)} than the base (${asCost(e, 'before', before)})`
        : say`Overall, ${asShareOf('delta', Math.abs(delta), before)} ${more} ${eventName(e)} than the base: ${asCost(e, 'now', now)} instead of ${asCost(e, 'before', before)}`;
    // The title line has both totals: what changed them comes first.
    return { ...sentence, why: 'the totals of both runs', isNote: true, ...profileSubject('totals') };
  },
});
