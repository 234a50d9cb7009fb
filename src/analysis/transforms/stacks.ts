// Sampled stacks with transforms applied: exact.
import type { ProfileOf } from '../../model/profile.ts';
import type { OwnPlaces } from './own-code.ts';
import type { Untimed } from './transform.ts';

// biome-ignore lint/correctness/useYield: to be written
export function* transformStacks(
  profile: ProfileOf<'stacks'>,
  _transforms: readonly Untimed[],
  _own: OwnPlaces,
): Generator<undefined, ProfileOf<'stacks'>> {
  return profile;
}
