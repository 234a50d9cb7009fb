// Tells routines that are expensive because of many calls from routines with expensive code.
import { formatCount } from '../../base/units.ts';
import { rankingBySelf } from '../hottest.ts';
import type { Evidence } from '../rule.ts';
import { hasNoFinding, isCoveredByName } from './code-names.ts';

/** Minimum self share of a reported routine. */
const LEAST_SELF = 0.05;
/** Maximum routines per rule. */
const MOST_NAMED = 3;
/** Many small calls: at least this many, each with at most this share of the total. */
const OFTEN = 1000;
const SMALL = 0.001;

/** Whether many small calls make up a routine's self cost; false if calls are not counted. */
export function isCalledOften({ analysis, event, whole }: Evidence, routine: number): boolean {
  if (!analysis.costing.can.has('counts')) return false;
  const calls = analysis.totals.calls[routine];
  return calls >= OFTEN && rankingBySelf(analysis, event).value[routine] / calls <= SMALL * whole;
}

/** The routines with the highest self costs, without routines that are reported by purpose or get no finding. */
export function hotRoutines({ analysis, event, whole }: Evidence): readonly number[] {
  const { value, order } = rankingBySelf(analysis, event);
  const { profile } = analysis;
  return Array.from(order.subarray(0, MOST_NAMED)).filter(
    (r) => value[r] >= LEAST_SELF * whole && !hasNoFinding(profile, r) && !isCoveredByName(profile, r),
  );
}

export const OFTEN_TEXT = `at least ${formatCount(OFTEN)} calls, each at most 0.1 % of the total on average`;
