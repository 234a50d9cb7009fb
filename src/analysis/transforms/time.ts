// Steps in a range of time.
import type { ProfileOf } from '../../model/profile.ts';
import type { TimeRange } from './time-range.ts';

export function clipped(profile: ProfileOf<'steps'>, _: TimeRange): ProfileOf<'steps'> {
  return profile;
}
