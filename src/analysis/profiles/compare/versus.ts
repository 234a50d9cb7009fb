// The run that a profile is compared with.
import type { Profile } from '../../../model/profile.ts';
import type { CompareOptions } from './compare.ts';

export interface BaseRun {
  readonly loaded: Profile;
  readonly options: CompareOptions;
  /** The flags for it, for the command that is copied. */
  readonly flags: readonly (readonly [flag: string, value: string])[];
  /** The user said where the base's sources are. */
  readonly trusted: boolean;
}
