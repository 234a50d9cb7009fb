// How much the whole program costs more or less than in the base.
import { comparingRule, ofProfile } from '../rule.ts';
import { cost, eventName, part, say } from '../say.ts';
import { bothTotals } from './totals.ts';

/** Smaller shares would round to 0.00 %: the difference itself is said. */
const SMALLEST = 0.00005;

export const totalChange = comparingRule({
  id: 'total-change',
  question: 'Does the program cost more or less than in the base?',
  evidence: 'the totals of both runs',
  threshold: 'any difference that is more than chance',
  asks: ['routines', 'self'],
  find(e) {
    const { now, before, chance, among, unknown } = bothTotals(e);
    const delta = now - before;
    // The remains of transforms are not the program.
    if (e.analysis.profile.compared?.now.transformed || chance !== undefined || among || unknown) return [];
    if (!(before > 0) || delta === 0) return [];
    if (Math.abs(delta) < SMALLEST * before)
      return {
        ...say`Overall, the program costs ${cost(e, 'delta', Math.abs(delta))} ${delta > 0 ? 'more' : 'less'} ${eventName(e)} than in the base, of ${cost(e, 'before', before)}`,
        why: 'the totals of both runs',
        ...ofProfile('totals'),
      };
    return {
      ...say`Overall, the program costs ${part('delta', Math.abs(delta), before)} ${delta > 0 ? 'more' : 'less'} ${eventName(e)} than in the base: ${cost(e, 'now', now)} instead of ${cost(e, 'before', before)}`,
      why: 'the totals of both runs',
      ...ofProfile('totals'),
    };
  },
});
