// Simulated gains, for rules that advise how to shorten a build.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { buildDurationUs } from '../../analysis/answers/steps/steps.ts';
import { basisText, hasKnownNeeds } from '../../analysis/builds/critical.ts';
import { type Speedup, speedups } from '../../analysis/builds/narrow.ts';
import { failedSteps } from '../../analysis/builds/stages.ts';

const MIN_GAIN_SHARE = 0.03;
export const GAIN_THRESHOLD_TEXT =
  'a gain of at least 3 % of the build; only if the simulation of the unchanged build is within 10 % of the measured time';

/**
 * Simulates changes that would shorten the build: all gains, and the largest one that the rule accepts (`isWanted`); undefined if that is
 * too small.
 */
export function* findAdvice(analysis: Analysis<'steps'>, isWanted: (chance: Speedup) => boolean) {
  const wall = buildDurationUs(analysis);
  // The duration of a failed build does not depend on its steps.
  if (!(wall > 0) || failedSteps(analysis).length > 0 || !(yield* hasKnownNeeds(analysis)))
    return { wall, chances: [], best: undefined, why: '' };
  const why = `simulated; dependencies from ${basisText(analysis, 'text')}`;
  const chances = yield* speedups(analysis).wait();
  const best = chances.find(isWanted);
  return { wall, chances, best: best && best.gainUs >= MIN_GAIN_SHARE * wall ? best : undefined, why };
}
