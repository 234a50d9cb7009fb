// The critical path: from the step that ended last back to the start. Each link leads to what it waited for.

import { firstIndexWhere, groupByKey, memo } from '../../base/lists.ts';
import { memoInBackground, type Sliced } from '../../base/slices.ts';
import { formatCost } from '../../base/units.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { Steps } from '../../model/steps/tables.ts';
import type { Analysis } from '../answers/analysis.ts';
import { mergedCommandsOf } from '../answers/steps/folds.ts';
import { shortStepName, stepFile } from '../answers/steps/step-names.ts';
import { endUs, jobConcurrency, slackUs, startedBeforeRange, stepName, stepText } from '../answers/steps/steps.ts';
import { dependenciesOf, hasAllSteps, longestChain, readyUs, unsureSteps } from './needs.ts';
import { type BuildUnit, buildEndState, builtJobs, type Stages, stagesInSlices, stagesOf } from './stages.ts';

/** Where the dependencies come from. */
export type DependencySource = 'recorded' | 'ninja' | 'make' | 'outputs' | 'lanes';

const BASIS_TEXTS: Readonly<Record<DependencySource, { readonly short: string; readonly text: string }>> = {
  recorded: { short: 'by the build tool', text: "the build tool's own critical path" },
  ninja: { short: 'by build.ninja', text: 'build.ninja' },
  make: { short: 'by Makefiles', text: 'targets and rules of the Makefiles, and outputs used by later commands' },
  outputs: { short: 'by outputs', text: 'outputs used by later commands' },
  lanes: { short: 'by times only', text: 'times only' },
};

/**
 * Why a step waited: for a step it needs, for a full pool, for a job slot, for a step that merely ended before it, or for
 * nothing.
 */
export type WaitReason = 'needs' | 'pool' | 'place' | 'after' | 'start';

export interface CriticalLink {
  readonly step: number;
  /** The time from the end of the previous link, or from the start of the stage, to the start of this one. */
  readonly waitUs: number;
  readonly waited: WaitReason;
  /** The step it waited for; -1 for the start. */
  readonly before: number;
  /** How long it waited for its pool, from the end of the last step that it needs. */
  readonly poolUs?: number;
}

export interface CriticalPath {
  readonly basis: DependencySource;
  /** In order of time. */
  readonly links: readonly CriticalLink[];
  /** By step: 1 if it is on the path. */
  readonly on: Uint8Array;
}

/** The name of the path: without dependencies, it goes by what ended last. */
export const criticalPathName = ({ basis }: CriticalPath): string =>
  basis === 'lanes' ? 'critical path by times only' : 'critical path';

/** The reason for a wait, for a table. The name of the step it waited for is left out where there is no room for it. */
export function shortWaitReason(profile: ProfileOf<'steps'>, link: CriticalLink, hasRoom: boolean): string {
  const name = (step: number) => stepFile(profile, step);
  if (!hasRoom) return link.waited === 'start' && startsLate(link) ? 'unknown' : SHORT_REASONS[link.waited];
  if (link.waited === 'after') return `unknown, after ${name(link.before)}`;
  return link.waited === 'place' ? `job freed by ${name(link.before)}` : waitReasonText(profile, link, name);
}

const SHORT_REASONS = { needs: 'dependency', place: 'free job', pool: 'pool', after: 'unknown', start: 'start' };

export function waitReasonText(
  profile: ProfileOf<'steps'>,
  link: CriticalLink,
  name = (step: number) => stepName(profile, step),
): string {
  const { waited, step, before, poolUs = 0 } = link;
  if (waited === 'pool')
    return `the pool ${stepText(profile, 'pool', step)} for ${formatCost(poolUs, 'us')}, left by ${name(before)}`;
  if (waited !== 'start') return `${REASON_STARTS[waited]} ${name(before)}`;
  if (!profile.steps.clip) return startsLate(link) ? 'no step that it needs' : 'the start';
  return startedBeforeRange(profile.steps, step) ? 'nothing: it ran before the range' : 'nothing in the range';
}

const REASON_STARTS = { needs: 'needs', place: 'a free place, left by', after: 'after' };

/** Whether a first link began well after the start of its stage. */
const startsLate = ({ waitUs }: CriticalLink): boolean => waitUs > MIN_LATE_US;
const MIN_LATE_US = 100_000;

/** When a step was ready and why it started when it did: `ready 1.2s before, it waited for a free place, left by a.cpp`. */
export function stepWaitText(analysis: Analysis<'steps'>, step: number, timeText: (us: number) => string): string {
  const wait = stepWait(analysis, step);
  if (!wait) return '';
  const us = Math.max(0, analysis.profile.steps.startUs[step] - readyUs(analysis, step));
  const link = { step, waitUs: us, ...wait };
  const why = wait.waited === 'after' ? 'why it did not start is unknown' : waitReasonSentence(analysis.profile, link);
  return us > slackUs(analysis.profile.steps) ? `ready ${timeText(us)} before: ${why}` : why;
}

export function waitReasonSentence(profile: ProfileOf<'steps'>, link: CriticalLink): string {
  if (link.waited !== 'start')
    return `${SENTENCE_STARTS[link.waited]} ${waitReasonText(profile, link, (step) => shortStepName(profile, step))}`;
  if (!profile.steps.clip) return startsLate(link) ? 'it waited for no step that it needs' : 'it began with the build';
  return startedBeforeRange(profile.steps, link.step) ? 'it ran before the range' : 'it waited for nothing in the range';
}

const SENTENCE_STARTS = { needs: 'it', pool: 'it waited for', place: 'it waited for', after: 'it began' };

const dependencySource = (analysis: Analysis<'steps'>): DependencySource => {
  const { needs, targetNeeds, critical } = analysis.profile.steps;
  if (critical) return 'recorded';
  return !dependenciesOf(analysis).now() ? 'lanes' : needs ? 'ninja' : targetNeeds ? 'make' : 'outputs';
};

/** Whether all steps are there, and it is known which needs which: only then can other builds be simulated. */
export function* hasKnownNeeds(analysis: Analysis<'steps'>): Sliced<boolean> {
  yield* dependenciesOf(analysis).wait();
  const basis = dependencySource(analysis);
  return basis !== 'lanes' && basis !== 'recorded' && hasAllSteps(analysis);
}

/** The source of the dependencies, and reasons to doubt them. */
export function basisText(analysis: Analysis<'steps'>, length: 'short' | 'text'): string {
  const basis = dependencySource(analysis);
  const caveat = analysis.profile.steps.needsCaveat ?? (basis === 'lanes' ? 'no command names an output' : '');
  return `${BASIS_TEXTS[basis][length]}${caveat === '' ? '' : `: ${caveat}`}`;
}

/** The basis of simulations: dependencies, and whether the build came to its end. */
export const simulationBasis = (analysis: Analysis<'steps'>): string =>
  `simulated; dependencies from ${basisText(analysis, 'text')}${buildEndState(analysis) === 'unknown' ? '; whether the build came to its end is not recorded' : ''}`;

/** How many job slots were in use at most just before a time at which one became free. A job may begin when another one ends. */
function takenSlotsBefore({ stages }: Stages, slack: number): (us: number) => number {
  const units = stages.flatMap((s) => s.units);
  const changes = units.flatMap(({ startUs, endUs }) => [[startUs, 1] as const, [endUs, -1] as const]);
  changes.sort(([a, more], [b, less]) => a - b || more - less);
  let level = 0;
  const taken = Int32Array.from(changes, ([, change]) => (level += change));
  return (us) => {
    let most = 0;
    for (let k = firstIndexWhere(changes.length, (i) => changes[i][0] >= us) - 1; k >= 0; k--) {
      most = Math.max(most, taken[k]);
      if (changes[k][0] < us - slack) break;
    }
    return most;
  };
}

/** A ready step starts within this time after a job slot became free. */
const MAX_START_DELAY_US = 1_000_000;

/** Follows the waits back from the step that ended last. */
export const criticalPath = (analysis: Analysis<'steps'>): CriticalPath => criticalPathOf(analysis).now();

export const criticalPathOf = memoInBackground((analysis: Analysis<'steps'>) => {
  const { critical } = analysis.profile.steps;
  return critical ? recordedPath(analysis, critical) : followWaits(analysis);
});

/** Why a step started when it did. */
export type StepWait = Pick<CriticalLink, 'waited' | 'before' | 'poolUs'>;

/** Why a step started when it did; undefined until that is known, for a step that did not run, and without known dependencies. */
export function stepWait(analysis: Analysis<'steps'>, step: number): StepWait | undefined {
  const find = waitsOf(analysis).ready?.find;
  const lateUs = analysis.profile.steps.startUs[step] - readyUs(analysis, step);
  if (!find || Number.isNaN(lateUs) || !stagesOf(analysis).stageOf.has(step)) return undefined;
  const wait = find(step);
  // A dependency explains no start long after its end.
  return wait.waited === 'needs' && lateUs > MAX_START_DELAY_US ? { waited: 'after', before: wait.before } : wait;
}

/** The reason for a wait as a word of JSON; null if it is unknown. */
export const WAIT_WORDS: Readonly<Record<WaitReason, string | null>> = {
  ...{ needs: 'needs', pool: 'pool', place: 'no free job', after: null, start: 'start' },
};

/**
 * `find`: finds what a step waited for. `on`: steps to leave out, so that a path does not return to them. `last`: the step that ended last;
 * -1 if there are none.
 */
const waitsOf = memoInBackground(function* (analysis: Analysis<'steps'>) {
  const { steps } = analysis.profile;
  const slack = slackUs(steps);
  const needs = yield* dependenciesOf(analysis).wait();
  // Each of these looks at all steps.
  jobConcurrency(analysis);
  yield;
  mergedCommandsOf(analysis);
  yield;
  const stages = yield* stagesInSlices(analysis).wait();
  const { unitOf, stageOf } = stages;
  const byEnd = [...builtJobs(analysis)].sort((a, b) => endUs(steps, a) - endUs(steps, b) || a - b);
  const ends = Float64Array.from(byEnd, (i) => endUs(steps, i));
  const taken = takenSlotsBefore(stages, slack);
  const unsure = unsureSteps(analysis);
  const stepThatLeftPool = fullPoolFinder(analysis, stages, slack);
  const find = (step: number, on?: Uint8Array): StepWait => {
    const isFree = (d: number) => d < step && on?.[d] !== 1;
    /**
     * Jobs that ended by a time and began before the step, latest end first. Steps of a millisecond may each seem to end before
     * the other.
     */
    function* endedBefore(us: number): Generator<number> {
      for (let k = firstIndexWhere(ends.length, (i) => ends[i] > us) - 1; k >= 0; k--) if (isFree(byEnd[k])) yield byEnd[k];
    }
    /** The job that left the last job slot before a ready step began; -1 if a slot was free. Tools start steps with some delay. */
    const stepThatLeftSlot = (readyUs: number): number => {
      const stage = stageOf.get(step);
      /** The latest end counts, whenever it was. */
      let since = Number.NEGATIVE_INFINITY;
      for (const before of needs ? endedBefore(steps.startUs[step] + slack) : []) {
        const us = endUs(steps, before);
        if (us < since) return -1;
        if (stageOf.get(before) === stage && taken(us) >= (stage?.places ?? 1)) return before;
        since = Math.max(readyUs + slack, steps.startUs[step] - MAX_START_DELAY_US);
      }
      return -1;
    };
    const unit = unitOf.get(step)?.steps ?? [step];
    const own = unit.indexOf(step);
    // Commands of one rule follow each other, whatever else is free or ends.
    if (own > 0) return { waited: 'needs', before: unit[own - 1] };
    // The step already waited before the range began, so the reason lies outside of it.
    if (startedBeforeRange(steps, step)) return { waited: 'start', before: -1 };
    const stage = stageOf.get(step);
    // The rule begins when all that its commands need is there. What an earlier stage made was there when this stage began.
    const all = unit.flatMap((i) => needs?.get(i) ?? []);
    const isBefore = (d: number) => isFree(d) && !unit.includes(d) && stageOf.get(d) === stage;
    const need = all.filter(isBefore).reduce((best, d) => (best < 0 || endUs(steps, d) > endUs(steps, best) ? d : best), -1);
    const [before = -1] = endedBefore(steps.startUs[step] + slack);
    if (need >= 0 && (before < 0 || endUs(steps, before) <= endUs(steps, need) + slack)) return { waited: 'needs', before: need };
    const readyUs = need < 0 ? (stage?.units[0].startUs ?? 0) : endUs(steps, need);
    // It may have needed the step that ended last before it.
    const isUnsure = unsure.has(step) && (unsure.get(step)?.has(before) ?? true);
    const pool = isUnsure ? undefined : stepThatLeftPool(step, readyUs);
    if (pool && on?.[pool.before] !== 1) return { waited: 'pool', ...pool };
    if (before < 0) return { waited: 'start', before };
    const left = isUnsure ? -1 : stepThatLeftSlot(readyUs);
    if (left >= 0) return { waited: 'place', before: left };
    return need >= 0 && !isUnsure ? { waited: 'needs', before: need } : { waited: 'after', before };
  };
  return { find, last: byEnd.at(-1) ?? -1 };
});

function* followWaits(analysis: Analysis<'steps'>): Sliced<CriticalPath> {
  const { steps } = analysis.profile;
  const { find, last } = yield* waitsOf(analysis).wait();
  const on = new Uint8Array(steps.name.length);
  const links: CriticalLink[] = [];
  for (let at = last; at >= 0 && on[at] === 0; ) {
    on[at] = 1;
    const wait = find(at, on);
    links.push({ step: at, waitUs: waitUs(steps, stagesOf(analysis), at, wait.before), ...wait });
    at = wait.before;
  }
  return { basis: dependencySource(analysis), links: links.reverse(), on };
}

/** The path that the build tool recorded. If there are several files, the last active one counts. */
function* recordedPath(analysis: Analysis<'steps'>, critical: Uint32Array): Sliced<CriticalPath> {
  const { steps } = analysis.profile;
  const stages = yield* stagesInSlices(analysis).wait();
  const on = new Uint8Array(steps.name.length);
  const active = critical.filter((step) => !analysis.partsOff.has(steps.part[step]));
  const last = steps.part[active[active.length - 1]];
  const path = active.filter((step) => steps.part[step] === last);
  for (const step of path) on[step] = 1;
  return { basis: 'recorded', links: linksOfChain(steps, stages, path), on };
}

/** Links for a chain of steps, each of which needs the one before it. */
const linksOfChain = (steps: Steps, stages: Stages, path: ArrayLike<number>): CriticalLink[] =>
  Array.from(path, (step, k) => {
    const before = k > 0 ? path[k - 1] : -1;
    return { step, waitUs: waitUs(steps, stages, step, before), waited: before < 0 ? 'start' : 'needs', before };
  });

/** The wait before a step; time between two stages does not count. */
function waitUs(steps: Steps, { stageOf }: Stages, step: number, before: number): number {
  const stage = stageOf.get(step);
  const since = before >= 0 && stageOf.get(before) === stage ? endUs(steps, before) : stage?.units[0].startUs;
  return Math.max(0, steps.startUs[step] - (since ?? steps.startUs[step]));
}

/** The longest chain as links: each step needs the one before it. */
export const chainLinks = memo((analysis: Analysis<'steps'>): readonly CriticalLink[] => {
  const { steps } = analysis.profile;
  const [first, ...others] = linksOfChain(steps, stagesOf(analysis), longestChain(analysis));
  if (!first) return [];
  // The first one needs no step, but may have waited for a job.
  const wait = waitsOf(analysis).now().find(first.step);
  return [{ ...first, ...wait, waitUs: waitUs(steps, stagesOf(analysis), first.step, wait.before) }, ...others];
}, 4);

/** By unit, the units of its pool in its stage, in order of end. */
function unitsOfPools({ profile }: Analysis<'steps'>, { stages }: Stages) {
  const depths = new Map((profile.steps.pools ?? []).map(({ name, depth }) => [name, depth]));
  const pools = new Map<BuildUnit, { depth: number; byEnd: readonly BuildUnit[]; starts: Float64Array }>();
  for (const { units } of depths.size > 0 ? stages : []) {
    for (const [name, own] of groupByKey(units, (unit) => stepText(profile, 'pool', unit.steps[0]) ?? '')) {
      const depth = depths.get(name);
      if (depth === undefined) continue;
      const byEnd = [...own].sort((a, b) => a.endUs - b.endUs);
      const pool = { depth, byEnd, starts: Float64Array.from(own, (u) => u.startUs).sort() };
      for (const unit of own) pools.set(unit, pool);
    }
  }
  return pools;
}

/**
 * A function that finds the step that left the full pool before a step could start, and for how long that had waited; undefined if its pool
 * was not full when all that it needs had ended.
 */
function fullPoolFinder(analysis: Analysis<'steps'>, stages: Stages, slack: number) {
  const pools = unitsOfPools(analysis, stages);
  return (step: number, readyUs: number) => {
    const unit = stages.unitOf.get(step);
    const pool = unit && pools.get(unit);
    if (!pool) return undefined;
    const { byEnd, starts, depth } = pool;
    const last = byEnd[firstIndexWhere(byEnd.length, (k) => byEnd[k].endUs > unit.startUs + slack) - 1];
    if (!last || last.endUs <= readyUs + slack) return undefined;
    const begun = firstIndexWhere(starts.length, (k) => starts[k] >= last.endUs);
    const ended = firstIndexWhere(byEnd.length, (k) => byEnd[k].endUs >= last.endUs - slack);
    if (begun - ended < depth) return undefined;
    return { before: last.steps[last.steps.length - 1], poolUs: last.endUs - readyUs };
  };
}
