// Stages of a build: what ran one after the other as a whole (configure, generate, each build, test, install), and how many places
// the jobs of each had. The commands of one rule are one unit: they hold one place until the last of them ends.
import { Background } from '../../../base/background.ts';
import { listsBy } from '../../../base/lists.ts';
import { memo } from '../../../base/memo.ts';
import { inSlices } from '../../../base/slices.ts';
import type { Analysis } from '../analysis.ts';
import { foldsOf } from './folds.ts';
import { concurrencyOf, endUs, jobsOf, slackUs, stepText } from './steps.ts';

/** Nothing is compiled before the build files are written, or tested before it is built. */
const PHASES: ReadonlyMap<string, number> = new Map(Object.entries({ configure: 0, generate: 1, install: 3, test: 4 }));
const BUILDING = 2;

export interface Unit {
  /** In order of time; the first stands for all. */
  readonly steps: readonly number[];
  readonly startUs: number;
  readonly endUs: number;
}

export interface Stage {
  /** In order of start. */
  readonly units: readonly Unit[];
  /** How many jobs could run at once. */
  readonly places: number;
  /** Whether `places` is from a recorded command (-j), not from what was measured. */
  readonly recorded: boolean;
}

export interface Stages {
  readonly stages: readonly Stage[];
  /** The unit and stage of each job. */
  readonly unitOf: ReadonlyMap<number, Unit>;
  readonly stageOf: ReadonlyMap<number, Stage>;
  /** From the first start to the last end; both 0 where nothing ran. */
  readonly fromUs: number;
  readonly toUs: number;
  /** Time in which nothing ran. */
  readonly idleUs: number;
}

/** The jobs that critical path and simulations are about: of runs that only lie end to end, the last one's. */
export const builtJobs = memo((analysis: Analysis<'steps'>): readonly number[] => {
  const { steps } = analysis.profile;
  const jobs = jobsOf(analysis);
  const last = jobs.reduce((most, i) => Math.max(most, steps.part[i]), -1);
  return steps.runs ? jobs.filter((i) => steps.part[i] === last) : jobs;
}, 4);

function unitsOf(analysis: Analysis<'steps'>): Unit[] {
  const { steps } = analysis.profile;
  const { lead } = foldsOf(analysis);
  const lists = listsBy(builtJobs(analysis), (i) => lead[i]);
  return Array.from(lists.values(), (list) => ({
    steps: list,
    startUs: steps.startUs[list[0]],
    endUs: list.reduce((end, i) => Math.max(end, endUs(steps, i)), Number.NEGATIVE_INFINITY),
  }));
}

/** The outermost step around a step; -1 if there is none. */
function outermost(parent: Int32Array, step: number): number {
  let at = parent[step];
  while (at >= 0 && parent[at] >= 0) at = parent[at];
  return at;
}

const JOBS = /(?:^|\s)(?:-j|--jobs|--parallel)[\s=]*(\d+)(?=\s|$)/g; // bounded: blanks and digits belong to one option

/** The number of jobs that a command line asks for; undefined if it names none. */
export function jobsIn(command: string): number | undefined {
  const said = Number([...command.matchAll(JOBS)].at(-1)?.[1]);
  return said > 0 ? said : undefined;
}

/** A level counts if that many jobs ran for more than this share of the time: starts and ends are only known to a millisecond. */
const HELD = 0.01;

function placesOf(analysis: Analysis<'steps'>, units: readonly Unit[]): Pick<Stage, 'places' | 'recorded'> {
  const { profile } = analysis;
  const wholes = new Set(units.map((u) => outermost(profile.steps.parent, u.steps[0])));
  const said = Array.from(wholes, (w) => (w < 0 ? undefined : jobsIn(stepText(profile, 'command', w) ?? '')));
  if (said.length > 0 && said.every((n) => n !== undefined))
    return { places: said.reduce((sum, n) => sum + n, 0), recorded: true };
  const { atLevel } = concurrencyOf(
    profile.steps,
    units.flatMap((u) => u.steps),
  );
  return { places: Math.max(1, heldLevel(atLevel)), recorded: false };
}

/** The most jobs that ran at once for longer than a moment; 0 if none ran. */
export function heldLevel(atLevel: Float64Array): number {
  const busy = atLevel.reduce((sum, us, n) => sum + (n > 0 ? us : 0), 0);
  let above = 0;
  for (let n = atLevel.length - 1; n > 0; n--) {
    above += atLevel[n];
    if (above > HELD * busy) return n;
  }
  return 0;
}

export const stagesOf = (analysis: Analysis<'steps'>): Stages => stagesWorked(analysis).now();

/** The same, worked out a slice at a time. */
export const stagesWorked = memo((analysis: Analysis<'steps'>) => new Background(staged(analysis)), 4);

/** Units between pauses. */
const UNITS = 1 << 13;

function* staged(analysis: Analysis<'steps'>): Generator<undefined, Stages> {
  const { profile } = analysis;
  const slack = slackUs(profile.steps);
  foldsOf(analysis);
  yield;
  const units = unitsOf(analysis);
  yield;
  const groups: Unit[][] = [];
  let kinds = new Set<string>();
  let [from, end, idleUs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  const put = (unit: Unit) => {
    const phase = PHASES.get(stepText(profile, 'role', unit.steps[0]) ?? '') ?? BUILDING;
    const kind = `${outermost(profile.steps.parent, unit.steps[0])} ${phase}`;
    // A step that ran at the same time did not wait for the other's end.
    if (groups.length === 0 || (!kinds.has(kind) && unit.startUs >= end - slack)) {
      groups.push([]);
      kinds = new Set();
    }
    kinds.add(kind);
    groups.at(-1)?.push(unit);
    if (unit.startUs > end && end > Number.NEGATIVE_INFINITY) idleUs += unit.startUs - end;
    from = Math.min(from, unit.startUs);
    end = Math.max(end, unit.endUs);
  };
  yield* inSlices(units.length, (a, b) => units.slice(a, b).forEach(put), UNITS);
  const stages: Stage[] = [];
  const unitOf = new Map<number, Unit>();
  const stageOf = new Map<number, Stage>();
  for (const own of groups) {
    const stage = { units: own, ...placesOf(analysis, own) };
    stages.push(stage);
    yield;
    const note = (unit: Unit) => {
      for (const i of unit.steps) {
        unitOf.set(i, unit);
        stageOf.set(i, stage);
      }
    };
    yield* inSlices(own.length, (a, b) => own.slice(a, b).forEach(note), UNITS);
  }
  const [fromUs, toUs] = stages.length > 0 ? [from, end] : [0, 0];
  return { stages, unitOf, stageOf, fromUs, toUs, idleUs };
}

/** The most places of any stage, and whether all of that is recorded. */
export function placesIn({ stages }: Stages): Pick<Stage, 'places' | 'recorded'> {
  return stages.reduce<Pick<Stage, 'places' | 'recorded'>>((most, s) => (s.places > most.places ? s : most), {
    places: 1,
    recorded: false,
  });
}
