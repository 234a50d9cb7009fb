// Differences between runs that come only from estimates: shares of a call graph are estimated separately for each run.
import { eventValue } from '../../../model/event-value.ts';
import type { Event } from '../../../model/head.ts';
import type { Analysis } from '../analysis.ts';
import { type TreeNode, termsValue } from '../tree.ts';
import { eventInMeasure } from './measure.ts';

/** Differences of estimates below this share of the base's cost are ignored if the exact totals behind them are equal. */
const MAX_DRIFT_SHARE = 0.01;

/** Whether a node's cost has changed by more than estimates may drift. */
export function hasChanged(analysis: Analysis, event: Event, node: TreeNode, what: 'self' | 'inclusive'): boolean {
  const delta = eventInMeasure(analysis, event, 'delta');
  const change = Math.abs(termsValue(delta, node[what]));
  const doubt = what === 'self' ? 'selfEstimated' : 'estimated';
  const guessed = (of: TreeNode) => of[doubt] || of.before?.[doubt] === true;
  if (change === 0 || !guessed(node)) return change !== 0;
  if (change >= MAX_DRIFT_SHARE * Math.abs(termsValue(eventInMeasure(analysis, event, 'before'), node[what]))) return true;
  const { top } = node;
  if (top) return guessed(top) || termsValue(delta, top[what]) !== 0;
  const { totals } = analysis;
  return totals.estimated?.[what][node.routine] === 1 || eventValue(delta, totals[what], node.routine) !== 0;
}
