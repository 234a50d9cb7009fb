// Slices of a trace as stacks.
import type { ProfileOf } from '../../model/profile.ts';

export function slicesAsStacks(_: ProfileOf<'steps'>): ProfileOf<'stacks'> {
  throw new Error('to be written');
}
