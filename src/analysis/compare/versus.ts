// The run that a profile is compared with, and the profile that is shown of both.

import type { Profile } from '../../model/profile.ts';
import { type Granularity, regrain } from '../stacks/granularity.ts';
import { type CompareOptions, compareProfiles } from './compare.ts';

export interface Versus {
  readonly loaded: Profile;
  readonly options: CompareOptions;
  /** The user said where the base's sources are. */
  readonly trusted: boolean;
}

/** The profile at a granularity, beside its base if there is one. Throws FormatError and ChoiceError, as compareProfiles does. */
export function shownProfile(loaded: Profile, granularity: Granularity, versus: Versus | undefined): Profile {
  const now = regrain(loaded, granularity);
  return versus ? compareProfiles(now, regrain(versus.loaded, granularity), versus.options) : now;
}
