// Measures of a comparison: this run, the base, or the difference.
import { memo } from '../../../base/lists.ts';
import { type CostTable, type Event, eventValue, type Measure } from '../../../model/head.ts';
import type { Analysis } from '../analysis.ts';
import { type TreeNode, termsValue } from '../tree.ts';
import { type BaseScale, measuredEvent, normalizationFactor } from './events.ts';

const baseScaleOf = memo((analysis: Analysis): BaseScale => {
  const { compared } = analysis.profile;
  const columns = compared?.now.columns ?? 0;
  const scale = callsScale(analysis);
  return {
    columns,
    callsBefore: callsBefore(analysis),
    factor: compared?.normalize ? normalizationFactor(columns, () => analysis.totals) : () => scale,
  };
}, 4);

const cachedEventInMeasure = memo(
  (analysis: Analysis, event: Event, measure: Measure) => measuredEvent(event, measure, baseScaleOf(analysis)),
  64,
);

/** The event in a measure; unchanged if the profile is not compared. */
export const eventInMeasure = (analysis: Analysis, event: Event, measure: Measure): Event =>
  analysis.profile.compared ? cachedEventInMeasure(analysis, event, measure) : event;

export const eventOfBothRuns = (analysis: Analysis, event: Event): readonly [now: Event, before: Event] => [
  eventInMeasure(analysis, event, 'now'),
  eventInMeasure(analysis, event, 'before'),
];

/** The factor for the base's costs: 1 unless the totals are made equal. */
export const scaleFactor = (analysis: Analysis, event: Event): number => baseScaleOf(analysis).factor(event);

/** The factor for the base's call counts: below 1 if the base is the sum of several runs and stands for their mean. */
export const callsScale = ({ profile }: Analysis): number => profile.compared?.runs?.scale ?? 1;

/** A call count in a measure: of this run, of the base, or the difference. */
export function countInMeasure(analysis: Analysis, measure: Measure | undefined, now: number, before: number): number {
  if (measure === 'before') return before * callsScale(analysis);
  return measure === 'delta' || measure === 'percent' ? now - before * callsScale(analysis) : now;
}

/** Call counts by row in a measure. The last column of `costs` holds the base's counts. */
export function countsInMeasure(
  analysis: Analysis,
  measure: Measure | undefined,
  counts: ArrayLike<number>,
  costs: CostTable,
): ArrayLike<number> {
  const before = analysis.profile.compared && costs.at(-1);
  return before ? Float64Array.from(counts, (now, row) => countInMeasure(analysis, measure, now, before[row])) : counts;
}

/** The index of the raw column with the base's call counts. */
export const callsBefore = ({ profile }: Analysis): number => profile.columns - 1;

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

/** The share of its stated total that no row has, by run: of this one, and of the base if there is one. 0 without a stated total. */
export function missingShares(analysis: Analysis, event: Event): readonly number[] {
  const { profile, totals } = analysis;
  const { now, before } = profile.compared ?? { now: profile, before: undefined };
  return (before ? eventOfBothRuns(analysis, event) : [event]).map((shown, k) => {
    const run = k === 0 ? now : before;
    const isStated = run?.parts.some((part) => part.summary ?? part.totals);
    const [sum, stated] = [totals.total, totals.whole].map((table) => eventValue(shown, table, 0));
    return isStated && !event.per && !run?.transformed && sum > 0 && stated > sum ? (stated - sum) / stated : 0;
  });
}

/** The shares of a stated total from which it is told that no row has them, and from which differences say nothing. */
export const [MIN_MISSING_SHARE, MIN_UNLIKE_SHARE] = [0.01, 0.05];

/** Whether the rows of one run have much less of its stated total than those of the other, so that differences may be in what is missing. */
export function areCutUnlike(analysis: Analysis, event: Event): boolean {
  const [now, before = now] = missingShares(analysis, event);
  return Math.abs(now - before) >= MIN_UNLIKE_SHARE;
}
