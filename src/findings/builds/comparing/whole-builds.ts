// Rules that compare how long two builds took: only builds that came to their end, and did not fail, have such times.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { buildDurationUs, stageSpansOf } from '../../../analysis/answers/steps/steps.ts';
import { whyNotWhole } from '../../../analysis/builds/stages.ts';
import { summedSpansUs } from '../../../model/steps/stages.ts';
import { makeBuildComparingRule } from '../../rule.ts';

/** Makes a rule that says nothing if one of the builds is no whole one; `failed-steps` then says so. */
export const makeWholeBuildsRule: typeof makeBuildComparingRule<'steps'> = ({ find, ...head }) =>
  makeBuildComparingRule<'steps'>({
    ...head,
    find: (e, before) => ((whyNotWhole(e.analysis) ?? whyNotWhole(before)) ? undefined : find(e, before)),
  });

/**
 * The wall times of two builds in the phases that both have, in microseconds. `both`: these phases, where one build has others, too;
 * `alone`: those others, by build; undefined where both have the same phases, or none.
 */
export function comparedWallTimes(now: Analysis<'steps'>, before: Analysis<'steps'>) {
  const spans = [now, before].map(stageSpansOf);
  const names = spans.map((of) => [...new Set(of.map(({ name }) => name))]);
  const both = names[0].filter((name) => names[1].includes(name));
  const alone = names.map((of) => of.filter((name) => !both.includes(name)));
  const isWhole = spans.some((of) => of.length === 0) || alone.every((of) => of.length === 0);
  if (isWhole) return { us: buildDurationUs(now), beforeUs: buildDurationUs(before) };
  const [us, beforeUs] = spans.map((of) => summedSpansUs(of.filter(({ name }) => both.includes(name))));
  return { us, beforeUs, phases: { both, alone } };
}
