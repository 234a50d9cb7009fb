// When a routine is expensive because it is called often, and when by itself.
import { formatCount } from '../../base/units.ts';
import { bySelf } from '../hottest.ts';
import type { Evidence } from '../rule.ts';
import { hasNoFinding, isCoveredByName } from './code-names.ts';

/** Minimum self share of a reported routine. */
const LEAST_SELF = 0.05;
/** Routines that a rule names at most. */
const MOST_NAMED = 3;
/** Fewer calls are not often, nor are calls that cost more than this share of the whole each. */
const OFTEN = 1000;
const SMALL = 0.001;

/** Whether many small calls make the cost of a routine, as far as calls are counted. */
export function isOften({ analysis, event, whole }: Evidence, routine: number): boolean {
  if (!analysis.costing.can.has('counts')) return false;
  const calls = analysis.totals.calls[routine];
  return calls >= OFTEN && bySelf(analysis, event).value[routine] / calls <= SMALL * whole;
}

/** The routines with the highest self costs, without those that another rule reports by their purpose. */
export function hotRoutines({ analysis, event, whole }: Evidence): readonly number[] {
  const { value, order } = bySelf(analysis, event);
  const { profile } = analysis;
  return Array.from(order.subarray(0, MOST_NAMED)).filter(
    (r) => value[r] >= LEAST_SELF * whole && !hasNoFinding(profile, r) && !isCoveredByName(profile, r),
  );
}

export const OFTEN_TEXT = `at least ${formatCount(OFTEN)} calls, each at most 0.1 % of the total on average`;
