// Recorded calling contexts as stacks.
import type { ProfileOf } from '../../model/profile.ts';

export function contextsAsStacks(_: ProfileOf<'inputs'>): ProfileOf<'stacks'> {
  throw new Error('to be written');
}
