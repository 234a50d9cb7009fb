// How much of a difference is chance: samples are counted, and a count of n differs from run to run by about its square root (Poisson).
import type { Event } from '../../../model/head.ts';
import type { Analysis } from '../analysis.ts';
import { sideEvents } from './events.ts';
import { scaleFactor } from './measure.ts';

/** Standard deviations on either side of what 95 of 100 runs lie within (normal distribution). */
const DEVIATIONS = 1.96;

/** Half the width of the 95 % interval of a difference, by the costs of both runs; undefined where costs are exact. */
export type Noise = (now: number, before: number) => number;

/** A cost is its samples times the cost of one, so its variance is that cost times the cost of one. */
export function noiseOf(analysis: Analysis, event: Event): Noise | undefined {
  if (analysis.profile.kind !== 'stacks' || !analysis.before) return undefined;
  const [nowEvent, beforeEvent] = sideEvents(event);
  const now = sampleCost(nowEvent, analysis.profile.events);
  const before = sampleCost(beforeEvent, analysis.before.profile.events);
  if (now === undefined || before === undefined) return undefined;
  const scale = before * scaleFactor(analysis, event);
  return (n, b) => DEVIATIONS * Math.sqrt(Math.abs(n) * now + Math.abs(b) * scale);
}

/** The cost of one sample; of a multiple of a recorded event, that multiple. */
function sampleCost({ each, terms, per }: Event, recorded: readonly Event[]): number | undefined {
  if (each !== undefined) return each;
  if (per || terms.length !== 1) return undefined;
  const [factor, column] = terms[0];
  const of = recorded.find((e) => e.each !== undefined && e.terms.length === 1 && e.terms[0][1] === column);
  return of?.each === undefined ? undefined : Math.abs((of.each * factor) / of.terms[0][0]);
}
