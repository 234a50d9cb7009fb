// Stages of a build that ran one after the other (configure, generate, each build, test, install), and the job slots of each.
// The commands of one rule form one unit, which holds one job slot until the last of them ends.

import { firstIndexWhere, groupByKey, memo } from '../../base/lists.ts';
import { programName } from '../../base/paths.ts';
import { forEachInSlices, memoInBackground } from '../../base/slices.ts';
import { idleGapsUs, jobsIn, longestStartUpUs, type StageSpan } from '../../model/steps/stages.ts';
import { type Steps, WHOLE_KIND } from '../../model/steps/tables.ts';
import type { Analysis } from '../answers/analysis.ts';
import { mergedCommandsOf } from '../answers/steps/folds.ts';
import {
  activeSteps,
  concurrencyOf,
  endUs,
  jobsOf,
  slackUs,
  stageSpansOf,
  stepFailed,
  stepText,
  timeWindowOf,
} from '../answers/steps/steps.ts';

/** The order of stages: build files are written before compiling, and tests run after building. */
const PHASE_RANKS: ReadonlyMap<string, number> = new Map(Object.entries({ configure: 0, generate: 1, install: 3, test: 4 }));
const BUILDING_RANK = 2;

export interface BuildUnit {
  /** In order of time; the first stands for all. */
  readonly steps: readonly number[];
  readonly startUs: number;
  readonly endUs: number;
  /** Idle time before the unit that it needs to start up; it occupies its job slot then. */
  readonly leadUs: number;
}

export interface Stage {
  /** In order of start. */
  readonly units: readonly BuildUnit[];
  /** From the first start to the last end, without idle time. */
  readonly busyUs: number;
  /** The number of jobs that could run at once. */
  readonly places: number;
  /** How many recorded commands (-j) `places` comes from; 0 if it is measured. */
  readonly recorded: number;
}

export type Stages = ReturnType<typeof stagesOf>;

/**
 * The jobs that critical path and simulations are about: of runs that only lie end to end, the last one's; of a record with stages, those of
 * its builds.
 */
export const builtJobs = memo((analysis: Analysis<'steps'>): readonly number[] => {
  const { steps } = analysis.profile;
  const jobs = jobsOf(analysis);
  const last = jobs.reduce((most, i) => Math.max(most, steps.part[i]), -1);
  if (steps.runs) return jobs.filter((i) => steps.part[i] === last);
  const spanOf = spanFinder(steps, stageSpansOf(analysis));
  const built = jobs.filter((i) => spanOf(i)?.name === 'build');
  return built.length > 0 ? built : jobs;
}, 4);

/** A stage of the record, or time between stages in which nothing ran. */
export interface Phase {
  readonly name: StageSpan['name'] | 'idle';
  readonly fromUs: number;
  readonly toUs: number;
}

/** Shorter idle time is no phase of its own: 1 % of the whole time. */
const MIN_IDLE_PHASE_SHARE = 0.01;

/** The stages in order of time, and the idle time between them; neighbouring stages of one name are one. */
export const phasesOf = memo((analysis: Analysis<'steps'>): readonly Phase[] => {
  const [first, last] = timeWindowOf(analysis);
  const out: { name: Phase['name']; fromUs: number; toUs: number }[] = [];
  for (const { name, startUs, endUs } of stageSpansOf(analysis)) {
    const before = out.at(-1);
    if (before && startUs - before.toUs >= MIN_IDLE_PHASE_SHARE * (last - first))
      out.push({ name: 'idle', fromUs: before.toUs, toUs: startUs });
    const same = out.at(-1);
    if (same?.name === name) same.toUs = Math.max(same.toUs, endUs);
    else out.push({ name, fromUs: startUs, toUs: endUs });
  }
  return out;
}, 2);

/** Programs that run all tests of a build, which is also the role of their steps. */
const TEST_RUNNER = /^\wtest$/;

/** Whether a step runs all tests, so that its result is theirs. With `make test`, it is a step of the build. */
export function runsTests({ profile }: Analysis<'steps'>, i: number): boolean {
  const [program = ''] = (stepText(profile, 'command', i) ?? '').split(' ', 1);
  return TEST_RUNNER.test(stepText(profile, 'role', i) ?? '') || TEST_RUNNER.test(programName(program));
}

/**
 * The steps that made a build fail, without tests: only their runner interprets exit codes. A failed whole step counts only if
 * none of its own steps failed.
 */
export const failedSteps = memo((analysis: Analysis<'steps'>): readonly number[] => {
  const { profile } = analysis;
  const { steps } = profile;
  const spanOf = spanFinder(steps, stageSpansOf(analysis));
  const isTest = (i: number) => stepText(profile, 'role', i) === 'test' || spanOf(i)?.name === 'test';
  const all = Array.from(activeSteps(analysis)).filter((i) => stepFailed(steps, i) && !isTest(i) && !runsTests(analysis, i));
  const own = all.filter((i) => steps.kind[i] !== WHOLE_KIND);
  return own.length > 0 ? own : all;
}, 4);

/**
 * Whether a build finished. Unknown for ninja logs, which record only successful commands, and for builds by ninja or make
 * without CMake's hooks. CMake writes a step for the whole at the end of `cmake --build`, and with hooks also for ninja and
 * make.
 */
export function buildEndState(analysis: Analysis<'steps'>): 'reached' | 'missing' | 'unknown' {
  const { stages, endsAreRecorded, live } = analysis.profile.steps;
  if (live) return 'unknown';
  if (stages && stageSpansOf(analysis).every((s) => s.name !== 'build' || s.hasWhole)) return 'reached';
  return endsAreRecorded ? 'missing' : 'unknown';
}

/** A function that finds the last span of a step's part that began by the start of the step. */
export function spanFinder({ part, startUs }: Steps, all: readonly StageSpan[]): (step: number) => StageSpan | undefined {
  const byPart = groupByKey(all, (span) => span.part);
  return (i) => {
    const spans = byPart.get(part[i]) ?? [];
    return spans[firstIndexWhere(spans.length, (k) => spans[k].startUs > startUs[i]) - 1];
  };
}

/** Why the times of a build are not those of a whole one; undefined if nothing shows that. */
export const whyNotWhole = (analysis: Analysis<'steps'>): 'failed' | 'did not come to its end' | undefined =>
  failedSteps(analysis).length > 0 ? 'failed' : buildEndState(analysis) === 'missing' ? 'did not come to its end' : undefined;

function collectUnits(analysis: Analysis<'steps'>): BuildUnit[] {
  const { steps } = analysis.profile;
  const { firstStep } = mergedCommandsOf(analysis);
  const lists = groupByKey(builtJobs(analysis), (i) => firstStep[i]);
  return Array.from(lists.values(), (list) => ({
    steps: list,
    startUs: steps.startUs[list[0]],
    endUs: list.reduce((end, i) => Math.max(end, endUs(steps, i)), Number.NEGATIVE_INFINITY),
    leadUs: 0,
  }));
}

/** The outermost step around a step; -1 if there is none. */
export function outermostStep(parent: Int32Array, step: number): number {
  let at = parent[step];
  while (at >= 0 && parent[at] >= 0) at = parent[at];
  return at;
}

/** A level counts if that many jobs ran for more than this share of the time: starts and ends are only known to a millisecond. */
const MIN_HELD_SHARE = 0.01;

function slotsOfStage({ profile }: Analysis<'steps'>, units: readonly BuildUnit[]): Pick<Stage, 'places' | 'recorded'> {
  const wholes = new Set(units.map((u) => outermostStep(profile.steps.parent, u.steps[0])));
  const recordedJobs = Array.from(wholes, (w) => (w < 0 ? undefined : jobsIn(stepText(profile, 'command', w) ?? '')));
  if (recordedJobs.length > 0 && recordedJobs.every((n) => n !== undefined))
    return { places: recordedJobs.reduce((sum, n) => sum + n, 0), recorded: recordedJobs.length };
  const own = units.flatMap((u) => u.steps);
  const { atLevel } = concurrencyOf(profile.steps, own);
  return { places: Math.max(1, heldLevel(atLevel)), recorded: 0 };
}

/** The largest number of jobs that ran at once for more than a moment; 0 if none ran. */
export function heldLevel(atLevel: Float64Array): number {
  const busy = atLevel.reduce((sum, us, n) => sum + (n > 0 ? us : 0), 0);
  let above = 0;
  for (let n = atLevel.length - 1; n > 0; n--) {
    above += atLevel[n];
    if (above > MIN_HELD_SHARE * busy) return n;
  }
  return 0;
}

export const stagesOf = (analysis: Analysis<'steps'>) => stagesInSlices(analysis).now();

/** The stages in order of time. `unitOf`, `stageOf`: the unit and stage of each job. */
export const stagesInSlices = memoInBackground(function* (analysis: Analysis<'steps'>) {
  const { profile } = analysis;
  const slack = slackUs(profile.steps);
  mergedCommandsOf(analysis);
  yield;
  const units = collectUnits(analysis);
  const spanOf = spanFinder(profile.steps, stageSpansOf(analysis));
  yield;
  const groups: BuildUnit[][] = [];
  let kinds = new Set<string>();
  let end = Number.NEGATIVE_INFINITY;
  const addUnit = (unit: BuildUnit) => {
    const phase = PHASE_RANKS.get(stepText(profile, 'role', unit.steps[0]) ?? '') ?? BUILDING_RANK;
    // Without a step of the whole, idle time before a unit is the end of one build and the begin of the next.
    const kind = `${outermostStep(profile.steps.parent, unit.steps[0])} ${spanOf(unit.steps[0])?.startUs ?? 0} ${phase}`;
    // A step that ran at the same time did not wait for the other's end.
    if (groups.length === 0 || (!kinds.has(kind) && unit.startUs >= end - slack)) {
      groups.push([]);
      kinds = new Set();
    }
    kinds.add(kind);
    groups.at(-1)?.push(unit);
    end = Math.max(end, unit.endUs);
  };
  yield* forEachInSlices(units.length, (k) => addUnit(units[k]));
  const stages: Stage[] = [];
  const unitOf = new Map<number, BuildUnit>();
  const stageOf = new Map<number, Stage>();
  for (const group of groups) {
    const own = withStartUpTimes(group);
    const stage = { ...own, ...slotsOfStage(analysis, own.units) };
    stages.push(stage);
    yield;
    yield* forEachInSlices(own.units.length, (k) => {
      for (const i of own.units[k].steps) {
        unitOf.set(i, own.units[k]);
        stageOf.set(i, stage);
      }
    });
  }
  return { stages, unitOf, stageOf };
});

/** Adds start-up times to a stage's units. Much longer gaps are idle time: somebody waited, or the machine slept. */
function withStartUpTimes(units: readonly BuildUnit[]): Pick<Stage, 'units' | 'busyUs'> {
  const gaps = [0, ...idleGapsUs(units)];
  const longest = longestStartUpUs(gaps.slice(1));
  const end = units.reduce((last, unit) => Math.max(last, unit.endUs), units[0].startUs);
  const idleUs = gaps.reduce((sum, gap) => (gap > longest ? sum + gap : sum), 0);
  return {
    units: units.map((unit, k) => (gaps[k] > 0 && gaps[k] <= longest ? { ...unit, leadUs: gaps[k] } : unit)),
    busyUs: end - units[0].startUs - idleUs,
  };
}

/** The maximum number of job slots of any stage, and whether all stages record it. */
export function mostSlotsOf({ stages }: Stages): Pick<Stage, 'places' | 'recorded'> {
  return stages.reduce<Pick<Stage, 'places' | 'recorded'>>(
    (most, s) => (s.places > most.places || (s.places === most.places && s.recorded > 0) ? s : most),
    { places: 1, recorded: 0 },
  );
}
