// Nearly all routines cost more or less by the same factor: the input, the host or the compiler, not one routine.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { eventInMeasure } from '../../analysis/answers/compared/measure.ts';
import { medianOf } from '../../base/median.ts';
import { memo } from '../../base/memo.ts';
import { isTimeUnit } from '../../base/units.ts';
import { eventColumn, eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import { comparingRule } from '../rule.ts';
import { count, eventName, part, ratio, say } from '../say.ts';

/** Minimum share of the base; smaller routines are too noisy. */
const LEAST_SHARE = 0.005;
const FEWEST = 8;
/** Minimum share of the base that these routines have together. */
const LEAST_OF_BASE = 0.5;
/** Minimum share of their cost that changed by nearly the same factor. */
const MIN_ALIKE = 0.8;
/** Tolerance for nearly the same factor, relative to it; differences within chance also count. */
const NEAR = 0.2;
const LEAST_CHANGE = 0.1;
/** Sampled counts within this many standard deviations may differ by chance. */
const DEVIATIONS = 3;

interface CommonChange {
  readonly factor: number;
  readonly routines: number;
  /** The routines' share of the base. */
  readonly share: number;
  /** Whether a routine changed by nearly the common factor. */
  readonly isAlike: (now: number, before: number) => boolean;
}

/** The change that nearly all routines have in common; undefined if there is none. */
export const commonChange = memo((analysis: Analysis, event: Event): CommonChange | undefined => {
  const { totals, profile } = analysis;
  const [now, before] = (['now', 'before'] as const).map((m) => {
    const shown = eventInMeasure(analysis, event, m);
    return {
      self: eventColumn(shown, totals.self, profile.routines.name.length),
      whole: Math.abs(eventValue(shown, totals.whole, 0)),
    };
  });
  // Slices and steps have a rule of their own: slower-host.
  if (profile.kind === 'steps' || !(before.whole > 0)) return undefined;
  const large: number[] = [];
  // Removed routines have no factor.
  for (let r = 0; r < before.self.length; r++) if (before.self[r] >= LEAST_SHARE * before.whole && now.self[r] > 0) large.push(r);
  if (large.length < FEWEST) return undefined;
  const factor = medianOf(large.map((r) => now.self[r] / before.self[r]));
  const each = event.each ?? 0;
  const isAlike = (ours: number, theirs: number) => {
    const wanted = factor * theirs;
    const chance = DEVIATIONS * Math.sqrt(each * (wanted + factor * wanted));
    return Math.abs(ours - wanted) <= Math.max(NEAR * wanted, chance);
  };
  const sum = (rows: readonly number[]) => rows.reduce((all, r) => all + before.self[r], 0);
  const alike = sum(large.filter((r) => isAlike(now.self[r], before.self[r])));
  const isCommon = sum(large) >= LEAST_OF_BASE * before.whole && alike >= MIN_ALIKE * sum(large);
  if (!isCommon || Math.abs(factor - 1) < LEAST_CHANGE) return undefined;
  return { factor, routines: large.length, share: sum(large) / before.whole, isAlike };
}, 4);

export const allAlike = comparingRule({
  id: 'all-alike',
  question: 'Did nearly all routines change by the same factor?',
  evidence: 'the self costs of routines of both runs that have at least 0.5 % of the base',
  threshold: `at least ${FEWEST} such routines with half of the base; 80 % of their cost changed by the same factor (to within 20 %, or by chance), and by at least 10 %`,
  assumes: 'a change of the code does not slow all routines equally',
  requires: ['routines', 'self'],
  find(e) {
    const change = commonChange(e.analysis, e.event);
    if (!change) return [];
    const { factor, routines, share } = change;
    const isTime = isTimeUnit(e.event.unit) || e.event.unit === 'samples';
    const causes = isTime ? 'the host, the input or the compiler' : 'more or less input, or another compiler';
    return {
      ...say`Nearly all routines cost ${ratio('factor', factor, 2)} times as much ${eventName(e)} as in the base (median of ${count('routines', routines, 'routine')} with ${part('share', share, 1)} of it): the cause is common to all, such as ${causes}`,
      why: 'a change of the code does not slow all routines equally',
      try: 'run both on the same idle host with the same input; in Changes, look for routines that do not follow this factor',
      subject: 'all routines',
      target: { view: 'changes', report: 'changes' },
    };
  },
});
