// Nearly all routines cost more or less by the same factor: the input, the host or the compiler, not one routine.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { eventOfBothRuns } from '../../analysis/answers/compared/measure.ts';
import { memo } from '../../base/lists.ts';
import { medianOf } from '../../base/median.ts';
import { isTimeUnit } from '../../base/units.ts';
import { type Event, eventColumn, eventValue } from '../../model/head.ts';
import { makeComparingRule, viewSubject } from '../rule.ts';
import { asCount, asShareOf, eventName, ratio, say } from '../say.ts';

/** Minimum share of the base that a compared routine has; smaller routines are too noisy. */
const MIN_SHARE = 0.005;
const MIN_ROUTINES = 8;
const MIN_TOTAL_SHARE = 0.5;
const MIN_ALIKE_SHARE = 0.8;
/** Maximum relative deviation from the common factor; a larger deviation counts if chance explains it. */
const FACTOR_TOLERANCE = 0.2;
const MIN_CHANGE = 0.1;
/** Maximum difference of sampled counts that chance explains, in standard deviations. */
const MAX_DEVIATIONS = 3;

/**
 * The change that nearly all routines share; undefined if there is none. `share`: that of the compared routines in the base. `isAlike`: whether
 * a routine changed by nearly the common factor.
 */
export const commonChange = memo((analysis: Analysis, event: Event) => {
  const { totals, profile } = analysis;
  const [now, before] = eventOfBothRuns(analysis, event).map((shown) => ({
    self: eventColumn(shown, totals.self, profile.routines.name.length),
    whole: Math.abs(eventValue(shown, totals.whole, 0)),
  }));
  // Slices and steps have another rule: `slower-host`.
  if (profile.kind === 'steps' || !(before.whole > 0)) return undefined;
  const large: number[] = [];
  // Removed routines are skipped: they have no factor.
  for (let r = 0; r < before.self.length; r++) if (before.self[r] >= MIN_SHARE * before.whole && now.self[r] > 0) large.push(r);
  if (large.length < MIN_ROUTINES) return undefined;
  const factor = medianOf(large.map((r) => now.self[r] / before.self[r]));
  const each = event.each ?? 0;
  const isAlike = (ours: number, theirs: number) => {
    const wanted = factor * theirs;
    const chance = MAX_DEVIATIONS * Math.sqrt(each * (wanted + factor * wanted));
    return Math.abs(ours - wanted) <= Math.max(FACTOR_TOLERANCE * wanted, chance);
  };
  const sum = (rows: readonly number[]) => rows.reduce((all, r) => all + before.self[r], 0);
  const alike = sum(large.filter((r) => isAlike(now.self[r], before.self[r])));
  const isCommon = sum(large) >= MIN_TOTAL_SHARE * before.whole && alike >= MIN_ALIKE_SHARE * sum(large);
  if (!isCommon || Math.abs(factor - 1) < MIN_CHANGE) return undefined;
  return { factor, routines: large.length, share: sum(large) / before.whole, isAlike };
}, 4);

export const allAlikeRule = makeComparingRule({
  id: 'all-alike',
  question: 'Did nearly all routines change by the same factor?',
  evidence: 'the self costs of routines of both runs that have at least 0.5 % of the base',
  threshold: `at least ${MIN_ROUTINES} such routines with half of the base; 80 % of their cost changed by the same factor (to within 20 %, or by chance), and by at least 10 %`,
  assumes: 'a change of the code does not slow all routines equally',
  find(e) {
    const change = commonChange(e.analysis, e.event);
    if (!change) return [];
    const { factor, routines, share } = change;
    const isTime = isTimeUnit(e.event.unit) || e.event.unit === 'samples';
    const causes = isTime ? 'the host, the input or the compiler' : 'more or less input, or another compiler';
    return {
      ...say`Nearly all routines cost ${ratio('factor', factor, 2)} times as much ${eventName(e)} as in the base (median of ${asCount('routines', routines, 'routine')} with ${asShareOf('share', share, 1)} of it): the cause is common to all, such as ${causes}`,
      why: 'a change of the code does not slow all routines equally',
      try: 'run both on the same idle host with the same input; in Changes, look for routines that do not follow this factor',
      ...viewSubject('all routines', 'changes'),
    };
  },
});
