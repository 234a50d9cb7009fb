// Steps in time: which of them count as work, how many ran at once, and their weighted durations.

import { firstIndexWhere, memo } from '../../../base/lists.ts';
import { baseName } from '../../../base/paths.ts';
import { formatCount } from '../../../base/units.ts';
import { type Index, indexBy, rowsOfKey } from '../../../model/column.ts';
import type { Profile, ProfileOf } from '../../../model/profile.ts';
import { type StageSpan, summedSpansUs } from '../../../model/steps/stages.ts';
import {
  clockSlackUs,
  STEP_KIND,
  type Steps,
  SUM_KIND,
  type TextName,
  UNRUN_KIND,
  WHOLE_KIND,
} from '../../../model/steps/tables.ts';
import { stringAt } from '../../../model/strings.ts';
import type { Analysis } from '../analysis.ts';

/** Whether step names are not routines: true for a build, false for a trace. */
export const isBuild = ({ kind, routines }: Profile): boolean => kind === 'steps' && routines.name.length === 0;

/** A text column of a step; null if the file does not record it. */
export function stepText(profile: ProfileOf<'steps'>, column: TextName, step: number): string | null {
  const id = profile.steps[column][step];
  return id < 0 ? null : stringAt(profile.strings, id);
}

/** The paths that a step makes, as the file has them. */
export function outputsOf({ steps, strings }: ProfileOf<'steps'>, step: number): string[] {
  const rows = steps.outputPath.subarray(steps.outputStart[step], steps.outputStart[step + 1]);
  return Array.from(rows, (id) => stringAt(strings, id));
}

export const recordedName = (profile: ProfileOf<'steps'>, step: number): string =>
  stringAt(profile.strings, profile.steps.name[step]) || '(no name)';

/** A step's display name, with its detail: `Source vector`. */
export const stepName = (profile: ProfileOf<'steps'>, step: number): string =>
  nameWithDetail(recordedName(profile, step), stepText(profile, 'detail', step) ?? '');

export const nameWithDetail = (name: string, detail: string): string =>
  detail === '' ? name : `${name} ${isPath(detail) ? baseName(detail) : detail}`;

/** The texts of a step that a filter looks at: its name, target and command. */
export const stepTexts = (profile: ProfileOf<'steps'>, step: number): string[] => [
  stepName(profile, step),
  stepText(profile, 'target', step) ?? '',
  stepText(profile, 'command', step) ?? '',
];

/** Whether a detail is a file, rather than a name with a slash in it (`operator/`). */
const PATH_TEXT = /^([\w.+-]*|[A-Za-z]:)[\\/](.*[\\/])?[^\\/()<>:]+$/; // bounded: what follows a slash is looked at once
export const isPath = (detail: string): boolean => PATH_TEXT.test(detail);

/** Times closer than this count as equal. A chosen time range does not change the clock's resolution. */
export const slackUs = memo((steps: Steps): number => {
  const { startUs, durationUs } = steps.clip?.of ?? steps;
  return clockSlackUs(startUs, durationUs);
}, 4);

export const endUs = (steps: Steps, i: number): number => steps.startUs[i] + steps.durationUs[i];

/** True for steps that have a place in time and are not sums. */
export const hasRun = (steps: Steps, i: number): boolean => !Number.isNaN(steps.startUs[i]) && steps.kind[i] !== SUM_KIND;

/** Whether neither the start nor the duration of a step is recorded. */
export const hasNoTime = (steps: Steps, i: number): boolean => Number.isNaN(steps.startUs[i]) && !(steps.durationUs[i] > 0);

export const neverRan = (steps: Steps, i: number): boolean => steps.kind[i] === UNRUN_KIND;

/** Whether a step is work: neither a whole build nor inside another step. Totals count only work. */
export function isWork(steps: Steps, i: number): boolean {
  const p = steps.parent[i];
  return steps.kind[i] === STEP_KIND && !hasNoTime(steps, i) && (p < 0 || steps.kind[p] === WHOLE_KIND);
}

/** Whether a step is work with a time. Concurrency and utilization count only jobs. */
export const isJob = (steps: Steps, i: number): boolean => hasRun(steps, i) && isWork(steps, i);

/** A result as text; infinite where a step failed with an unknown code. */
export const resultText = (result: number): string =>
  Number.isFinite(result) ? formatCount(result) : Number.isNaN(result) ? '?' : 'failed';

/** Failed: a result that is neither 0 nor unknown. (CMake writes 0 for tests that crashed, so 0 does not guarantee success.) */
export function stepFailed(steps: Steps, i: number): boolean {
  const r = steps.result[i];
  return !Number.isNaN(r) && r !== 0;
}

/** Steps of the parts that are on, in order of start; those that never ran come last. */
export const activeSteps = memo((analysis: Analysis<'steps'>): Uint32Array => {
  const steps = analysis.profile.steps;
  const rows = Array.from(steps.startUs.keys()).filter(
    (i) => !analysis.partsOff.has(steps.part[i]) && steps.kind[i] !== SUM_KIND,
  );
  return Uint32Array.from([...rows.filter((i) => hasRun(steps, i)), ...rows.filter((i) => !hasRun(steps, i))]);
}, 4);

/** Selects some of the steps that another selection has, in the same order. */
const stepsWhere = (of: (analysis: Analysis<'steps'>) => Iterable<number>, is: (steps: Steps, i: number) => boolean) =>
  memo((analysis: Analysis<'steps'>): readonly number[] => [...of(analysis)].filter((i) => is(analysis.profile.steps, i)), 4);

/** The work among the active steps, in order of start; steps without a time come last. */
export const workStepsOf = stepsWhere(activeSteps, isWork);

/** The jobs among the active steps, in order of start. */
export const jobsOf = stepsWhere(workStepsOf, hasRun);

export const stepsThatRan = stepsWhere(activeSteps, hasRun);
/** The steps that ran, without whole builds. */
export const partsThatRan = stepsWhere(stepsThatRan, ({ kind }, i) => kind[i] !== WHOLE_KIND);

type TimeWindow = readonly [fromUs: number, toUs: number];

/** The first start and last end of all steps that ran, cut to the chosen time range; [0, 0] if nothing ran. */
export const timeWindowOf = memo((analysis: Analysis<'steps'>): TimeWindow => {
  const [first, last] = wholeWindowOf(analysis);
  const { fromUs = first, toUs = last } = analysis.profile.steps.clip ?? {};
  const from = Math.min(last, Math.max(first, fromUs));
  return [from, Math.max(from, Math.min(last, toUs))];
}, 4);

/** The window without a time range. Displayed times count from its start. */
export const wholeWindowOf = memo((analysis: Analysis<'steps'>): TimeWindow => {
  const steps = analysis.profile.steps.clip?.of ?? analysis.profile.steps;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < steps.name.length; i++) {
    if (!hasRun(steps, i) || analysis.partsOff.has(steps.part[i])) continue;
    from = Math.min(from, steps.startUs[i]);
    to = Math.max(to, endUs(steps, i));
  }
  return to >= from ? [from, to] : [0, 0];
}, 4);

/** The stages of active parts in order of time, cut to the time range; empty if the file records no stages. */
export const stageSpansOf = memo((analysis: Analysis<'steps'>): readonly StageSpan[] => {
  const [from, to] = timeWindowOf(analysis);
  return (analysis.profile.steps.stages ?? [])
    .filter((s) => !analysis.partsOff.has(s.part))
    .map((s) => ({ ...s, startUs: Math.max(from, s.startUs), endUs: Math.min(to, s.endUs) }))
    .filter((s) => s.endUs >= s.startUs);
}, 4);

/** The duration of a build: its stages without gaps between them; else from first start to last end. */
export function buildDurationUs(analysis: Analysis<'steps'>): number {
  const spans = stageSpansOf(analysis);
  if (spans.length > 0) return summedSpansUs(spans);
  const [from, to] = timeWindowOf(analysis);
  return to - from;
}

/** A step's times before a time range cut it; undefined if it was not cut. */
export function uncutTimes({ clip, startUs, durationUs }: Steps, i: number) {
  if (!clip) return undefined;
  const whole = { startUs: clip.of.startUs[clip.row[i]], durationUs: clip.of.durationUs[clip.row[i]] };
  return whole.startUs === startUs[i] && whole.durationUs === durationUs[i] ? undefined : whole;
}

/** The full duration of a step, even if a time range cut it. */
export const uncutDurationUs = (steps: Steps, i: number): number => uncutTimes(steps, i)?.durationUs ?? steps.durationUs[i];

/** True for a step that was running when the chosen range of time began. */
export const startedBeforeRange = (steps: Steps, i: number): boolean =>
  (uncutTimes(steps, i)?.startUs ?? steps.startUs[i]) < steps.startUs[i];

/** The same step in a profile with another time range or none; -1 if it lies outside, or the timelines differ. */
export function correspondingStep(to: Steps, step: number, from: Steps): number {
  if ((to.clip?.of ?? to) !== (from.clip?.of ?? from)) return -1;
  const row = from.clip ? (from.clip.row[step] ?? -1) : step;
  return to.clip && row >= 0 ? to.clip.row.indexOf(row) : row;
}

/** Whether a step was running when the profile was read. */
export const isRunning = (steps: Steps, i: number): boolean => steps.live?.running.step.includes(i) === true;

/** A running step is late after this multiple of its duration in the last kept build. */
const LATE_FACTOR = 1.25;

/** A running step's time in the last kept build, in microseconds; NaN if unknown, or if it does not run. */
export function tookBeforeUs({ live }: Steps, i: number): number {
  return live?.running.beforeUs[live.running.step.indexOf(i)] ?? Number.NaN;
}

export const runsLate = (steps: Steps, i: number): boolean => steps.durationUs[i] > LATE_FACTOR * tookBeforeUs(steps, i);

export type Concurrency = ReturnType<typeof concurrencyOf>;

/**
 * How many jobs ran at once: changes in order of time, each with the number from then on. Intervals are half-open: a
 * zero-length step never counts as running. `atLevel`: microseconds at each number of jobs; [0] is the time in which none ran.
 */
export function concurrencyOf(steps: Steps, rows: Iterable<number>) {
  // A step without a start or with zero length never counts as running.
  const ran: number[] = [];
  for (const i of rows) if (endUs(steps, i) > steps.startUs[i]) ran.push(i);
  // Sorted apart, equal times are side by side: a map of times takes more than twice as long.
  const starts = Float64Array.from(ran, (i) => steps.startUs[i]).sort();
  const ends = Float64Array.from(ran, (i) => endUs(steps, i)).sort();
  const us: number[] = [];
  const running: number[] = [];
  const atLevel: number[] = [0];
  let [now, most, last] = [0, 0, Number.NaN];
  for (let s = 0, e = 0; e < ends.length; ) {
    // The last start is before the last end.
    const t = starts[s] < ends[e] ? starts[s] : ends[e];
    if (!Number.isNaN(last)) atLevel[now] = (atLevel[now] ?? 0) + t - last;
    last = t;
    const before = now;
    for (; starts[s] === t; s++) now++;
    for (; ends[e] === t; e++) now--;
    if (now === before) continue;
    most = Math.max(most, now);
    us.push(t);
    running.push(now);
  }
  const usAtLevel = Float64Array.from({ length: most + 1 }, (_, n) => atLevel[n] ?? 0);
  return { us: Float64Array.from(us), running: Uint32Array.from(running), most, atLevel: usAtLevel };
}

export const jobConcurrency = memo((build: Analysis<'steps'>) => concurrencyOf(build.profile.steps, jobsOf(build)), 4);

/** The integral of a step function up to a time. `part`: its integral over a span from us[k] on, until us[k + 1] at most. */
export function integralOf(us: ArrayLike<number>, part: (k: number, spanUs: number) => number): (us: number) => number {
  const sum = new Float64Array(us.length);
  for (let k = 1; k < sum.length; k++) sum[k] = sum[k - 1] + part(k - 1, us[k] - us[k - 1]);
  return (end) => {
    const k = firstIndexWhere(us.length, (i) => us[i] > end) - 1;
    return k < 0 ? 0 : sum[k] + part(k, end - us[k]);
  };
}

/**
 * Duration of each job divided by how many ran beside it, moment by moment (ninja's and ClangBuildAnalyzer's "weighted duration"):
 * the sum over all jobs is the time in which anything ran.
 */
export const weightedUs = memo((analysis: Analysis<'steps'>): Float64Array => {
  const steps = analysis.profile.steps;
  const { us, running } = jobConcurrency(analysis);
  const upTo = integralOf(us, (k, spanUs) => (running[k] > 0 ? spanUs / running[k] : 0));
  return Float64Array.from(steps.startUs, (start, i) => {
    if (!isWork(steps, i) || analysis.partsOff.has(steps.part[i])) return 0;
    return hasRun(steps, i) ? upTo(endUs(steps, i)) - upTo(start) : Number.NaN;
  });
}, 4);

const linkIndexes = memo((steps: Steps) => ({
  to: indexBy(steps.linkFrom, steps.name.length),
  from: indexBy(steps.linkTo, steps.name.length),
}));

/** The slices that a slice hands over `to`, and those that hand over to it (`from`). */
export function sliceLinksOf(steps: Steps, step: number) {
  if (steps.linkFrom.length === 0 || step < 0) return { to: [], from: [] };
  const { to, from } = linkIndexes(steps);
  const list = (index: Index, other: Uint32Array) => Array.from(rowsOfKey(index, step), (k) => other[k]);
  return { to: list(to, steps.linkTo), from: list(from, steps.linkFrom) };
}
