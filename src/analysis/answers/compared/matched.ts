// Computes how much of each run's cost every matching step matched.
import { memo } from '../../../base/memo.ts';
import { eventValue } from '../../../model/event-value.ts';
import { MATCH_KINDS } from '../../../model/profile.ts';
import type { Analysis } from '../analysis.ts';
import { eventOfBothRuns } from './measure.ts';

/**
 * The matching steps that matched anything, in order, with the number and the self cost of the routines; `none` is everything new or removed.
 */
export const matchedCosts = memo((analysis: Analysis) => {
  const { compared } = analysis.profile;
  const [event] = analysis.events;
  if (!compared || !event) return [];
  const { self } = analysis.totals;
  const [now, before] = eventOfBothRuns(analysis, event);
  const out = MATCH_KINDS.map((by) => ({ by, routines: 0, now: 0, base: 0 }));
  compared.match.forEach((step, r) => {
    const to = out[step];
    to.routines++;
    to.now += eventValue(now, self, r);
    to.base += eventValue(before, self, r);
  });
  // Sums of estimates are rounded, because their fractions are not significant.
  const sum = (value: number) => (analysis.totals.estimated ? Math.round(value) : value);
  return out.filter(({ routines }) => routines > 0).map((m) => ({ ...m, now: sum(m.now), base: sum(m.base) }));
});
