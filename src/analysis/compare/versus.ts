// The run that a profile is compared with, and the profile that is shown of both.

import { ChoiceError } from '../../base/choice-error.ts';
import { FormatError } from '../../base/problem.ts';
import type { Profile } from '../../model/profile.ts';
import { type Granularity, regrain } from '../stacks/granularity.ts';
import { type CompareOptions, compareProfiles } from './compare.ts';

export interface Versus {
  readonly loaded: Profile;
  readonly options: CompareOptions;
  /** What flags say of it, for the command that is copied. */
  readonly flags: readonly (readonly [flag: string, value: string])[];
  /** The user said where the base's sources are. */
  readonly trusted: boolean;
}

/** The profile at a granularity, beside its base if there is one. Throws FormatError and ChoiceError, as compareProfiles does. */
export function shownProfile(loaded: Profile, granularity: Granularity, versus: Versus | undefined): Profile {
  const now = regrain(loaded, granularity);
  return versus ? compareProfiles(now, regrain(versus.loaded, granularity), versus.options) : now;
}

/** The same where a profile was read again or regrouped: guesses that no longer fit are dropped, and a base that no longer does, with the reason. */
export function shownAgain(
  loaded: Profile,
  granularity: Granularity,
  versus: Versus | undefined,
): { readonly profile: Profile; readonly versus: Versus | undefined; readonly why?: string } {
  if (!versus) return { profile: shownProfile(loaded, granularity, undefined), versus };
  const said = versus.options.renames.filter((rename) => !rename.exactly);
  const without = { ...versus, options: { ...versus.options, renames: said } };
  let why = '';
  for (const choice of [versus, without]) {
    try {
      return { profile: shownProfile(loaded, granularity, choice), versus: choice };
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof ChoiceError)) throw error;
      why = error.message;
    }
  }
  return { profile: shownProfile(loaded, granularity, undefined), versus: undefined, why: `no longer compared: ${why}` };
}
