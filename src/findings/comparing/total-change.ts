// The change of the program's total cost.
import type { Event } from '../../model/head.ts';
import { comparingRule, profileSubject } from '../rule.ts';
import { cost, eventName, part, say } from '../say.ts';
import { bothTotals } from './totals.ts';

/** Smaller shares would round to 0.00 %, so the difference itself is given. */
const SMALLEST = 0.00005;

/** Costs that are numbers of things, not an amount of time or memory. */
const isCounted = ({ unit }: Event): boolean => unit === 'count' || unit === 'samples';

export const totalChange = comparingRule({
  id: 'total-change',
  question: 'Did the total change?',
  evidence: 'the totals of both runs',
  threshold: 'any difference that is more than chance',
  requires: ['routines', 'self'],
  find(e) {
    const { now, before, chance, ofBaseRuns, unknown } = bothTotals(e);
    const delta = now - before;
    // After transforms, the rest is not the whole program.
    if (e.analysis.profile.compared?.now.transformed || chance !== undefined || ofBaseRuns || unknown) return [];
    if (!(before > 0) || delta === 0) return [];
    const more = delta > 0 ? 'more' : isCounted(e.event) ? 'fewer' : 'less';
    if (Math.abs(delta) < SMALLEST * before)
      return {
        ...say`Overall, ${cost(e, 'delta', Math.abs(delta))} ${more} ${eventName(e)} than the base (${cost(e, 'before', before)})`,
        why: 'the totals of both runs',
        ...profileSubject('totals'),
      };
    return {
      ...say`Overall, ${part('delta', Math.abs(delta), before)} ${more} ${eventName(e)} than the base: ${cost(e, 'now', now)} instead of ${cost(e, 'before', before)}`,
      why: 'the totals of both runs',
      ...profileSubject('totals'),
    };
  },
});
