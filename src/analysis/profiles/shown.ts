// Builds the profile that is shown: the loaded one at a granularity, transformed, and compared with its base.
import { ChoiceError } from '../../base/errors.ts';
import { FormatError } from '../../base/problem.ts';
import { runToEnd, type Sliced } from '../../base/slices.ts';
import type { OwnPaths } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import type { BaseRun } from './compare/compare.ts';
import { compareRuns } from './compare/offered.ts';
import { type Granularity, regroup } from './granularity/stacks.ts';
import { refusalReason, transformInSlices } from './transforms/apply.ts';
import type { Transform } from './transforms/transform.ts';
import { splitUnnamedCode } from './unnamed.ts';

/** How to build the shown profile from a loaded one. */
export interface ShapingOptions {
  readonly granularity: Granularity;
  readonly transforms: readonly Transform[];
  /** The folders of the user's own code. */
  readonly own: OwnPaths | undefined;
  /** The base as loaded; `before` of the analysis of the shown profile is its analysis. */
  readonly versus: BaseRun | undefined;
}

/** Yields often enough to handle keys. Throws ChoiceError and, like compareProfiles(), FormatError. */
export function* buildShownProfileInSlices(loaded: Profile, shaping: ShapingOptions): Sliced<Profile> {
  const { granularity, transforms, own, versus } = shaping;
  /** Transforms apply to routines, whatever rows replace them; slices of a trace have no routines but their rows. */
  function* one(given: Profile): Sliced<Profile> {
    const profile = own ? { ...given, own } : given;
    if (profile.kind === 'callgraph') return yield* transformInSlices(yield* splitUnnamedCode(profile), transforms);
    if (profile.kind !== 'stacks') return yield* transformInSlices(regroup(profile, granularity), transforms);
    return regroup(yield* transformInSlices(profile, transforms), granularity);
  }
  const now = yield* one(loaded);
  if (!versus) return now;
  return compareRuns(now, yield* one(versus.loaded), versus.options);
}

/** Works like buildShownProfileInSlices(), but without pauses. */
export const buildShownProfile = (loaded: Profile, shaping: ShapingOptions): Profile =>
  runToEnd(buildShownProfileInSlices(loaded, shaping));

/**
 * Rebuilds the profile after a reload or regrouping. Drops guessed renames, transforms and a base that no longer fit; `why` is
 * the reason.
 */
export function rebuildShownProfile(
  loaded: Profile,
  shaping: ShapingOptions,
): Pick<ShapingOptions, 'transforms' | 'versus'> & { readonly profile: Profile; readonly why?: string } {
  const { versus } = shaping;
  const transforms = shaping.transforms.filter((t) => refusalReason(loaded, t) === undefined);
  const left = { ...shaping, transforms };
  let why = '';
  for (const choice of versus ? [versus, dropGuessedRenames(versus)] : []) {
    try {
      return { profile: buildShownProfile(loaded, { ...left, versus: choice }), transforms, versus: choice };
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof ChoiceError)) throw error;
      why = error.message;
    }
  }
  const profile = buildShownProfile(loaded, { ...left, versus: undefined });
  return { profile, transforms, versus: undefined, ...(versus ? { why } : {}) };
}

function dropGuessedRenames(versus: BaseRun): BaseRun {
  const userRenames = versus.options.renames.filter((rename) => !rename.exactly);
  return { ...versus, options: { ...versus.options, renames: userRenames } };
}
