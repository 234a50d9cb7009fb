// Routines that were probably renamed.

import { measured } from '../../analysis/answers/compared/measure.ts';
import { offeredRenames } from '../../analysis/profiles/compare/offered.ts';
import { eventValue } from '../../model/event-value.ts';
import { comparingRule, ofRoutine } from '../rule.ts';
import { cost, named, say } from '../say.ts';
import { LEAST, MOST_NAMED, wholeBefore } from './delta.ts';

export const movedCost = comparingRule({
  id: 'moved-cost',
  question: 'Which routines were probably renamed?',
  evidence: 'routines that are gone and routines that are new, with nearly the same callers, callees and cost',
  threshold: 'a likely rename (the screen offers it, too); a self cost of at least 1 % of the base',
  asks: ['routines', 'self'],
  find(e) {
    const { analysis, profile, totals, event } = e;
    const whole = wholeBefore(e);
    const [at, was] = (['now', 'before'] as const).map((m) => measured(analysis, event, m));
    return offeredRenames(analysis)
      .map((offer) => ({
        ...offer,
        cost: eventValue(at, totals.self, offer.now),
        before: eventValue(was, totals.self, offer.gone),
      }))
      .filter((o) => Math.max(o.cost, o.before) >= LEAST * whole)
      .sort((a, b) => b.cost - a.cost)
      .slice(0, MOST_NAMED)
      .map((o) => ({
        ...say`${named(profile, o.gone)} was probably renamed to ${named(profile, o.now)}; the self cost is ${cost(e, 'now', o.cost)} instead of ${cost(e, 'before', o.before)}`,
        why: o.why,
        ...ofRoutine(o.now, Math.max(o.cost, o.before) / whole, 'routines', { report: 'changes' }),
        estimated: true,
      }));
  },
});
