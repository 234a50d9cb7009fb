// The kept builds of a tree: their durations, and the series of durations of each step and target over the builds.
import { falseDiscoveryLimit } from '../../base/chance.ts';
import { getOrMake, memo } from '../../base/lists.ts';
import { medianOf } from '../../base/median.ts';
import type { ProfileOf } from '../../model/profile.ts';
import {
  type BuildHistory,
  buildLabel,
  type CacheUse,
  cachedCompileCount,
  type KeptBuild,
  MIN_FULL_BUILD_SHARE,
  sharesConfig,
} from '../../model/steps/history.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../answers/analysis.ts';
import { wholeWindowOf } from '../answers/steps/steps.ts';
import { type ChangePoint, findChangePoint, MAX_FALSE_CHANGES } from './change-point.ts';

export const HISTORY_TABLES = ['builds', 'steps', 'targets'] as const;
export type HistoryTable = (typeof HISTORY_TABLES)[number];

/** A row: a build, or the series of a step or target over all builds. */
export interface HistoryRow {
  readonly name: string;
  /** The build; absent for series. */
  readonly build?: KeptBuild;
  /** Milliseconds in each build, oldest first; NaN if it did not run. For a build: the durations of all builds up to it. */
  readonly ms: readonly number[];
  readonly runs: number;
  /** The duration in the last build in which it ran, in milliseconds. */
  readonly lastMs: number;
  readonly medianMs: number;
  readonly change: (ChangePoint & { readonly build: number }) | undefined;
}

export function historyOf(profile: ProfileOf<'steps'>): BuildHistory {
  const { history } = profile.steps;
  if (!history) throw new Error('the profile has no history');
  return history;
}

/** Only this many rows, those that took longest, are tested for changes. */
const MAX_TESTED_ROWS = 5000;
/** Series with at least this share of all work are tested together; the many smaller ones are tested separately. */
const LARGE_WORK_SHARE = 0.02;
const MIN_CHANGE_MS = 5;

/** By build: whether it is comparable with the shown one: same host, -j and configuration, as far as both record them. */
export function comparableBuilds(analysis: Analysis<'steps'>): readonly boolean[] {
  const { builds } = historyOf(analysis.profile);
  const shownBuild =
    builds[shownBuildIndex(analysis)] ?? builds.findLast(({ buildInfo }) => buildInfo.what === 'build') ?? builds.at(-1);
  const same = <T>(a: T | undefined, b: T | undefined) => a === undefined || b === undefined || a === b;
  return builds.map(
    ({ buildInfo }) =>
      same(buildInfo.host, shownBuild?.buildInfo.host) &&
      same(buildInfo.parallel, shownBuild?.buildInfo.parallel) &&
      sharesConfig(buildInfo.configs, shownBuild?.buildInfo.configs),
  );
}

/** By build: whether it is comparable, complete and did not fail. */
function completeBuilds(analysis: Analysis<'steps'>): readonly boolean[] {
  const alike = comparableBuilds(analysis);
  const { builds } = historyOf(analysis.profile);
  const sizes = builds.map(({ buildInfo }, b) =>
    alike[b] && buildInfo.what === 'build' ? (buildInfo.jobs ?? buildInfo.steps ?? 0) : 0,
  );
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  return builds.map(({ buildInfo }, b) => sizes[b] > 0 && sizes[b] >= MIN_FULL_BUILD_SHARE * most && buildInfo.failed !== true);
}

/** Makes the row of a series. `fits`: by build, whether its times are comparable. */
function seriesRow(name: string, ms: readonly number[], isLookedAt: boolean, fits: readonly boolean[]): HistoryRow {
  const values = ms.filter((value) => !Number.isNaN(value));
  const buildIndexes = ms.flatMap((value, b) => (Number.isNaN(value) || !fits[b] ? [] : [b]));
  const found = isLookedAt ? findChangePoint(buildIndexes.map((b) => ms[b])) : undefined;
  return {
    name,
    ms,
    runs: values.length,
    lastMs: values.at(-1) ?? Number.NaN,
    medianMs: values.length > 0 ? medianOf(values) : Number.NaN,
    change:
      found && Math.abs(found.after - found.before) >= MIN_CHANGE_MS ? { ...found, build: buildIndexes[found.at] } : undefined,
  };
}

/** The size of a series' change in milliseconds; 0 without a change. */
export const changeMs = ({ change }: HistoryRow): number => (change ? change.after - change.before : 0);

/** The durations of a step, or of a target's steps, in each build, and the number of steps that ran. */
type DurationSeries = Record<'ms' | 'ran', number[]>;

const seriesRows = (rows: ReadonlyMap<string, DurationSeries>, alike: readonly boolean[]): readonly HistoryRow[] => {
  const last = ({ ms }: DurationSeries) => ms.findLast((value) => !Number.isNaN(value)) ?? 0;
  const all = [...rows]
    .sort((a, b) => last(b[1]) - last(a[1]) || (a[0] < b[0] ? -1 : 1))
    .map(([name, { ms, ran }], k) => {
      const most = ran.reduce((a, b) => Math.max(a, b), 0);
      const fits = alike.map((is, b) => is && ran[b] >= MIN_FULL_BUILD_SHARE * most);
      return seriesRow(name, ms, k < MAX_TESTED_ROWS, fits);
    });
  const least = LARGE_WORK_SHARE * all.reduce((sum, { lastMs }) => sum + (lastMs || 0), 0);
  return [true, false].flatMap((large) => dropChanceChanges(all.filter(({ lastMs }) => lastMs >= least === large)));
};

/** Removes changes that are likely chance. At most a share of MAX_FALSE_CHANGES of the kept ones is false. */
function dropChanceChanges(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  const chances = rows.slice(0, MAX_TESTED_ROWS).map(({ change }) => change?.chance ?? 1);
  const limit = falseDiscoveryLimit(chances, MAX_FALSE_CHANGES);
  return rows.map((row) => (row.change && row.change.chance > limit ? { ...row, change: undefined } : row));
}

/** Builds, newest first; or series, those that slowed down most first, then by their last duration. */
export const historyRows = memo((analysis: Analysis<'steps'>, table: HistoryTable): readonly HistoryRow[] => {
  const { profile } = analysis;
  const { builds, key, target, ms } = historyOf(profile);
  const count = builds.length;
  if (table === 'builds') {
    const took = builds.map(({ buildInfo }) => buildInfo.durationMs ?? Number.NaN);
    const full = completeBuilds(analysis);
    const rows = builds.map((build, b) => ({ ...seriesRow(buildLabel(build), took.slice(0, b + 1), false, full), build }));
    const { change } = seriesRow('', took, true, full);
    return rows.map((row, b) => (change?.kind === 'step' && change.build === b ? { ...row, change } : row)).reverse();
  }
  const rows = new Map<string, DurationSeries>();
  for (let i = 0; i < key.length; i++) {
    const name = stringAt(profile.strings, table === 'steps' ? key[i] : target[i]);
    if (name === '') continue;
    const own = ms.subarray(i * count, (i + 1) * count);
    const none = () => ({ ms: new Array<number>(count).fill(Number.NaN), ran: new Array<number>(count).fill(0) });
    const series = getOrMake(rows, name, none);
    own.forEach((value, b) => {
      if (Number.isNaN(value)) return;
      series.ms[b] = value + (series.ms[b] || 0);
      series.ran[b]++;
    });
  }
  return [...seriesRows(rows, comparableBuilds(analysis))].sort(
    (a, b) => changeMs(b) - changeMs(a) || (b.lastMs || 0) - (a.lastMs || 0),
  );
}, 4);

/** The index of the shown build among the kept ones, by file, else by start time; -1 if it is not kept. */
export const shownBuildIndex = memo((analysis: Analysis<'steps'>): number => {
  const { steps, paths } = analysis.profile;
  const { builds } = historyOf(analysis.profile);
  const byFile = builds.findIndex(({ path }) => paths.includes(path));
  if (byFile >= 0 || steps.originUs === null) return byFile;
  const startMs = (steps.originUs + wholeWindowOf(analysis)[0]) / 1000;
  return builds.findIndex(({ buildInfo }) => buildInfo.startMs !== undefined && Math.abs(buildInfo.startMs - startMs) < 1);
}, 4);

/** How a compiler cache served the shown build; undefined if no log was kept. */
export function cacheOf(analysis: Analysis<'steps'>): CacheUse | undefined {
  if (!analysis.profile.steps.history) return undefined;
  const cache = historyOf(analysis.profile).builds[shownBuildIndex(analysis)]?.buildInfo.cache;
  return cache && cachedCompileCount(cache) > 0 ? cache : undefined;
}

/** Where a build's change came from, as far as it is known: `2026-11-21 01:39 (3f2a9c1, job 77)`. */
export function buildOriginText({ builds }: BuildHistory, build: number): string {
  const at = builds[build];
  if (!at) return '';
  const { git, job } = at.buildInfo;
  const more = [git?.slice(0, 10), job === undefined ? undefined : `job ${job}`].filter((x) => x);
  return `${buildLabel(at)}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}
