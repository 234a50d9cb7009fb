// The base run that a profile is compared with.
import type { Profile } from '../../../model/profile.ts';
import type { CompareOptions } from './compare.ts';

export interface BaseRun {
  readonly loaded: Profile;
  readonly options: CompareOptions;
  /** The flags that select the base, for the copied command. */
  readonly flags: readonly (readonly [flag: string, value: string])[];
  /** Whether the user named the folder of the base's sources. */
  readonly trusted: boolean;
}
