// The totals of both runs, and whether their difference is more than chance.
import { measured } from '../../analysis/answers/compared/measure.ts';
import { noiseOf } from '../../analysis/answers/compared/noise.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Evidence } from '../rule.ts';

export interface BothTotals {
  readonly now: number;
  readonly before: number;
  /** How far two sampled counts like these may be apart by chance, if they are within that. */
  readonly chance: number | undefined;
  /** The least and greatest total of the runs of the base, if this one lies between them. */
  readonly among: readonly [least: number, most: number] | undefined;
}

export function bothTotals({ analysis, event }: Evidence): BothTotals {
  const [now, before] = (['now', 'before'] as const).map((m) =>
    eventValue(measured(analysis, event, m), analysis.totals.total, 0),
  );
  const half = noiseOf(analysis, event)?.(now, before);
  const spread = analysis.profile.compared?.runs?.spread.get(event.name);
  return {
    now,
    before,
    chance: half !== undefined && Math.abs(now - before) <= half ? half : undefined,
    among: spread && now >= spread[0] && now <= spread[1] ? spread : undefined,
  };
}
