// Slices of a trace as stacks: each path of names with the time that it took by itself.
import { atOnce } from '../../base/slices.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { sliceContexts } from '../steps/slice-contexts.ts';
import { contextsInSlices } from './of-contexts.ts';

/**
 * Equal paths of a part are one stack. Where slices of one thread overlap, the stacks below a slice have more time than the slice: its self
 * time counts what they share once, theirs twice. Throws ChoiceError for a trace with too many deep paths.
 */
export function slicesAsStacks(profile: ProfileOf<'steps'>): ProfileOf<'stacks'> {
  return atOnce(stepsAsStacks(profile));
}

/** The same, which yields between slices of work once the paths are known. */
export function* stepsAsStacks(profile: ProfileOf<'steps'>): Generator<undefined, ProfileOf<'stacks'>> {
  const contexts = sliceContexts(profile, undefined, true);
  yield;
  return yield* contextsInSlices(contexts);
}
