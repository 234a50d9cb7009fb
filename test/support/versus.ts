// A run to compare with, without anything said of how.
import type { BaseRun, CompareOptions } from '../../src/analysis/profiles/compare/compare.ts';
import type { Profile } from '../../src/model/profile.ts';

export const PLAINLY: CompareOptions = { pathMaps: [], renames: [], normalize: false };

export const versus = (loaded: Profile, options: Partial<CompareOptions> = {}): BaseRun => ({
  loaded,
  options: { ...PLAINLY, ...options },
  flags: [],
  trusted: false,
});
