// The profile that --base names.
import { FormatError } from '../base/problem.ts';
import type { Kind, Profile } from '../model/profile.ts';

/** Throws FormatError if a profile of that kind cannot be compared with `base`. */
export function checkBase(base: Profile, kind: Kind): void {
  if (base.kind === 'steps' && kind === 'steps' && base.steps.name.length === 0)
    throw new FormatError({ path: base.paths[0] ?? '', expected: 'a build to compare with', found: 'no step' });
  if (base.kind === kind) return;
  throw new FormatError({
    path: base.paths[0] ?? '',
    expected: `a profile of ${kind} to compare with`,
    found: `one of ${base.kind} (${base.format})`,
  });
}
