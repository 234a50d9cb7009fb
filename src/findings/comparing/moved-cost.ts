// Routines that were probably renamed.

import { eventOfBothRuns } from '../../analysis/answers/compared/measure.ts';
import { findRenameOffers } from '../../analysis/profiles/compare/offered.ts';
import { eventValue } from '../../model/head.ts';
import { makeComparingRule, routineSubject } from '../rule.ts';
import { asCost, routineText, say } from '../say.ts';
import { baseTotal, MAX_NAMED, MIN_SHARE } from './delta.ts';

export const movedCostRule = makeComparingRule({
  id: 'moved-cost',
  question: 'Which routines were probably renamed?',
  evidence: 'routines that are gone and routines that are new, with nearly the same callers, callees and cost',
  threshold: 'a likely rename (the screen offers it, too); a self cost of at least 1 % of the base',
  find(e) {
    const { analysis, profile, totals, event } = e;
    const whole = baseTotal(e);
    const [at, was] = eventOfBothRuns(analysis, event);
    return findRenameOffers(analysis)
      .map((offer) => ({
        ...offer,
        cost: eventValue(at, totals.self, offer.now),
        before: eventValue(was, totals.self, offer.removed),
      }))
      .filter((o) => Math.max(o.cost, o.before) >= MIN_SHARE * whole)
      .sort((a, b) => b.cost - a.cost)
      .slice(0, MAX_NAMED)
      .map((o) => ({
        ...say`${routineText(profile, o.removed)} was probably renamed to ${routineText(profile, o.now)}; the self cost is ${asCost(e, 'now', o.cost)} instead of ${asCost(e, 'before', o.before)}`,
        why: o.why,
        ...routineSubject(o.now, Math.abs(o.cost - o.before) / whole, 'routines', { report: 'changes' }),
        sign: o.cost < o.before ? -1 : 1,
        estimated: true,
      }));
  },
});
