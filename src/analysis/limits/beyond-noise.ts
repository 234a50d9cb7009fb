// The rows of a limit whose difference is more than chance.

import type { Analysis } from '../answers/analysis.ts';
import { beyondChance, noiseOf } from '../answers/compared/noise.ts';
import { knownInexact } from '../answers/compared/runs.ts';
import type { Limit, Measure } from './grammar.ts';
import { eventOf, type Gauge, refuse } from './rows.ts';

/** Throws ChoiceError where nothing says what is chance. */
export function beyondNoise(
  limit: Limit,
  analysis: Analysis,
  rows: Iterable<number>,
  measure: Measure,
  gauge: Gauge,
): Set<number> {
  if (!('event' in measure))
    return measure.of === 'calls' ? new Set(rows) : refuse(limit, 'nothing says how far durations of equal builds differ');
  const event = eventOf(limit, analysis, measure.event);
  const noise = noiseOf(analysis, event);
  const sides = (row: number) => {
    const { now, before = 0 } = gauge.read(row);
    return [Number(now), Number(before)] as const;
  };
  if (!noise) {
    const why = event.per ? 'it is a ratio' : gauge.ns === undefined ? knownInexact(event.name) : 'a clock measures it';
    const exact = why === undefined || analysis.profile.compared?.runs !== undefined;
    return exact
      ? new Set(rows)
      : refuse(limit, `the noise of ${event.name} is unknown (${why}): compare with several runs of the base`);
  }
  if (!noise.known)
    return refuse(
      limit,
      `the noise of ${event.name} is unknown: ${noise.total ? 'one run is not to be compared with the least of several' : 'nothing says that costs are counts of samples'}`,
    );
  if (measure.of !== 'total') return new Set(beyondChance(Array.from(rows), (row) => noise.chance(...sides(row))));
  const isBeyond = (row: number) => {
    const [now, before] = sides(row);
    return noise.total ? Math.abs(now - noise.total.mean) > noise.total.half : Math.abs(now - before) > noise.half(now, before);
  };
  return new Set(Array.from(rows).filter(isBeyond));
}
