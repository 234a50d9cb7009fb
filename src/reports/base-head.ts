// The `base` member in the JSON of every report.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { matchedCosts } from '../analysis/answers/compared/matched.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import type { Json } from '../columns/column.ts';
import { costJson } from '../columns/costs.ts';
import { eventValue } from '../model/event-value.ts';

/** JSON of the base. `totals`: the sums of the rows; `percentagesOf`: the totals on the `summary:` line of the file. */
export function baseJson(analysis: Analysis) {
  const { before, events, totals, profile, costing } = analysis;
  if (!before || !profile.compared) return {};
  const totalsOf = (costs: typeof totals.total) =>
    events.map((event): [string, Json] => [event.name, costJson(eventInMeasure(analysis, event, 'before'), costs, 0)]);
  const { onlyNow, onlyBefore, runs } = profile.compared;
  return {
    base: {
      paths: before.profile.paths,
      totals: Object.fromEntries(totalsOf(totals.total)),
      percentagesOf: Object.fromEntries(
        events.filter((e) => !e.per).map((e) => [e.name, eventValue(eventInMeasure(analysis, e, 'before'), totals.whole, 0)]),
      ),
      matched: costing.can.has('routines') ? matchedCosts(analysis) : [],
      ...(onlyNow.length + onlyBefore.length > 0 ? { onlyNow, onlyBefore } : {}),
      ...(runs ? { runs: { count: runs.count, how: runs.how, spread: Object.fromEntries(runs.spread) } } : {}),
    },
  };
}
