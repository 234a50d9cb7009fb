// The run to compare with, as the flags name it.
import type { PathMaps } from '../analysis/compare/paths.ts';
import type { Rename } from '../analysis/compare/renames.ts';
import { loadBase } from '../analysis/compare/runs.ts';
import type { Versus } from '../analysis/compare/versus.ts';
import { resolveRuns } from '../io/base.ts';
import type { Profile, RUNS } from '../model/profile.ts';

/** What flags say of it. */
export interface VersusOptions {
  /** Paths, folders and patterns; none where nothing is compared. */
  readonly bases: readonly string[];
  readonly renames: readonly Rename[];
  readonly normalize: boolean;
  readonly how: (typeof RUNS)[number];
  readonly sourceDirs: readonly string[];
  readonly rev: string | undefined;
  readonly pathMaps: PathMaps;
}

/** Loads what stands for the base of the files that are open; undefined if none is named. Throws FormatError. */
export async function loadVersus(
  { bases, renames, normalize, how, pathMaps, sourceDirs, rev }: VersusOptions,
  opened: readonly string[],
  load: (paths: readonly string[]) => Promise<Profile>,
): Promise<Versus | undefined> {
  if (bases.length === 0) return undefined;
  const { profile, runs } = await loadBase(resolveRuns(bases, opened), how, load);
  const trusted = sourceDirs.length > 0 || rev !== undefined;
  const flags = [
    ...sourceDirs.map((dir) => ['base-source-dir', dir] as const),
    ...(rev === undefined ? [] : [['base-rev', rev] as const]),
  ];
  return { loaded: profile, options: { renames, normalize, pathMaps, runs }, flags, trusted };
}
