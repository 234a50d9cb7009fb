// The kept builds of a tree: how long each took, and the course of each step and target over the builds in which it ran.
import { falseDiscoveryLimit } from '../../base/chance.ts';
import { medianOf } from '../../base/median.ts';
import { memo } from '../../base/memo.ts';
import type { ProfileOf } from '../../model/profile.ts';
import {
  type BuildHistory,
  buildLabel,
  type CacheUse,
  cacheTotal,
  FULL,
  type KeptBuild,
  sharesConfig,
} from '../../model/steps/history.ts';
import { stringAt } from '../../model/strings.ts';
import type { Analysis } from '../answers/analysis.ts';
import { wholeWindowOf } from '../answers/steps/steps.ts';
import { type Change, changePoint, FALSE_CHANGES } from './change-point.ts';

export const HISTORIES = ['builds', 'steps', 'targets'] as const;
export type HistoryTable = (typeof HISTORIES)[number];

/** A build, or the course of a step or target over all builds. */
export interface HistoryRow {
  readonly name: string;
  /** The build; absent for courses. */
  readonly build?: KeptBuild;
  /** Milliseconds in each build, the oldest first; NaN where it did not run. Of a build: its duration up to it. */
  readonly ms: readonly number[];
  readonly runs: number;
  /** In the last build in which it ran. */
  readonly lastMs: number;
  readonly medianMs: number;
  readonly change: (Change & { readonly build: number }) | undefined;
}

export function historyOf(profile: ProfileOf<'steps'>): BuildHistory {
  const { history } = profile.steps;
  if (!history) throw new Error('the profile has no history');
  return history;
}

/** Steps whose changes are looked for: those that took the longest. */
const LOOKED_AT = 5000;
/** Courses that end with at least this part of all work are judged together, and the small ones that are many by themselves. */
const LARGE = 0.02;
/** Milliseconds by which a time must change to be told. */
const LEAST_MS = 5;

/**
 * Whether builds can be compared with the one that is shown: made by the same host with the same -j and configuration, as far as both say
 * these.
 */
function alikeIn(analysis: Analysis<'steps'>): readonly boolean[] {
  const { builds } = historyOf(analysis.profile);
  const shown = builds[openBuild(analysis)] ?? builds.findLast(({ about }) => about.what === 'build') ?? builds.at(-1);
  const same = <T>(a: T | undefined, b: T | undefined) => a === undefined || b === undefined || a === b;
  return builds.map(
    ({ about }) =>
      same(about.host, shown?.about.host) &&
      same(about.parallel, shown?.about.parallel) &&
      sharesConfig(about.configs, shown?.about.configs),
  );
}

/** Complete builds that did not fail, of those that are alike. */
function fullIn(analysis: Analysis<'steps'>): readonly boolean[] {
  const alike = alikeIn(analysis);
  const { builds } = historyOf(analysis.profile);
  const sizes = builds.map(({ about }, b) => (alike[b] && about.what === 'build' ? (about.jobs ?? about.steps ?? 0) : 0));
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  return builds.map(({ about }, b) => sizes[b] > 0 && sizes[b] >= FULL * most && about.failed !== true);
}

/** `fits`: whether the times of a build can be compared with those of the others. */
function courseRow(name: string, ms: readonly number[], isLookedAt: boolean, fits: readonly boolean[]): HistoryRow {
  const values = ms.filter((value) => !Number.isNaN(value));
  const places = ms.flatMap((value, b) => (Number.isNaN(value) || !fits[b] ? [] : [b]));
  const found = isLookedAt ? changePoint(places.map((b) => ms[b])) : undefined;
  return {
    name,
    ms,
    runs: values.length,
    lastMs: values.at(-1) ?? Number.NaN,
    medianMs: values.length > 0 ? medianOf(values) : Number.NaN,
    change: found && Math.abs(found.after - found.before) >= LEAST_MS ? { ...found, build: places[found.at] } : undefined,
  };
}

/** How much longer it takes since it changed; 0 where it did not. */
export const changeMs = ({ change }: HistoryRow): number => (change ? change.after - change.before : 0);

/** The times of a step, or of the steps of a target, in each build, and how many of them ran there. */
interface Course {
  readonly ms: number[];
  readonly ran: number[];
}

const courses = (rows: ReadonlyMap<string, Course>, alike: readonly boolean[]): readonly HistoryRow[] => {
  const last = ({ ms }: Course) => ms.findLast((value) => !Number.isNaN(value)) ?? 0;
  const all = [...rows]
    .sort((a, b) => last(b[1]) - last(a[1]) || (a[0] < b[0] ? -1 : 1))
    .map(([name, { ms, ran }], k) => {
      const most = ran.reduce((a, b) => Math.max(a, b), 0);
      return courseRow(
        name,
        ms,
        k < LOOKED_AT,
        alike.map((is, b) => is && ran[b] >= FULL * most),
      );
    });
  const least = LARGE * all.reduce((sum, { lastMs }) => sum + (lastMs || 0), 0);
  return [true, false].flatMap((large) => credible(all.filter(({ lastMs }) => lastMs >= least === large)));
};

/** Some of many courses look changed by chance: a change is kept where so many others are as unlikely that at most FALSE_CHANGES are false. */
function credible(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  const limit = falseDiscoveryLimit(
    rows.slice(0, LOOKED_AT).map(({ change }) => change?.chance ?? 1),
    FALSE_CHANGES,
  );
  return rows.map((row) => (row.change && row.change.chance > limit ? { ...row, change: undefined } : row));
}

/** Builds from the newest on; courses by what became slower most, then by how long they took last. */
export const historyRows = memo((analysis: Analysis<'steps'>, table: HistoryTable): readonly HistoryRow[] => {
  const { profile } = analysis;
  const { builds, key, target, ms } = historyOf(profile);
  const count = builds.length;
  if (table === 'builds') {
    const took = builds.map(({ about }) => about.durationMs ?? Number.NaN);
    const full = fullIn(analysis);
    const rows = builds.map((build, b) => ({ ...courseRow(buildLabel(build), took.slice(0, b + 1), false, full), build }));
    const { change } = courseRow('', took, true, full);
    return rows.map((row, b) => (change?.kind === 'step' && change.build === b ? { ...row, change } : row)).reverse();
  }
  const rows = new Map<string, Course>();
  for (let i = 0; i < key.length; i++) {
    const name = stringAt(profile.strings, table === 'steps' ? key[i] : target[i]);
    if (name === '') continue;
    const own = ms.subarray(i * count, (i + 1) * count);
    const course = rows.get(name) ?? { ms: new Array<number>(count).fill(Number.NaN), ran: new Array<number>(count).fill(0) };
    rows.set(name, course);
    own.forEach((value, b) => {
      if (Number.isNaN(value)) return;
      course.ms[b] = value + (course.ms[b] || 0);
      course.ran[b]++;
    });
  }
  return [...courses(rows, alikeIn(analysis))].sort((a, b) => changeMs(b) - changeMs(a) || (b.lastMs || 0) - (a.lastMs || 0));
}, 4);

/** The place of the build that is shown among the kept ones, by its file, else by when it started; -1 if it is none of them. */
export const openBuild = memo((analysis: Analysis<'steps'>): number => {
  const { steps, paths } = analysis.profile;
  const { builds } = historyOf(analysis.profile);
  const byFile = builds.findIndex(({ path }) => paths.includes(path));
  if (byFile >= 0 || steps.originUs === null) return byFile;
  const startMs = (steps.originUs + wholeWindowOf(analysis)[0]) / 1000;
  return builds.findIndex(({ about }) => about.startMs !== undefined && Math.abs(about.startMs - startMs) < 1);
}, 4);

/** How a compiler cache served the build that is shown; undefined where no log of it was kept. */
export function cacheOf(analysis: Analysis<'steps'>): CacheUse | undefined {
  if (!analysis.profile.steps.history) return undefined;
  const cache = historyOf(analysis.profile).builds[openBuild(analysis)]?.about.cache;
  return cache && cacheTotal(cache) > 0 ? cache : undefined;
}

/** Where a build's change came from, as far as it is known: `2026-11-21 01:39 (3f2a9c1, job 77)`. */
export function originOf({ builds }: BuildHistory, build: number): string {
  const at = builds[build];
  if (!at) return '';
  const { git, job } = at.about;
  const more = [git?.slice(0, 10), job === undefined ? undefined : `job ${job}`].filter((x) => x);
  return `${buildLabel(at)}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}
