// The base in the JSON of every report.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { matchedCosts } from '../analysis/answers/compared/matched.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import type { Json } from '../columns/column.ts';
import { costData } from '../columns/costs.ts';
import { eventValue } from '../model/event-value.ts';

/** Totals are the sums of rows; what a `summary:` says beyond them is in percentagesOf. */
export function baseHead(analysis: Analysis) {
  const { before, events, totals, profile, costing } = analysis;
  if (!before || !profile.compared) return {};
  const of = (costs: typeof totals.total) =>
    events.map((event): [string, Json] => [event.name, costData(measured(analysis, event, 'before'), costs, 0)]);
  const { onlyNow, onlyBefore, runs } = profile.compared;
  return {
    base: {
      paths: before.profile.paths,
      totals: Object.fromEntries(of(totals.total)),
      percentagesOf: Object.fromEntries(
        events.filter((e) => !e.per).map((e) => [e.name, eventValue(measured(analysis, e, 'before'), totals.whole, 0)]),
      ),
      matched: costing.can.has('routines') ? matchedCosts(analysis) : [],
      ...(onlyNow.length + onlyBefore.length > 0 ? { onlyNow, onlyBefore } : {}),
      ...(runs ? { runs: { count: runs.count, how: runs.how, spread: Object.fromEntries(runs.spread) } } : {}),
    },
  };
}
