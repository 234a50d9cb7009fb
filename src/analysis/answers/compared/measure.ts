// The measure of two runs: this one, the base, or the difference.
import { memo } from '../../../base/memo.ts';
import type { CostTable } from '../../../model/event-value.ts';
import type { Event, Measure } from '../../../model/head.ts';
import type { Analysis } from '../analysis.ts';
import { measuredEvent, normalizing, type Scale } from './events.ts';

const scaleOf = memo((analysis: Analysis): Scale => {
  const { compared } = analysis.profile;
  const columns = compared?.now.columns ?? 0;
  const scale = callsScale(analysis);
  return { columns, factor: compared?.normalize ? normalizing(columns, () => analysis.totals) : () => scale };
}, 4);

const measuredIn = memo(
  (analysis: Analysis, event: Event, measure: Measure) => measuredEvent(event, measure, scaleOf(analysis)),
  64,
);

/** The event as it is shown: of a profile that is not compared, itself. */
export function measured(analysis: Analysis, event: Event, measure: Measure): Event {
  return analysis.profile.compared ? measuredIn(analysis, event, measure) : event;
}

/** The factor of the base's costs: 1 unless totals are made equal. */
export const scaleFactor = (analysis: Analysis, event: Event): number => scaleOf(analysis).factor(event);

/** The factor of the base's counts of calls: where the base is several runs, it stands for their mean. */
export const callsScale = ({ profile }: Analysis): number => profile.compared?.runs?.scale ?? 1;

/** A count of calls as a measure shows it: of this run, of the base, or the difference. */
export function shownCount(analysis: Analysis, measure: Measure | undefined, now: number, before: number): number {
  if (measure === 'before') return before * callsScale(analysis);
  return measure === 'delta' || measure === 'percent' ? now - before * callsScale(analysis) : now;
}

/** Counts of calls by row, as a measure shows them. `costs` has those of the base as its last column. */
export function shownCounts(
  analysis: Analysis,
  measure: Measure | undefined,
  counts: ArrayLike<number>,
  costs: CostTable,
): ArrayLike<number> {
  const before = analysis.profile.compared && costs.at(-1);
  return before ? Float64Array.from(counts, (now, row) => shownCount(analysis, measure, now, before[row])) : counts;
}

/** Index of the raw column with the base's counts of calls. */
export const callsBefore = ({ profile }: Analysis): number => profile.columns - 1;
