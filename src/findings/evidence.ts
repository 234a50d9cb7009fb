// The input of rules, made from an analysis.
import { type Analysis, wholeOf } from '../analysis/answers/analysis.ts';
import type { Event } from '../model/head.ts';
import { selfValues } from './hottest.ts';
import type { Evidence } from './rule.ts';

/** Costs of both signs are differences: nothing is a share of what they add up to. */
const MIXED = 1.01;

function hasShares(analysis: Analysis, event: Event, whole: number): boolean {
  if (event.per) return false;
  if (analysis.before || !analysis.costing.can.has('self')) return true;
  const values = selfValues(analysis, event);
  let size = 0;
  for (let r = 0; r < values.length; r++) size += Math.abs(values[r]);
  return size <= MIXED * whole;
}

/** `newer`: source files of the hottest routines that were changed after the profile was made. */
export function evidenceOf(analysis: Analysis, event: Event, newer: readonly string[]): Evidence {
  const whole = wholeOf(analysis, event);
  const { profile, totals } = analysis;
  return { analysis, profile, totals, event, whole: hasShares(analysis, event, whole) ? whole : 0, newer };
}
