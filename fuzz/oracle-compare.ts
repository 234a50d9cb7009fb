// What a profile is compared with.
import { checkComparable } from '../src/analysis/profiles/compare/compare.ts';
import type { Versus } from '../src/analysis/profiles/compare/versus.ts';
import { BY_ROUTINE, type Granularity, regrain } from '../src/analysis/profiles/granularity/stacks.ts';
import { FormatError } from '../src/base/problem.ts';
import type { Profile } from '../src/model/profile.ts';

export const versusOf = (loaded: Profile): Versus => ({
  loaded,
  options: { pathMaps: [], renames: [], normalize: loaded.routines.name.length % 2 === 1 },
  flags: [],
  trusted: true,
});

export function comparable(now: Profile, before: Profile, granularity: Granularity = BY_ROUTINE): boolean {
  try {
    checkComparable(regrain(now, granularity), regrain(before, granularity));
    return true;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
