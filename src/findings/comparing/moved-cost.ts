// Routines that were probably renamed.

import { eventInMeasure } from '../../analysis/answers/compared/measure.ts';
import { findRenameOffers } from '../../analysis/profiles/compare/offered.ts';
import { eventValue } from '../../model/event-value.ts';
import { comparingRule, routineSubject } from '../rule.ts';
import { cost, routineText, say } from '../say.ts';
import { MIN_SHARE, MOST_NAMED, wholeBefore } from './delta.ts';

export const movedCost = comparingRule({
  id: 'moved-cost',
  question: 'Which routines were probably renamed?',
  evidence: 'routines that are gone and routines that are new, with nearly the same callers, callees and cost',
  threshold: 'a likely rename (the screen offers it, too); a self cost of at least 1 % of the base',
  requires: ['routines', 'self'],
  find(e) {
    const { analysis, profile, totals, event } = e;
    const whole = wholeBefore(e);
    const [at, was] = (['now', 'before'] as const).map((m) => eventInMeasure(analysis, event, m));
    return findRenameOffers(analysis)
      .map((offer) => ({
        ...offer,
        cost: eventValue(at, totals.self, offer.now),
        before: eventValue(was, totals.self, offer.removed),
      }))
      .filter((o) => Math.max(o.cost, o.before) >= MIN_SHARE * whole)
      .sort((a, b) => b.cost - a.cost)
      .slice(0, MOST_NAMED)
      .map((o) => ({
        ...say`${routineText(profile, o.removed)} was probably renamed to ${routineText(profile, o.now)}; the self cost is ${cost(e, 'now', o.cost)} instead of ${cost(e, 'before', o.before)}`,
        why: o.why,
        ...routineSubject(o.now, Math.max(o.cost, o.before) / whole, 'routines', { report: 'changes' }),
        estimated: true,
      }));
  },
});
