// The profile that is shown: as loaded, at a granularity, with what transforms leave of it, beside its base.
import { ChoiceError } from '../../base/errors.ts';
import { FormatError } from '../../base/problem.ts';
import { atOnce } from '../../base/slices.ts';
import type { Profile } from '../../model/profile.ts';
import { compareProfiles } from './compare/compare.ts';
import type { Versus } from './compare/versus.ts';
import { type Granularity, regrain } from './granularity/stacks.ts';
import { refusal, transforming } from './transforms/apply.ts';
import type { OwnPlaces } from './transforms/own-code.ts';
import type { Transform } from './transforms/transform.ts';

/** The products of a loaded profile. */
export interface Shaping {
  readonly granularity: Granularity;
  readonly transforms: readonly Transform[];
  /** Where one's own code is. */
  readonly own: OwnPlaces;
  readonly versus: Versus | undefined;
}

/** Yields often enough to hear keys. Throws ChoiceError and, as compareProfiles does, FormatError. */
export function* showing(loaded: Profile, { granularity, transforms, own, versus }: Shaping): Generator<undefined, Profile> {
  const one = (profile: Profile) => leftOf(profile, { granularity, transforms, own });
  const now = yield* one(loaded);
  if (!versus) return now;
  return compareProfiles(now, yield* one(versus.loaded), versus.options);
}

/** Transforms apply to routines, whatever rows replace them; slices of a trace have no routines but their rows. */
function* leftOf(profile: Profile, { granularity, transforms, own }: Omit<Shaping, 'versus'>): Generator<undefined, Profile> {
  if (profile.kind !== 'stacks') return yield* transforming(regrain(profile, granularity), transforms, own);
  return regrain(yield* transforming(profile, transforms, own), granularity);
}

/** The same at once. */
export function shownProfile(loaded: Profile, shaping: Shaping): Profile {
  return atOnce(showing(loaded, shaping));
}

/**
 * The same where a profile was read again or regrouped: guesses that no longer fit are dropped, and so are transforms that it cannot
 * follow, and a base that does not fit; `why` says why.
 */
export function shownAgain(
  loaded: Profile,
  shaping: Shaping,
): Pick<Shaping, 'transforms' | 'versus'> & { readonly profile: Profile; readonly why?: string } {
  const { versus } = shaping;
  const transforms = shaping.transforms.filter((t) => refusal(loaded, t) === undefined);
  const left = { ...shaping, transforms };
  let why = '';
  for (const choice of versus ? [versus, withoutGuesses(versus)] : []) {
    try {
      return { profile: shownProfile(loaded, { ...left, versus: choice }), transforms, versus: choice };
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof ChoiceError)) throw error;
      why = error.message;
    }
  }
  const profile = shownProfile(loaded, { ...left, versus: undefined });
  return { profile, transforms, versus: undefined, ...(versus ? { why } : {}) };
}

function withoutGuesses(versus: Versus): Versus {
  const said = versus.options.renames.filter((rename) => !rename.exactly);
  return { ...versus, options: { ...versus.options, renames: said } };
}
