// When a routine is dear because it is called often, and when by itself.
import { formatCount } from '../../base/units.ts';
import { bySelf } from '../dearest.ts';
import type { Evidence } from '../rule.ts';
import { isToldByName, isUntold } from './code-names.ts';

/** A routine that costs less than this share by itself is not told. */
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

/** The routines that are dear by themselves, and that no rule tells for what they do. */
export function dearRoutines({ analysis, event, whole }: Evidence): readonly number[] {
  const { value, order } = bySelf(analysis, event);
  const { profile } = analysis;
  return Array.from(order.subarray(0, MOST_NAMED)).filter(
    (r) => value[r] >= LEAST_SELF * whole && !isUntold(profile, r) && !isToldByName(profile, r),
  );
}

export const OFTEN_TEXT = `at least ${formatCount(OFTEN)} calls, none of which costs more than 0.1 % of the whole on average`;
