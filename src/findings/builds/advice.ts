// Simulated gains, for the rules that say how a build could take less.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { buildUs } from '../../analysis/answers/steps/steps.ts';
import { basisText, knowsNeeds } from '../../analysis/builds/critical.ts';
import { type Chance, chancesOf } from '../../analysis/builds/narrow.ts';
import { failedSteps } from '../../analysis/builds/stages.ts';

const LEAST = 0.03;
export const GAIN_TEXT =
  'a gain of at least 3 % of the build; only if the simulation of the unchanged build is within 10 % of the measured time';

interface Advice {
  /** The duration of the build, in microseconds. */
  readonly wall: number;
  /** All gains, and the largest of those that a rule takes; undefined if it is too small. */
  readonly chances: readonly Chance[];
  readonly best: Chance | undefined;
  readonly why: string;
}

/** `takes`: the gains that a rule is about. */
export function* adviceOn(analysis: Analysis<'steps'>, takes: (chance: Chance) => boolean): Generator<undefined, Advice> {
  const wall = buildUs(analysis);
  // The end of a build that failed is not decided by its steps.
  if (!(wall > 0) || failedSteps(analysis).length > 0 || !(yield* knowsNeeds(analysis)))
    return { wall, chances: [], best: undefined, why: '' };
  const why = `simulated; dependencies from ${basisText(analysis, 'text')}`;
  const chances = yield* chancesOf(analysis).wait();
  const best = chances.find(takes);
  return { wall, chances, best: best && best.gainUs >= LEAST * wall ? best : undefined, why };
}
