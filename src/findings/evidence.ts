// The input of rules, made from an analysis.
import { type Analysis, percentageBase } from '../analysis/answers/analysis.ts';
import { isDifference } from '../analysis/answers/differences.ts';
import type { Event } from '../model/head.ts';
import type { Evidence } from './rule.ts';

/** Whether shares make sense: not for ratios, and not for a file of differences, whose costs have both signs. */
const hasShares = (analysis: Analysis, event: Event): boolean =>
  !event.per && (analysis.before !== undefined || !analysis.costing.can.has('self') || !isDifference(analysis, event));

/** `newer`: source files of the hottest routines that were changed after the profile was made. */
export function evidenceOf(analysis: Analysis, event: Event, newer: readonly string[]): Evidence {
  const whole = percentageBase(analysis, event);
  const { profile, totals } = analysis;
  return { analysis, profile, totals, event, whole: hasShares(analysis, event) ? whole : 0, newer };
}
