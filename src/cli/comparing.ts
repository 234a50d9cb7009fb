// Comparing on the command line: the base, its sources, and functions inlined in both runs.

import { loadBase } from '../analysis/answers/compared/runs.ts';
import type { BaseRun } from '../analysis/profiles/compare/versus.ts';
import { collectAddresses } from '../analysis/profiles/inlined/addresses.ts';
import { ChoiceError } from '../base/errors.ts';
import { resolveRuns } from '../io/base.ts';
import type { BaseSourcePaths } from '../io/sources/base-source.ts';
import { possiblePrograms } from '../io/sources/source-text.ts';
import { readInlines } from '../io/symbols/inlines.ts';
import type { Profile } from '../model/profile.ts';
import type { FlagOptions } from './flags.ts';
import type { InputOptions } from './input-options.ts';
import { writeNotice } from './output.ts';

// The source paths of the base, from flags.

/** With --base-rev, git is asked for the files at the current source paths. */
export function baseSourcePathsOf(
  { baseSourceDir, baseRev: rev, sourceDirs, pathMaps, symbols }: FlagOptions,
  now: Profile,
  base: Profile,
): BaseSourcePaths {
  const located = rev === undefined ? base : now;
  const dirs = [...baseSourceDir, ...(rev === undefined ? [] : sourceDirs)];
  return { dirs, maps: pathMaps, profiles: located.paths, programs: possiblePrograms(located, symbols), rev };
}

// Reads the functions inlined at the addresses of a profile, where flags want them.

/**
 * Adds the inlined functions if --inlined is given. Reports objects without any on standard error.
 * Throws ChoiceError if the program or all objects have none.
 */
export async function withInlines(
  profile: Profile,
  { transforms, symbols, sourceDirs, pathMaps }: InputOptions,
): Promise<Profile> {
  if (profile.kind !== 'callgraph' || !transforms.some(({ word }) => word === 'inlined')) return profile;
  const objects = collectAddresses(profile);
  if (objects.length === 0) return profile;
  const sourcePaths = { dirs: sourceDirs, maps: pathMaps, profiles: profile.paths, programs: possiblePrograms(profile, symbols) };
  const { inlines, why } = await readInlines(objects, sourcePaths, symbols, true, new AbortController().signal);
  if (inlines.size === 0 || objects.some(({ isMain, object }) => isMain && !inlines.has(object)))
    throw new ChoiceError(`--inlined: ${why.join('; ')}`);
  for (const text of why) writeNotice(`--inlined: ${text}`);
  return { ...profile, inlines };
}

// Loads the run to compare with, from flags.

/** Loads the base of the open files; undefined if none is named. Throws FormatError. */
export async function loadVersus(
  { base, rename: renames, normalize, samples, runs: how, pathMap: pathMaps, baseSourceDir: dirs, baseRev: rev }: FlagOptions,
  opened: readonly string[],
  load: (paths: readonly string[]) => Promise<Profile>,
): Promise<BaseRun | undefined> {
  if (base.length === 0) return undefined;
  const { profile, runs } = await loadBase(resolveRuns(base, opened), how, load);
  const flags = [
    ...dirs.map((dir) => ['base-source-dir', dir] as const),
    ...(rev === undefined ? [] : [['base-rev', rev] as const]),
  ];
  return { loaded: profile, options: { renames, normalize, samples, pathMaps, runs }, flags, trusted: flags.length > 0 };
}
