// Distinguishes routines that are expensive because of many calls from routines with expensive code.
import { originOf } from '../../analysis/names/origin.ts';
import { formatCount } from '../../base/units.ts';
import { rankingBySelf } from '../hottest.ts';
import type { Evidence } from '../rule.ts';
import { hasNoFinding, isCoveredByName } from './code-names.ts';

const MIN_SELF_SHARE = 0.05;
const MAX_NAMED_ROUTINES = 3;
/** Minimum number of calls, and maximum share of the total that one call takes on average. */
const MIN_CALLS = 1000;
const MAX_SHARE_PER_CALL = 0.001;

/** Whether many small calls make up a routine's self cost; false if calls are not counted. */
export function isCalledOften({ analysis, event, whole }: Evidence, routine: number): boolean {
  if (!analysis.costing.can.has('counts')) return false;
  const calls = analysis.totals.calls[routine];
  return calls >= MIN_CALLS && rankingBySelf(analysis, event).value[routine] / calls <= MAX_SHARE_PER_CALL * whole;
}

/** The routines with the highest self costs, without routines that are reported by purpose or get no finding. */
export function hotRoutines({ analysis, event, whole }: Evidence): readonly number[] {
  const { value, order } = rankingBySelf(analysis, event);
  const { profile } = analysis;
  // Where a thread waits, it always is in the scheduler.
  const isScheduler = (r: number) => /^off-?cpu/.test(event.name) && originOf(profile, r) === 'kernel';
  return Array.from(order.subarray(0, MAX_NAMED_ROUTINES)).filter(
    (r) => value[r] >= MIN_SELF_SHARE * whole && !hasNoFinding(profile, r) && !isCoveredByName(profile, r) && !isScheduler(r),
  );
}

export const MANY_CALLS_TEXT = `at least ${formatCount(MIN_CALLS)} calls, each at most 0.1 % of the total on average`;
