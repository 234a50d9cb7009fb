// The builds of a tree that were kept, and how long each step took in them.
import type { Invariants } from '../invariants.ts';
import { type Strings, stringCount } from '../strings.ts';

/** Facts about a kept build. Absent: the file has none. */
export interface KeptBuildInfo {
  readonly what: 'build' | 'clean' | 'install' | 'tests' | 'configure' | 'nothing';
  /** The event that made the build tool report it. */
  readonly hook: string;
  readonly steps?: number;
  /** The sum of all stages, and the idle time between them. */
  readonly durationMs?: number;
  readonly idleMs?: number;
  readonly failed?: boolean;
  /** '' for none. */
  readonly configs?: readonly string[];
  /** Steps that failed. */
  readonly failures?: number;
  /** Steps that are no wholes, and the sum of their durations. */
  readonly jobs?: number;
  readonly workMs?: number;
  /** When its first step started, in milliseconds since 1970. */
  readonly startMs?: number;
  /** The checked-out revision, and the run of a build server. */
  readonly git?: string;
  readonly job?: string;
  /** The machine, and the number of jobs that the command allowed (-j). */
  readonly host?: string;
  readonly parallel?: number;
  readonly cache?: CacheUse;
}

/** How a compiler cache served the compiles of a build. */
export type CacheUse = {
  readonly hits: number;
  readonly misses: number;
  /** Compiles that the cache could not serve, and the most frequent reason in the cache's words. */
  readonly uncached?: number;
  readonly reason?: string;
};

/** The compiles that went through a compiler cache. */
export const cacheTotal = ({ hits, misses, uncached = 0 }: CacheUse): number => hits + misses + uncached;

/** A build counts as a full one with this part of the jobs that the largest one had. */
export const FULL = 0.9;

/** Whether two builds may be of one configuration: they share one, or one of them names none. */
export const sharesConfig = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === 0 || b.length === 0 || a.some((config) => b.includes(config));

export interface KeptBuild {
  readonly path: string;
  readonly buildInfo: KeptBuildInfo;
}

/** When a build was, in the time zone that all logs have: `2026-11-21 01:39`. */
export function buildLabel({ path, buildInfo }: KeptBuild): string {
  const { startMs } = buildInfo;
  // Later than any clock: the file is wrong.
  if (startMs !== undefined && startMs < 8e15) return new Date(startMs).toISOString().slice(0, 19).replace('T', ' ');
  return path.slice(path.lastIndexOf('/') + 1).replace(/^build-|\.json\.gz$/g, '');
}

export interface BuildHistory {
  /** The oldest first. */
  readonly builds: readonly KeptBuild[];
  /** Steps by what they are in every build, as string ids; their targets, -1 for none. */
  readonly key: Uint32Array;
  readonly target: Int32Array;
  /** Milliseconds by step and build; NaN if the step did not run or its duration is unknown. */
  readonly ms: Float64Array;
}

export function checkHistory({ builds, key, target, ms }: BuildHistory, strings: Strings, to: Invariants): void {
  to.checkTable('history', { key, target }, { key: stringCount(strings), target: stringCount(strings) });
  to.check(ms.length === key.length * builds.length, 'the history has not a time for each step and build');
}
