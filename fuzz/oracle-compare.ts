// What a profile is compared with.

import type { BaseRun } from '../src/analysis/profiles/compare/compare.ts';
import { checkComparable } from '../src/analysis/profiles/compare/compare.ts';
import { type Granularity, ROUTINE_GRANULARITY, regroup } from '../src/analysis/profiles/granularity/stacks.ts';
import { FormatError } from '../src/base/problem.ts';
import type { Profile } from '../src/model/profile.ts';

export const versusOf = (loaded: Profile): BaseRun => ({
  loaded,
  options: { pathMaps: [], renames: [], normalize: loaded.routines.name.length % 2 === 1 },
  flags: [],
  trusted: true,
});

export function comparable(now: Profile, before: Profile, granularity: Granularity = ROUTINE_GRANULARITY): boolean {
  try {
    checkComparable(regroup(now, granularity), regroup(before, granularity));
    return true;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
