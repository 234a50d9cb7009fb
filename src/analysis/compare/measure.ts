// What is shown of two runs side by side: this one, the base, or the difference.
import { memo } from '../../base/memo.ts';
import type { Event, Measure } from '../../model/head.ts';
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

/** What costs of the base are multiplied by: 1 unless totals are made equal. */
export const scaleFactor = (analysis: Analysis, event: Event): number => scaleOf(analysis).factor(event);

/** What the base's counts of calls are multiplied by: where the base is several runs, it stands for their mean. */
export const callsScale = ({ profile }: Analysis): number => profile.compared?.runs?.scale ?? 1;

/** Index of the raw column with the base's counts of calls. */
export const callsBefore = ({ profile }: Analysis): number => profile.columns - 1;
