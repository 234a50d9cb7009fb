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
  /** The mean of the base's runs, and how far another one may be from it, if this one is within that. */
  readonly among: { readonly mean: number; readonly half: number; readonly runs: number } | undefined;
  /** Nothing says what is chance, and it may be all of the difference. */
  readonly unknown: boolean;
}

export function bothTotals({ analysis, event }: Evidence): BothTotals {
  const [now, before] = (['now', 'before'] as const).map((m) =>
    eventValue(measured(analysis, event, m), analysis.totals.total, 0),
  );
  const none = { now, before, chance: undefined, among: undefined, unknown: false };
  const noise = noiseOf(analysis, event);
  if (!noise) return none;
  // The least of several runs is less than a single one nearly always.
  if (noise.total && !noise.known) return { ...none, unknown: true };
  if (noise.total) return { ...none, among: Math.abs(now - noise.total.mean) <= noise.total.half ? noise.total : undefined };
  const half = noise.half(now, before);
  const isChance = Math.abs(now - before) <= half;
  return { ...none, chance: noise.known && isChance ? half : undefined, unknown: !noise.known && isChance };
}
