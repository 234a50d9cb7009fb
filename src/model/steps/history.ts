// The kept builds of a build tree, and the duration of each step in them.
import type { Invariants } from '../invariants.ts';
import { type Strings, stringCount } from '../strings.ts';

/** Facts about a kept build. Absent ones are not recorded in its file. */
export interface KeptBuildInfo {
  readonly what: 'build' | 'clean' | 'install' | 'tests' | 'configure' | 'nothing';
  /** The event that made the build tool report this build. */
  readonly hook: string;
  readonly steps?: number;
  /** The total duration of all stages, and the idle time between them. */
  readonly durationMs?: number;
  readonly idleMs?: number;
  readonly failed?: boolean;
  /** The configurations of the build; '' stands for none. */
  readonly configs?: readonly string[];
  readonly failures?: number;
  /** The number of steps that do not span a whole build, and the sum of their durations. */
  readonly jobs?: number;
  readonly workMs?: number;
  /** The start of the first step, in milliseconds since 1970. */
  readonly startMs?: number;
  /** The checked-out revision, and the id of the run on a build server. */
  readonly git?: string;
  readonly job?: string;
  /** The machine, and the number of parallel jobs that the command allowed (-j). */
  readonly host?: string;
  readonly parallel?: number;
  readonly cache?: CacheUse;
}

/** How a compiler cache served the compiles of a build. */
export type CacheUse = {
  readonly hits: number;
  readonly misses: number;
  /** The number of compiles that the cache could not serve, and the most frequent reason, as the cache names it. */
  readonly uncached?: number;
  readonly reason?: string;
};

export const cachedCompileCount = ({ hits, misses, uncached = 0 }: CacheUse): number => hits + misses + uncached;

/** A build counts as full if it has at least this share of the jobs of the largest build. */
export const MIN_FULL_BUILD_SHARE = 0.9;

/** Whether two builds may have the same configuration: they share one, or one of them names none. */
export const sharesConfig = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === 0 || b.length === 0 || a.some((config) => b.includes(config));

export interface KeptBuild {
  readonly path: string;
  readonly buildInfo: KeptBuildInfo;
}

/** The time of a build, in UTC like all logs: `2026-11-21 01:39`. */
export function buildLabel({ path, buildInfo }: KeptBuild): string {
  const { startMs } = buildInfo;
  // Times beyond the range of dates are errors of the file.
  if (startMs !== undefined && startMs < 8e15) return new Date(startMs).toISOString().slice(0, 19).replace('T', ' ');
  return path.slice(path.lastIndexOf('/') + 1).replace(/^build-|\.json\.gz$/g, '');
}

export interface BuildHistory {
  /** The kept builds, oldest first. */
  readonly builds: readonly KeptBuild[];
  /** A key that identifies each step in every build, as a string id. `target`: the step's target, -1 for none. */
  readonly key: Uint32Array;
  readonly target: Int32Array;
  /** Milliseconds by step and build; NaN if the step did not run or its duration is unknown. */
  readonly ms: Float64Array;
}

export function checkHistory({ builds, key, target, ms }: BuildHistory, strings: Strings, to: Invariants): void {
  to.checkTable('history', { key, target }, { key: stringCount(strings), target: stringCount(strings) });
  to.check(ms.length === key.length * builds.length, 'the history has not a time for each step and build');
}
