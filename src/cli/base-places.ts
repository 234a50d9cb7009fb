// Where the sources of the base are, by what the flags say.
import type { BasePlaces } from '../io/sources/base-source.ts';
import { programsOf } from '../io/sources/source-text.ts';
import type { Profile } from '../model/profile.ts';
import type { Options } from './flags.ts';

/** With --base-rev, git is asked for what stands where the sources are now. */
export function basePlacesOf(
  { baseSourceDir, baseRev: rev, sourceDirs, pathMaps, symbols }: Options,
  now: Profile,
  base: Profile,
): BasePlaces {
  const of = rev === undefined ? base : now;
  const dirs = [...baseSourceDir, ...(rev === undefined ? [] : sourceDirs)];
  return { dirs, maps: pathMaps, profiles: of.paths, programs: programsOf(of, symbols), rev };
}
