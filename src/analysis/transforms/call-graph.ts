// A call graph with transforms applied: shares of costs where several ways meet.
import type { ProfileOf } from '../../model/profile.ts';
import type { OwnPlaces } from './own-code.ts';
import type { Untimed } from './transform.ts';

// biome-ignore lint/correctness/useYield: to be written
export function* transformGraph(
  profile: ProfileOf<'callgraph'>,
  _transforms: readonly Untimed[],
  _own: OwnPlaces,
): Generator<undefined, ProfileOf<'callgraph'>> {
  return profile;
}
