// Where the sources of the base are, by what the flags say.
import type { BasePlaces } from '../io/base-source.ts';
import { programsOf } from '../io/source-text.ts';
import type { Profile } from '../model/profile.ts';
import type { Options } from './flags.ts';

/** With --base-rev, git is asked for what stands where the sources are now. */
export function basePlacesOf(
  options: Pick<Options, 'versus' | 'sourceDirs' | 'pathMaps' | 'symbols'>,
  now: Profile,
  base: Profile,
): BasePlaces {
  const { sourceDirs, rev } = options.versus;
  const of = rev === undefined ? base : now;
  return {
    dirs: [...sourceDirs, ...(rev === undefined ? [] : options.sourceDirs)],
    maps: options.pathMaps,
    profiles: of.paths,
    programs: programsOf(of, options.symbols),
    rev,
  };
}
