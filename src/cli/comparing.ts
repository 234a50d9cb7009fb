// Comparing on the command line: the base, its sources, and functions inlined in both runs.

import { loadBase } from '../analysis/answers/compared/runs.ts';
import type { Versus } from '../analysis/profiles/compare/versus.ts';
import { addressesOf } from '../analysis/profiles/inlined/addresses.ts';
import { ChoiceError } from '../base/errors.ts';
import { resolveRuns } from '../io/base.ts';
import type { BasePlaces } from '../io/sources/base-source.ts';
import { programsOf } from '../io/sources/source-text.ts';
import { readInlines } from '../io/symbols/inlines.ts';
import type { Profile } from '../model/profile.ts';
import type { Options } from './flags.ts';
import type { Opened } from './input-options.ts';
import { complainOf } from './output.ts';

// Where the sources of the base are, by what the flags say.

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

// Reads the functions inlined at the addresses of a profile, where flags want them.

/** The profile, with its functions if `--inlined` wants them. Objects without any are named on standard error. Throws ChoiceError if the program or all have none. */
export async function withInlines(profile: Profile, { transforms, symbols, sourceDirs, pathMaps }: Opened): Promise<Profile> {
  if (profile.kind !== 'callgraph' || !transforms.some(({ word }) => word === 'inlined')) return profile;
  const objects = addressesOf(profile);
  if (objects.length === 0) return profile;
  const places = { dirs: sourceDirs, maps: pathMaps, profiles: profile.paths, programs: programsOf(profile, symbols) };
  const { inlines, why } = await readInlines(objects, places, symbols, true, new AbortController().signal);
  if (inlines.size === 0 || objects.some(({ isMain, object }) => isMain && !inlines.has(object)))
    throw new ChoiceError(`--inlined: ${why.join('; ')}`);
  for (const text of why) complainOf(`--inlined: ${text}`);
  return { ...profile, inlines };
}

// The run to compare with, as the flags name it.

/** Loads the base of the open files; undefined if none is named. Throws FormatError. */
export async function loadVersus(
  { base, rename: renames, normalize, samples, runs: how, pathMap: pathMaps, baseSourceDir: dirs, baseRev: rev }: Options,
  opened: readonly string[],
  load: (paths: readonly string[]) => Promise<Profile>,
): Promise<Versus | undefined> {
  if (base.length === 0) return undefined;
  const { profile, runs } = await loadBase(resolveRuns(base, opened), how, load);
  const flags = [
    ...dirs.map((dir) => ['base-source-dir', dir] as const),
    ...(rev === undefined ? [] : [['base-rev', rev] as const]),
  ];
  return { loaded: profile, options: { renames, normalize, samples, pathMaps, runs }, flags, trusted: flags.length > 0 };
}
