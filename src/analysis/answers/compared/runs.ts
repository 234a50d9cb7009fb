// Several runs of one program as the base: which run stands for all of them, and how far they differ.
import { FormatError } from '../../../base/problem.ts';
import { formatCost, plural, type Unit } from '../../../base/units.ts';
import { type Event, eventValue, type Part } from '../../../model/head.ts';
import type { BaseRuns, Profile } from '../../../model/profile.ts';
import { analyse } from '../analyse.ts';
import { withStandardEvents } from '../events.ts';
import { RunVariation } from './variation.ts';

type FilePaths = readonly string[];
type LoadProfile = (paths: FilePaths) => Promise<Profile>;

type MeasuredRun = Awaited<ReturnType<typeof measureRun>>;

/**
 * The profile to compare with. Of several runs, each is loaded in turn, and only one is kept in memory: the one with the median or the
 * smallest total of their first event, or for the mean all of them as one, whose costs and counts are to be multiplied by `runs.scale`.
 * Files that are named like those of one run but are not are several runs. Throws FormatError for runs that have nothing in common.
 */
export async function loadBase(runs: readonly FilePaths[], how: BaseRuns['how'], load: LoadProfile) {
  let each = runs;
  if (each.length === 1) {
    const profile = await load(each[0]);
    each = splitByRun(profile, each[0]);
    if (each.length === 1) return { profile };
  }
  const measured: MeasuredRun[] = [];
  const varying = new RunVariation();
  for (const files of each) {
    const run = await measureRun(files, load, varying);
    if (run.filesByRun.length === 1) measured.push(run);
    else for (const own of run.filesByRun) measured.push(await measureRun(own, load, varying));
    requireComparable(measured, how);
  }
  const spread = spreadOf(measured);
  const count = measured.length;
  const variation = varying.result(count);
  const files = how === 'mean' ? measured.flatMap((m) => m.files) : representativeRun(measured, spread, how).files;
  return { profile: await load(files), runs: { count, how, spread, variation, scale: how === 'mean' ? 1 / count : 1 } };
}

/**
 * The facts about a run that are kept while the others are loaded. `totals`: by event; ratios have none. `filesByRun`: if the files
 * belong to several runs, they are split by run.
 */
async function measureRun(files: FilePaths, load: LoadProfile, varying: RunVariation) {
  const profile = await load(files);
  // A run that was cut off could wrongly have the smallest total.
  if (profile.cut) throw new FormatError({ ...profile.cut, hint: 'leave out this run: the total of a part of it says nothing' });
  const analysis = analyse(profile, withStandardEvents(profile.events));
  const { totals, events } = analysis;
  const apart = splitByRun(profile, files);
  // If the files contain several runs, these are measured one by one.
  if (apart.length === 1) varying.add(analysis, events);
  const sums = events.flatMap((e) => (e.per ? [] : [[e.name, eventValue(e, totals.total, 0)] as const]));
  return { files, kind: profile.kind, totals: new Map(sums), filesByRun: apart };
}

/**
 * The files of a profile by run. Names may mislead: `old.out.2` is the second part of a run, or the second run. But a run has one
 * process, and writes every part and thread once. Sampled profiles say nothing of that, so their names decide.
 */
function splitByRun({ kind, parts }: Profile, files: FilePaths): FilePaths[] {
  if (kind !== 'callgraph') return [files];
  const identity = ({ pid, part, thread }: Part) => `${pid} ${part} ${thread}`;
  const runs: { pid: number | null; seen: Set<string>; files: string[] }[] = [];
  for (const path of files) {
    const own = parts.filter((p) => p.path === path);
    // A file without parts is empty.
    if (own.length === 0) continue;
    const run = runs.find(({ pid, seen }) => pid === own[0].pid && !own.some((p) => seen.has(identity(p))));
    if (run) run.files.push(path);
    else runs.push({ pid: own[0].pid, seen: new Set(), files: [path] });
    for (const p of own) (run ?? runs[runs.length - 1]).seen.add(identity(p));
  }
  return runs.length > 1 ? runs.map((run) => run.files) : [files];
}

function requireComparable(measured: readonly MeasuredRun[], how: BaseRuns['how']): void {
  const [first] = measured;
  const path = (m: MeasuredRun) => m.files[0] ?? '';
  const refuse = (m: MeasuredRun, expected: string, more: { readonly hint?: string } = {}) => {
    throw new FormatError({ path: path(m), expected, found: `one of ${m.kind}`, ...more });
  };
  for (const m of measured)
    if (m.kind !== first.kind) refuse(m, `a profile of ${first.kind} like ${path(first)}: one of several runs represents all`);
  if (how === 'mean' && (first.kind === 'steps' || first.kind === 'processes'))
    refuse(first, 'profiles whose costs add up, for the mean of several runs', {
      hint: '--runs median or min uses one of them unchanged',
    });
}

/** By event: the smallest and largest total. Events that some runs lack are left out. Throws FormatError if none remains. */
function spreadOf(measured: readonly MeasuredRun[]): BaseRuns['spread'] {
  const spread = new Map<string, readonly [least: number, most: number]>();
  for (const name of measured[0].totals.keys()) {
    const totals = measured.flatMap((m) => m.totals.get(name) ?? []);
    if (totals.length === measured.length) spread.set(name, [Math.min(...totals), Math.max(...totals)]);
  }
  if (spread.size > 0) return spread;
  const names = [...measured[0].totals.keys()];
  const other = measured.find((m) => !names.some((name) => m.totals.has(name))) ?? measured[0];
  throw new FormatError({
    path: other.files[0] ?? '',
    expected: `an event that all runs have, such as those of ${measured[0].files[0]}: ${names.join(', ') || 'none'}`,
    found: [...other.totals.keys()].join(', ') || 'none',
  });
}

/** The run with the smallest total, or the lower median. Of equal runs, the first one is chosen. */
function representativeRun(measured: readonly MeasuredRun[], spread: BaseRuns['spread'], how: 'median' | 'min'): MeasuredRun {
  const [event] = spread.keys();
  const total = ({ totals }: MeasuredRun) => totals.get(event) ?? 0;
  const sorted = [...measured].sort((a, b) => total(a) - total(b));
  return sorted[how === 'min' ? 0 : (sorted.length - 1) >> 1];
}

const REPRESENTATIVE_TEXTS: Readonly<Record<BaseRuns['how'], string>> = {
  median: 'represented by the one with the median total',
  min: 'represented by the one with the smallest total',
  mean: 'represented by their mean',
};

/** Notes on several runs, one per line: the representative run, and how far the totals of each event differ. */
export function spreadNotes(runs: BaseRuns, events: readonly Event[]): string[] {
  const rows = events.flatMap(({ name, unit }) => {
    const [least, most] = runs.spread.get(name) ?? [];
    if (least === undefined || most === undefined) return [];
    return [`${name}: ${least === most ? `the same in all ${runs.count}` : rangeText(least, most, unit)}`];
  });
  return [`${plural(runs.count, 'run')}, ${REPRESENTATIVE_TEXTS[runs.how]}`, ...rows];
}

function rangeText(least: number, most: number, unit: Unit): string {
  const percent = (100 * (most - least)) / Math.abs(least);
  const share = percent < 0.1 ? 'less than 0.1' : percent.toFixed(percent < 99.95 ? 1 : 0);
  return `${formatCost(least, unit)} to ${formatCost(most, unit)}${Number.isFinite(percent) ? ` (${share} %)` : ''}`;
}

/** Events of Valgrind's simulations that depend on conditions besides the program and its input, and why. */
const INEXACT_EVENTS: readonly (readonly [names: RegExp, why: string])[] = [
  [/^(?:[ID][12L]d?m[rw]|L[12L]m|(?:AcCost|SpLoss)[12])$/, 'misses depend on addresses, which may differ from run to run'],
  [/^(?:Bcm|Bim|Bm)$/, 'mispredictions depend on addresses, which may differ from run to run'],
  [/^CEst$/, 'it estimates cycles by misses and mispredictions, which depend on addresses'],
  [/^sys(?:Cpu)?Time$/, 'a clock measures it'],
];

/**
 * Why the counts of an event may differ between two runs on the same input; undefined if they are exact or nothing is known of
 * the event.
 */
export const inexactReason = (name: string): string | undefined => INEXACT_EVENTS.find(([names]) => names.test(name))?.[1];
