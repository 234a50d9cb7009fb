// Simulates a build with other numbers of jobs: list scheduling over the dependency graph, stage by stage. Steps keep their
// duration, whatever runs beside them, and their order. Each starts as soon as its dependencies are done and a job slot is free.
// The commands of one rule keep their slot until the last has ended.

import { MinHeap } from '../../base/heap.ts';
import { memo } from '../../base/lists.ts';
import { memoInBackground, runToEnd, SLOW_ROWS_PER_SLICE, type Sliced } from '../../base/slices.ts';
import { formatPercent, plural } from '../../base/units.ts';
import type { Analysis } from '../answers/analysis.ts';
import { buildDurationUs, stepText } from '../answers/steps/steps.ts';
import { contradictedNeeds, hasAllSteps, unitGraphOf } from './needs.ts';
import { type BuildUnit, mostSlotsOf, stagesOf } from './stages.ts';

/** How the simulated build differs from the real one. */
export interface Counterfactual {
  /** By step: microseconds that it would take less. */
  readonly savedUs?: ReadonlyMap<number, number>;
  /** A step that nothing waits for. */
  readonly unawaited?: number;
  /** Other depths of pools, by name. */
  readonly depths?: ReadonlyMap<string, number>;
  /** A step that is two halves, which can run at the same time. */
  readonly halved?: number;
  /** A step that starts before all others that are ready. */
  readonly first?: number;
}

/**
 * Microseconds from the first start to the last end; undefined if nothing ran or no dependencies are known. `jobs`: the job
 * slots of every stage; undefined for as many as each had. O(n log n).
 */
export const simulate = (...build: Parameters<typeof simulateInSlices>) => runToEnd(simulateInSlices(...build));

export function* simulateInSlices(
  analysis: Analysis<'steps'>,
  jobs: number | undefined,
  otherwise: Counterfactual = {},
): Sliced<number | undefined> {
  const graph = unitGraphOf(analysis).now();
  if (!graph?.waits || graph.units.length === 0) return undefined;
  const { units } = graph;
  let needs: readonly (readonly number[])[] = graph.waits;
  const { savedUs, unawaited, halved, depths } = otherwise;
  const { stages } = stagesOf(analysis);
  const took = units.map((u) => {
    const saved = savedUs ? u.steps.reduce((sum, i) => sum + (savedUs.get(i) ?? 0), 0) : 0;
    return u.leadUs + Math.max(0, u.endUs - u.startUs - saved);
  });
  const unitIndexOf = (step: number | undefined) => (step === undefined ? -1 : units.findIndex((u) => u.steps.includes(step)));
  const unawaitedUnit = unitIndexOf(unawaited);
  if (unawaitedUnit >= 0)
    needs = needs.map((list) => (list.includes(unawaitedUnit) ? list.filter((d) => d !== unawaitedUnit) : list));
  yield;
  const half = unitIndexOf(halved);
  const { steps: members = [] } = units[half] ?? {};
  const { durationUs } = analysis.profile.steps;
  // If one of a rule's commands is cut in half, the second half is a separate unit.
  const second = half < 0 ? 0 : Math.min(took[half], (members.includes(halved ?? -1) ? durationUs[halved ?? -1] : 0) / 2);
  if (half >= 0) took[half] -= second;
  const pools = poolsOf(analysis, units, depths);
  let now = 0;
  let from = 0;
  const firstUnit = unitIndexOf(otherwise.first);
  for (const stage of stages) {
    const to = from + stage.units.length;
    const isHere = half >= from && half < to;
    const plan = {
      ...{ from, to, needs, took, ...pools, first: firstUnit },
      ...{ places: jobs ?? stage.places, half: isHere ? half : -1, secondUs: second },
    };
    now = yield* runStage(plan, now);
    from = to;
  }
  return now;
}

/** The simulated build with shortened steps; undefined if simulations of this build are inaccurate. */
export function simulateWithSavings(analysis: Analysis<'steps'>, savedUs: ReadonlyMap<number, number>): number | undefined {
  const s = simulation(analysis);
  return s && isSimulationClose(s) ? simulate(analysis, undefined, { savedUs }) : undefined;
}

interface StagePlan {
  /** The stage's units are [from, to). */
  readonly from: number;
  readonly to: number;
  readonly needs: readonly (readonly number[])[];
  readonly took: readonly number[];
  readonly places: number;
  /** By unit: its pool; -1 for none. By pool: how many of its units can run at once. */
  readonly poolOf: Int32Array;
  readonly depths: readonly number[];
  /** A unit with a second half, which has the same dependencies and dependents; -1 for none. */
  readonly half: number;
  readonly secondUs: number;
  /** A unit that starts before others that are ready; -1 for none. */
  readonly first: number;
}

/** The rank of a unit among the ready ones: the unit to start first comes before all others. */
const unitRank = ({ first }: StagePlan, k: number): number => (k === first ? -1 : k);

/** Simulates a stage; returns the time at which its last unit ends. */
function* runStage(plan: StagePlan, start: number): Sliced<number> {
  const { from, to, needs, took, places, half, secondUs } = plan;
  const pools = makePoolSlots(plan);
  const waits = new Uint32Array(to - from);
  /** How many halves of a split unit have not ended yet. */
  let halves = half < 0 ? 1 : 2;
  const next: number[][] = Array.from(waits, () => []);
  for (let k = from; k < to; k++)
    for (const d of needs[k]) {
      // Earlier stages are done.
      if (d < from) continue;
      waits[k - from]++;
      next[d - from].push(k);
    }
  const ready = new MinHeap();
  const running = new MinHeap();
  const begin = (k: number) => {
    ready.push(unitRank(plan, k), k);
    // The second half of a split unit has the number `to`.
    if (k === half) ready.push(k, to);
  };
  for (let k = from; k < to; k++) if (waits[k - from] === 0) begin(k);
  yield;
  let now = start;
  let turns = 0;
  while (ready.size > 0 || running.size > 0) {
    if (++turns % SLOW_ROWS_PER_SLICE === 0) yield;
    while (ready.size > 0 && running.size < places) {
      const k = ready.pop();
      // A unit that waits for its pool takes no job slot.
      if (!pools.enter(k === to ? half : k, k)) continue;
      running.push(now + (k === to ? secondUs : took[k]), k);
    }
    now = running.least;
    // All units that end now are handled before another unit starts.
    while (running.size > 0 && running.least === now) {
      const ended = running.pop();
      const unit = ended === to ? half : ended;
      const waited = pools.leave(unit);
      if (waited !== undefined) ready.push(unitRank(plan, waited), waited);
      if (unit === half && --halves > 0) continue;
      for (const k of next[unit - from]) if (--waits[k - from] === 0) begin(k);
    }
  }
  return now;
}

/** Tracks how many units of each pool run, and which units wait for it. */
function makePoolSlots(plan: StagePlan) {
  const { poolOf, depths } = plan;
  const running = depths.map(() => 0);
  const waiting = depths.map(() => new MinHeap());
  return {
    /** Enters the unit into its pool. If the pool is full, returns false and queues `entry`. */
    enter(unit: number, entry: number): boolean {
      const pool = poolOf[unit];
      const isFull = pool >= 0 && running[pool] >= depths[pool];
      if (isFull) waiting[pool].push(unitRank(plan, entry), entry);
      else if (pool >= 0) running[pool]++;
      return !isFull;
    },
    /** The first queued entry of the unit's pool; undefined if the queue is empty. */
    leave(unit: number): number | undefined {
      const pool = poolOf[unit];
      if (pool < 0) return undefined;
      running[pool]--;
      return waiting[pool].size > 0 ? waiting[pool].pop() : undefined;
    },
  };
}

function poolsOf({ profile }: Analysis<'steps'>, units: readonly BuildUnit[], depths: Counterfactual['depths']) {
  const pools = profile.steps.pools ?? [];
  const at = new Map<string | null, number>(pools.map(({ name }, k) => [name, k]));
  return {
    poolOf: Int32Array.from(units, (u) => at.get(stepText(profile, 'pool', u.steps[0])) ?? -1),
    depths: pools.map(({ name, depth }) => depths?.get(name) ?? depth),
  };
}

export const unchangedUsOf = memoInBackground((analysis: Analysis<'steps'>) => simulateInSlices(analysis, undefined));

/** The measured time of everything that is simulated. Idle time in and between stages is not. */
export const measuredUsOf = (analysis: Analysis<'steps'>): number =>
  stagesOf(analysis).stages.reduce((sum, { busyUs }) => sum + busyUs, 0);

/** Whether far more ran than is simulated. Configuring, tests and installs are not simulated. */
export const ranMoreThanSimulated = (analysis: Analysis<'steps'>): boolean =>
  measuredUsOf(analysis) < 0.95 * buildDurationUs(analysis);

type Simulation = NonNullable<ReturnType<typeof simulation>>;

/**
 * The simulated times of a build; undefined if it cannot be simulated. `jobs`, `recorded`: the job slots of the build, and whether its
 * command records them. `asItWasUs`: of the unchanged build, which shows how accurate the simulation is. `contradicted`: how many
 * dependencies contradict the record; then they are not those of this build. `unlimitedUs`: the longest chain of each stage.
 */
export const simulation = memo((analysis: Analysis<'steps'>) => {
  const asItWasUs = unchangedUsOf(analysis).now();
  if (asItWasUs === undefined || !hasAllSteps(analysis)) return undefined;
  const { places: jobs, recorded } = mostSlotsOf(stagesOf(analysis));
  const cores = analysis.profile.steps.cores ?? 0;
  const counts = [...new Set([1, 2, 4, 8, 16, 32, 64, cores])].filter((n) => n > 0 && n !== jobs).sort((a, b) => a - b);
  const unlimitedUs = simulate(analysis, Number.POSITIVE_INFINITY) ?? Number.NaN;
  const withJobs: { jobs: number; us: number }[] = [];
  for (const n of counts) {
    const us = simulate(analysis, n) ?? Number.NaN;
    withJobs.push({ jobs: n, us });
    // More jobs would change nothing.
    if (us <= unlimitedUs) break;
  }
  const [measuredUs, withDepths] = [measuredUsOf(analysis), simulateDepths(analysis)];
  const contradicted = contradictedNeeds(analysis);
  const found = { jobs, recorded: recorded > 0, measuredUs, asItWasUs, contradicted, withJobs, withDepths, unlimitedUs };
  return { ...found, errorText: simulationErrorText(found), warning: simulationWarning(found) };
}, 2);

/** Pool depths to simulate, as multiples of the real depth. */
const DEPTH_FACTORS = [2, 4, 8];
/** Ninja's console pool always runs one job at a time. */
const CONSOLE_POOL = 'console';

/** Simulated times with other pool depths and the same number of jobs. */
function simulateDepths(analysis: Analysis<'steps'>) {
  const { pools = [] } = analysis.profile.steps;
  return pools
    .filter(({ name }) => name !== CONSOLE_POOL)
    .flatMap(({ name, depth }) => {
      const us = (d: number) => simulate(analysis, undefined, { depths: new Map([[name, d]]) }) ?? Number.NaN;
      const least = us(Number.POSITIVE_INFINITY);
      const deeper = DEPTH_FACTORS.map((times) => ({ pool: name, depth: depth * times, us: us(depth * times) }));
      // Stop at the first depth that reaches the best possible time.
      const enough = deeper.findIndex((d) => d.us <= least);
      return enough < 0 ? deeper : deeper.slice(0, enough + 1);
    });
}

/** The largest relative error of the simulated unchanged build that counts as accurate. */
const MAX_CLOSE_ERROR = 0.1;

type SimulatedAndMeasured = Readonly<Record<'measuredUs' | 'asItWasUs' | 'contradicted', number>>;

/** The relative error of the simulated unchanged build; positive if it is longer than measured. */
export const simulationErrorShare = (s: SimulatedAndMeasured): number =>
  s.measuredUs > 0 ? (s.asItWasUs - s.measuredUs) / s.measuredUs : 0;

/** Whether the simulation is accurate enough to tell what a single step costs. */
export const isSimulationClose = (s: SimulatedAndMeasured): boolean =>
  s.contradicted === 0 && Math.abs(simulationErrorShare(s)) <= MAX_CLOSE_ERROR;

/** The error of the simulated unchanged build: `12.34% shorter`; '' if it is accurate. */
function simulationErrorText(s: SimulatedAndMeasured): string {
  if (Math.abs(simulationErrorShare(s)) <= MAX_CLOSE_ERROR) return '';
  return `${formatPercent(Math.abs(s.asItWasUs - s.measuredUs), s.measuredUs)} ${simulationErrorShare(s) > 0 ? 'longer' : 'shorter'}`;
}

/** A warning if simulations of this build are inaccurate; otherwise ''. */
export function simulationWarning(s: SimulatedAndMeasured): string {
  const off = simulationErrorText(s);
  if (s.contradicted > 0)
    return `${plural(s.contradicted, 'step')} began before a step that build files say they need; simulations are unreliable here`;
  return off === '' ? '' : `the simulated build is ${off} than measured; simulations are unreliable here`;
}

/** The build's time if a step took no time; undefined if simulations of this build are not close. */
export const buildUsWithoutStep = memo(
  (analysis: Analysis<'steps'>, step: number): number | undefined =>
    simulateWithSavings(analysis, new Map([[step, analysis.profile.steps.durationUs[step]]])),
  64,
);

/** The simulated times of the unchanged build, and if a step took no time; undefined if simulations of this build are not close. */
export function simulatedWithAndWithout(analysis: Analysis<'steps'>, step: number) {
  const [all, withoutUs] = [simulation(analysis), buildUsWithoutStep(analysis, step)];
  return all && withoutUs !== undefined ? { asItWasUs: all.asItWasUs, withoutUs } : undefined;
}

const MAX_SIMULATED_STEPS = 1_500_000;

/** By link of the critical path: the build's simulated time without its duration. In a huge build, only for the longest links. */
export function simulateWithoutEachLink(analysis: Analysis<'steps'>, links: readonly number[]): ReadonlyMap<number, number> {
  const { durationUs, name } = analysis.profile.steps;
  const most = Math.max(10, Math.floor(MAX_SIMULATED_STEPS / name.length));
  const chosen = [...links].sort((a, b) => durationUs[b] - durationUs[a]).slice(0, most);
  return new Map(
    chosen.flatMap((step): [number, number][] => {
      const us = buildUsWithoutStep(analysis, step);
      return us === undefined ? [] : [[step, us]];
    }),
  );
}

/** `≈ 9 s unchanged with 2 jobs, ≈ 6 s with 4, ≈ 5 s with any number`. */
export function simulationText(s: Simulation, time: (us: number) => string): string {
  return [
    `${time(s.asItWasUs)} unchanged with ${plural(s.jobs, 'job')}`,
    ...s.withJobs.map((w) => `${time(w.us)} with ${w.jobs}`),
    ...s.withDepths.map((w) => `${time(w.us)} with pool ${w.pool} ${w.depth} deep`),
    `${time(s.unlimitedUs)} with any number`,
  ].join(', ');
}
