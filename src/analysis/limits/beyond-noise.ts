// The rows of a limit whose difference is statistically significant.

import { isTimeUnit } from '../../base/units.ts';
import type { Analysis } from '../answers/analysis.ts';
import { noiseOf, significantRows } from '../answers/compared/noise.ts';
import { inexactReason } from '../answers/compared/runs.ts';
import type { Limit, LimitMeasure } from './grammar.ts';
import { type LimitGauge, requireEvent, throwLimitError } from './rows.ts';

/** Throws ChoiceError if the noise is unknown. */
export function rowsBeyondNoise(
  limit: Limit,
  analysis: Analysis,
  rows: Iterable<number>,
  measure: LimitMeasure,
  gauge: LimitGauge,
): Set<number> {
  if (!('event' in measure))
    return measure.of === 'calls'
      ? new Set(rows)
      : throwLimitError(limit, 'nothing says how far durations of equal builds differ');
  const event = requireEvent(limit, analysis, measure.event);
  const noise = noiseOf(analysis, event);
  const bothCosts = (row: number) => {
    const { now, before = 0 } = gauge.read(row);
    return [Number(now), Number(before)] as const;
  };
  if (!noise) {
    const why = event.per ? 'it is a ratio' : !isTimeUnit(event.unit) ? inexactReason(event.name) : 'a clock measures it';
    const exact = why === undefined || analysis.profile.compared?.runs !== undefined;
    return exact
      ? new Set(rows)
      : throwLimitError(limit, `the noise of ${event.name} is unknown (${why}): compare with several runs of the base`);
  }
  if (!noise.known)
    return throwLimitError(
      limit,
      `the noise of ${event.name} is unknown: ${noise.total ? 'one run is not to be compared with the least of several' : 'nothing says that costs are counts of samples'}`,
    );
  if (measure.of !== 'total') return new Set(significantRows(Array.from(rows), (row) => noise.chance(...bothCosts(row))));
  const isBeyond = (row: number) => {
    const [now, before] = bothCosts(row);
    return noise.total ? Math.abs(now - noise.total.mean) > noise.total.half : Math.abs(now - before) > noise.half(now, before);
  };
  return new Set(Array.from(rows).filter(isBeyond));
}
