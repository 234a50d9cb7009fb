// The measure of two runs: this one, the base, or the difference.
import { memo } from '../../../base/memo.ts';
import type { CostTable } from '../../../model/event-value.ts';
import type { Event, Measure } from '../../../model/head.ts';
import type { Analysis } from '../analysis.ts';
import { type BaseScale, measuredEvent, normalizationFactor } from './events.ts';

const scaleOf = memo((analysis: Analysis): BaseScale => {
  const { compared } = analysis.profile;
  const columns = compared?.now.columns ?? 0;
  const scale = callsScale(analysis);
  return { columns, factor: compared?.normalize ? normalizationFactor(columns, () => analysis.totals) : () => scale };
}, 4);

const cachedEventInMeasure = memo(
  (analysis: Analysis, event: Event, measure: Measure) => measuredEvent(event, measure, scaleOf(analysis)),
  64,
);

/** The event in a measure; unchanged if the profile is not compared. */
export function eventInMeasure(analysis: Analysis, event: Event, measure: Measure): Event {
  return analysis.profile.compared ? cachedEventInMeasure(analysis, event, measure) : event;
}

/** The factor of the base's costs: 1 unless totals are made equal. */
export const scaleFactor = (analysis: Analysis, event: Event): number => scaleOf(analysis).factor(event);

/** The factor of the base's call counts: below 1 if the base is a sum of several runs that stands for their mean. */
export const callsScale = ({ profile }: Analysis): number => profile.compared?.runs?.scale ?? 1;

/** A count of calls as a measure shows it: of this run, of the base, or the difference. */
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

/** Index of the raw column with the base's counts of calls. */
export const callsBefore = ({ profile }: Analysis): number => profile.columns - 1;
