// The run to compare with, as the flags name it.
import { loadBase } from '../analysis/answers/compared/runs.ts';
import type { Versus } from '../analysis/profiles/compare/versus.ts';
import { resolveRuns } from '../io/base.ts';
import type { Profile } from '../model/profile.ts';
import type { Options } from './flags.ts';

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
