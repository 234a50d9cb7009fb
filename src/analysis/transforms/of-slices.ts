// Slices of a trace as stacks: each path of names with the time that it took by itself.
import type { ProfileOf } from '../../model/profile.ts';
import { sliceContexts } from '../steps/slice-contexts.ts';
import { contextsAsStacks } from './of-contexts.ts';

/**
 * Equal paths of a part are one stack. Where slices of one thread overlap, the stacks below a slice have more time than the slice: its self
 * time counts what they share once, theirs twice. Throws ChoiceError for a trace with too many deep paths.
 */
export function slicesAsStacks(profile: ProfileOf<'steps'>): ProfileOf<'stacks'> {
  return contextsAsStacks(sliceContexts(profile, undefined, true));
}
