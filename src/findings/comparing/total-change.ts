// How much the whole program costs more or less than in the base.
import type { Event } from '../../model/head.ts';
import { comparingRule, ofProfile } from '../rule.ts';
import { cost, eventName, part, say } from '../say.ts';
import { bothTotals } from './totals.ts';

/** Smaller shares would round to 0.00 %: the difference itself is said. */
const SMALLEST = 0.00005;

/** Costs that are numbers of things, not an amount of time or memory. */
const isCounted = ({ unit }: Event): boolean => unit === 'count' || unit === 'samples';

export const totalChange = comparingRule({
  id: 'total-change',
  question: 'Did the total change?',
  evidence: 'the totals of both runs',
  threshold: 'any difference that is more than chance',
  asks: ['routines', 'self'],
  find(e) {
    const { now, before, chance, among, unknown } = bothTotals(e);
    const delta = now - before;
    // The remains of transforms are not the program.
    if (e.analysis.profile.compared?.now.transformed || chance !== undefined || among || unknown) return [];
    if (!(before > 0) || delta === 0) return [];
    const more = delta > 0 ? 'more' : isCounted(e.event) ? 'fewer' : 'less';
    if (Math.abs(delta) < SMALLEST * before)
      return {
        ...say`Overall, ${cost(e, 'delta', Math.abs(delta))} ${more} ${eventName(e)} than the base (${cost(e, 'before', before)})`,
        why: 'the totals of both runs',
        ...ofProfile('totals'),
      };
    return {
      ...say`Overall, ${part('delta', Math.abs(delta), before)} ${more} ${eventName(e)} than the base: ${cost(e, 'now', now)} instead of ${cost(e, 'before', before)}`,
      why: 'the totals of both runs',
      ...ofProfile('totals'),
    };
  },
});
