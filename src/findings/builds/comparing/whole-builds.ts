// Rules that compare how long two builds took: only builds that came to their end, and did not fail, have such times.
import { whyNotWhole } from '../../../analysis/builds/stages.ts';
import { makeBuildComparingRule } from '../../rule.ts';

/** Makes a rule that says nothing if one of the builds is no whole one; `failed-steps` then says so. */
export const makeWholeBuildsRule: typeof makeBuildComparingRule<'steps'> = ({ find, ...head }) =>
  makeBuildComparingRule<'steps'>({
    ...head,
    find: (e, before) => ((whyNotWhole(e.analysis) ?? whyNotWhole(before)) ? undefined : find(e, before)),
  });
