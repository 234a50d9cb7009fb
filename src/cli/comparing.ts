// Comparing on the command line: the base, its sources, and functions inlined in both runs.

import { loadBase } from '../analysis/answers/compared/runs.ts';
import type { BaseRun } from '../analysis/profiles/compare/compare.ts';
import { collectAddresses } from '../analysis/profiles/inlined/addresses.ts';
import { AnswerError } from '../base/errors.ts';
import { resolveRuns } from '../io/base.ts';
import { type BaseSourcePaths, sourcePathsOf } from '../io/sources/source-text.ts';
import { readInlines } from '../io/symbols/inlines.ts';
import type { Profile } from '../model/profile.ts';
import type { FlagOptions } from './flags.ts';
import type { InputOptions } from './input-options.ts';
import { writeNotice } from './output.ts';

/** The folders and path mappings that lead to the base's sources. With --base-rev, git reads the files at this run's paths. */
export function baseSourcePathsOf(options: FlagOptions, now: Profile, base: Profile): BaseSourcePaths {
  const { baseSourceDir, baseRev: rev, sourceDirs } = options;
  const dirs = [...baseSourceDir, ...(rev === undefined ? [] : sourceDirs)];
  return { ...sourcePathsOf(options, rev === undefined ? base : now), dirs, rev };
}

/**
 * Adds inlined functions to the profile if --inlined is given. Writes to standard error which objects have none.
 * Throws AnswerError if the program has none, or no object has any.
 */
export async function addInlinedCode(profile: Profile, options: InputOptions): Promise<Profile> {
  const { transforms, symbols } = options;
  if (profile.kind !== 'callgraph' || !transforms.some(({ word }) => word === 'inlined')) return profile;
  const objects = collectAddresses(profile);
  if (objects.length === 0) return profile;
  const paths = sourcePathsOf(options, profile);
  const { inlines, why } = await readInlines(objects, paths, symbols, true, new AbortController().signal);
  if (inlines.size === 0 || objects.some(({ isMain, object }) => isMain && !inlines.has(object)))
    throw new AnswerError(`--inlined: ${why.join('; ')}`);
  for (const text of why) writeNotice(`--inlined: ${text}`);
  return { ...profile, inlines };
}

/** Loads the base that --base names; undefined without --base. Throws FormatError. */
export async function loadBaseRun(
  options: FlagOptions,
  opened: readonly string[],
  load: (paths: readonly string[]) => Promise<Profile>,
): Promise<BaseRun | undefined> {
  const { base, rename: renames, noRenames, normalize, samples, runs: how, pathMap: pathMaps } = options;
  const { baseSourceDir: dirs, baseRev: rev } = options;
  if (base.length === 0) return undefined;
  const { profile, runs } = await loadBase(resolveRuns(base, opened), how, load);
  const flags = [
    ...dirs.map((dir) => ['base-source-dir', dir] as const),
    ...(rev === undefined ? [] : [['base-rev', rev] as const]),
  ];
  return {
    loaded: profile,
    options: { renames, noRenames, normalize, samples, pathMaps, runs },
    flags,
    trusted: flags.length > 0,
  };
}
