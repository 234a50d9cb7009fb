// When a routine is dear because it is called often, and when by itself.
import type { Evidence } from '../rule.ts';

/** A routine that costs less than this share by itself is not told. */
export const LEAST_SELF = 0.05;
/** Routines that a rule names at most. */
export const MOST_NAMED = 3;
/** Fewer calls are not often, nor are calls that cost more than this share of the whole each. */
const OFTEN = 1000;
const SMALL = 0.001;

/** Whether many small calls make the cost; undefined where calls are not counted. */
export function isOften({ analysis, whole }: Evidence, routine: number, value: number): boolean | undefined {
  const calls = analysis.totals.calls[routine];
  if (!analysis.costing.can.has('counts') || !(calls > 0)) return undefined;
  return calls >= OFTEN && value / calls <= SMALL * whole;
}

export const OFTEN_TEXT = `at least ${OFTEN.toLocaleString('en')} calls, none of which costs more than 0.1 % of the whole on average`;
