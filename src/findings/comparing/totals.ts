// The totals of both runs, and whether their difference is more than chance.
import { eventOfBothRuns } from '../../analysis/answers/compared/measure.ts';
import { noiseOf } from '../../analysis/answers/compared/noise.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Evidence } from '../rule.ts';

/**
 * The totals of both runs. `chance`: the largest difference of such sampled totals that chance explains; undefined if the actual one is larger.
 * `ofBaseRuns`: the mean and prediction interval of the base's runs, if this run is within the interval. `unknown`: noise may explain all of it.
 */
export function bothTotals({ analysis, event }: Evidence) {
  const [now, before] = eventOfBothRuns(analysis, event).map((shown) => eventValue(shown, analysis.totals.total, 0));
  const none = { now, before, chance: undefined, ofBaseRuns: undefined, unknown: false };
  const noise = noiseOf(analysis, event);
  if (!noise) return none;
  // The minimum of several runs is nearly always below a single run, so the difference has no meaning.
  if (noise.total && !noise.known) return { ...none, unknown: true };
  if (noise.total) return { ...none, ofBaseRuns: Math.abs(now - noise.total.mean) <= noise.total.half ? noise.total : undefined };
  const half = noise.half(now, before);
  const isChance = Math.abs(now - before) <= half;
  return { ...none, chance: noise.known && isChance ? half : undefined, unknown: !noise.known && isChance };
}
