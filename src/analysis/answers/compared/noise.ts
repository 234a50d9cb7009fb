// How much of a difference is chance. Sample counts vary from run to run (Poisson distribution).
// For a given sum, a routine's samples split between both runs (binomial). Several base runs show their variation directly.
import { binomialChance, falseDiscoveryLimit, studentChance, studentQuantile } from '../../../base/chance.ts';
import { isTimeUnit } from '../../../base/units.ts';
import type { Event } from '../../../model/head.ts';
import type { BaseRuns, Variation } from '../../../model/profile.ts';
import type { Analysis } from '../analysis.ts';
import { eventInEachRun } from './events.ts';
import { scaleFactor } from './measure.ts';
import { costPool } from './variation.ts';

/** 95 % of a normal distribution lies within this many standard deviations. */
const DEVIATIONS_OF_95_PERCENT = 1.96;
const MIN_TESTED_SAMPLES = 10;
/** The maximum number of independent routines in a run: routines of one run vary together. */
const MAX_INDEPENDENT = 4;
/** The accepted share of false differences. */
const MAX_FALSE_SHARE = 0.05;
/** The resolution of clocks: one unit. */
const CLOCK_RESOLUTION = 1;

/** The random variation in the costs of a routine. */
export interface Noise {
  /** Whether the data shows the size of random variation. If not, only smaller differences are certainly chance. */
  readonly known: boolean;
  /** Half the width of the 95 % interval of a difference. */
  half(now: number, before: number): number;
  /** The probability that two runs of one program differ this much; undefined with too little data. */
  chance(now: number, before: number): number | undefined;
  /** How far the total of another base run may be from their mean (95 %); undefined for a single run. */
  readonly total?: { readonly mean: number; readonly half: number; readonly runs: number };
}

export const unknownNoiseReason = (event: Event): string =>
  (event.pair?.[0] ?? event).uneven ? 'its samples have different costs' : 'nothing says that costs are counts of samples';

/** The noise of an event; undefined if costs are exact, or single runs do not show how they vary. */
export function noiseOf(analysis: Analysis, event: Event): Noise | undefined {
  if (!analysis.before || (event.per && event.measure !== 'percent')) return undefined;
  const counting = samplingNoise(analysis, event);
  const { runs, normalize } = analysis.profile.compared ?? {};
  const variation = runs?.variation?.get(event.name);
  if (!runs || !variation) return counting;
  const resolution = isTimeUnit(event.unit) ? CLOCK_RESOLUTION : 0;
  // Counted events that were equal in all runs are exact.
  if (variation.variance === 0 && !counting && resolution === 0) return undefined;
  return { known: runs.how !== 'min' && normalize !== true, ...noiseOfRuns(runs, variation, counting, resolution) };
}

/** The noise of sample counts; undefined if costs are not sampled. */
function samplingNoise(analysis: Analysis, event: Event): Noise | undefined {
  const { before, profile } = analysis;
  if (profile.kind !== 'stacks' || !before) return undefined;
  const [nowEvent, beforeEvent] = eventInEachRun(event);
  const ours = sampleCost(nowEvent, profile.events);
  const theirs = sampleCost(beforeEvent, before.profile.events);
  // The user may declare that costs are samples. Otherwise, the noise stays unknown.
  const areSamples = profile.compared?.samples === true;
  const known = (ours?.even ?? areSamples) && (theirs?.even ?? areSamples);
  const now = ours?.each ?? 1;
  const then = (theirs?.each ?? 1) * scaleFactor(analysis, event);
  // The expected share of this run in the samples of both runs, if costs are equal.
  const share = then / (now + then);
  return {
    known,
    half: (n, b) => DEVIATIONS_OF_95_PERCENT * Math.sqrt(Math.abs(n) * now + Math.abs(b) * then),
    chance: (n, b) => {
      const [own, other] = [Math.round(Math.abs(n) / now), Math.round(Math.abs(b) / then)];
      return own + other < MIN_TESTED_SAMPLES ? undefined : binomialChance(own, own + other, share);
    },
  };
}

/** The cost of one sample, or of a multiple of a sampled event. `even`: whether all samples have the same cost. */
function sampleCost({ each, uneven, terms, per }: Event, recorded: readonly Event[]) {
  if (each !== undefined) return { each, even: uneven !== true };
  if (per || terms.length !== 1) return undefined;
  const [factor, column] = terms[0];
  const of = recorded.find((e) => e.each !== undefined && e.terms.length === 1 && e.terms[0][1] === column);
  return of?.each === undefined ? undefined : { each: Math.abs((of.each * factor) / of.terms[0][0]), even: of.uneven !== true };
}

/** The noise that several base runs show, with the noise of samples, or else `least`, as a lower bound. */
function noiseOfRuns({ count, how }: BaseRuns, variation: Variation, counting: Noise | undefined, least: number) {
  const { mean, variance, routines } = variation;
  // A run that represents several varies as much as this run does.
  const both = how === 'mean' ? 1 + 1 / count : 2;
  const spreadAt = (now: number, before: number) => {
    const pool = costPool(before || now);
    const near = [pool - 1, pool, pool + 1].flatMap((p) => routines[p] ?? []);
    const all = near.reduce((s, p) => s + p.routines, 0);
    const relative = near.reduce((s, p) => s + p.relative * p.routines, 0) / Math.max(1, all);
    const floor = counting ? counting.half(now, before) / DEVIATIONS_OF_95_PERCENT : least;
    const own = Math.max(Math.abs(before), Math.abs(now) / 2) * Math.sqrt(relative * both);
    return { deviation: Math.max(floor, own), freedom: Math.max(1, Math.min(all, MAX_INDEPENDENT) * (count - 1)) };
  };
  const floor = counting ? (counting.half(mean, 0) / DEVIATIONS_OF_95_PERCENT) ** 2 : least ** 2;
  return {
    half: (now: number, before: number) => {
      const { deviation, freedom } = spreadAt(now, before);
      return studentQuantile(freedom) * deviation;
    },
    chance: (now: number, before: number) => {
      const { deviation, freedom } = spreadAt(now, before);
      return deviation > 0 ? studentChance((now - before) / deviation, freedom) : now === before ? 1 : 0;
    },
    total: { mean, half: studentQuantile(count - 1) * Math.sqrt(Math.max(variance, floor) * (1 + 1 / count)), runs: count },
  };
}

/** The rows whose difference is significant, among those with enough data. */
export function significantRows<T>(rows: readonly T[], chanceOf: (row: T) => number | undefined): T[] {
  const chances = rows.map(chanceOf);
  const tested = chances.filter((chance) => chance !== undefined);
  const limit = falseDiscoveryLimit(tested, MAX_FALSE_SHARE);
  return rows.filter((_, i) => (chances[i] ?? Number.NaN) <= limit);
}
