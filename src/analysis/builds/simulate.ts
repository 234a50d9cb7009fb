// How long a build would take with other numbers of jobs: list scheduling over the dependency graph, stage by stage. A simulation:
// steps take as long as they did, whatever runs beside them, and start in the same order as they did, as soon as their
// dependencies are done and a place is free. The commands of one rule keep their place until the last has ended.

import { Background } from '../../base/background.ts';
import { Heap } from '../../base/heap.ts';
import { memo } from '../../base/memo.ts';
import { atOnce } from '../../base/slices.ts';
import { formatPercent, plural } from '../../base/units.ts';
import type { Analysis } from '../answers/analysis.ts';
import { buildUs, stepText } from '../answers/steps/steps.ts';
import { unitGraph } from './needs.ts';
import { placesIn, stagesOf, type Unit } from './stages.ts';

/** The counterfactual. */
export interface Otherwise {
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
 * Microseconds from the first start to the last end; undefined if nothing ran, or no dependencies are known. `jobs`: as many places in every
 * stage; undefined for as many as there were. O(n log n).
 */
export const simulate = (analysis: Analysis<'steps'>, jobs: number | undefined, otherwise: Otherwise = {}): number | undefined =>
  atOnce(simulating(analysis, jobs, otherwise));

/** The same, a slice at a time. */
export function* simulating(
  analysis: Analysis<'steps'>,
  jobs: number | undefined,
  otherwise: Otherwise = {},
): Generator<undefined, number | undefined> {
  const graph = unitGraph(analysis);
  if (!graph || graph.units.length === 0) return undefined;
  const { units } = graph;
  let { needs } = graph;
  const { savedUs, unawaited, halved, depths } = otherwise;
  const { stages } = stagesOf(analysis);
  const took = units.map((u) => {
    const saved = savedUs ? u.steps.reduce((sum, i) => sum + (savedUs.get(i) ?? 0), 0) : 0;
    return u.leadUs + Math.max(0, u.endUs - u.startUs - saved);
  });
  const placeOf = (step: number | undefined) => (step === undefined ? -1 : units.findIndex((u) => u.steps.includes(step)));
  const late = placeOf(unawaited);
  if (late >= 0) needs = needs.map((list) => (list.includes(late) ? list.filter((d) => d !== late) : list));
  yield;
  const half = placeOf(halved);
  const { steps: members = [] } = units[half] ?? {};
  const { durationUs } = analysis.profile.steps;
  // Among the commands of one rule, one is cut in half; the other half of it is a unit of its own.
  const second = half < 0 ? 0 : Math.min(took[half], (members.includes(halved ?? -1) ? durationUs[halved ?? -1] : 0) / 2);
  if (half >= 0) took[half] -= second;
  const pools = poolsOf(analysis, units, depths);
  let now = 0;
  let from = 0;
  const foremost = placeOf(otherwise.first);
  for (const stage of stages) {
    const to = from + stage.units.length;
    const isHere = half >= from && half < to;
    const plan = {
      ...{ from, to, needs, took, ...pools, first: foremost },
      ...{ places: jobs ?? stage.places, half: isHere ? half : -1, secondUs: second },
    };
    now = yield* runStage(plan, now);
    from = to;
  }
  return now;
}

/** The same build with steps that take so much less; undefined if simulations of this build are not close. */
export function simulatedWith(analysis: Analysis<'steps'>, savedUs: ReadonlyMap<number, number>): number | undefined {
  const s = simulation(analysis);
  return s && isClose(s) ? simulate(analysis, undefined, { savedUs }) : undefined;
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
  /** A unit with a second half, which needs the same, and is waited for as well; -1 for none. */
  readonly half: number;
  readonly secondUs: number;
  /** A unit that starts before others that are ready; -1 for none. */
  readonly first: number;
}

/** The place of a unit among those that are ready: one that is to be the first is before all others. */
const rankOf = ({ first }: Pick<StagePlan, 'first'>, k: number): number => (k === first ? -1 : k);

/** Ends of steps between pauses. */
const TURNS = 1 << 13;

/** When the last unit of a stage ends. */
function* runStage(plan: StagePlan, start: number): Generator<undefined, number> {
  const { from, to, needs, took, places, half, secondUs } = plan;
  const pools = new Pools(plan);
  const waits = new Uint32Array(to - from);
  /** How many halves of a split unit have not ended. */
  let halves = half < 0 ? 1 : 2;
  const next: number[][] = Array.from(waits, () => []);
  for (let k = from; k < to; k++)
    for (const d of needs[k]) {
      // Earlier stages are done.
      if (d < from) continue;
      waits[k - from]++;
      next[d - from].push(k);
    }
  const ready = new Heap();
  const running = new Heap();
  const begin = (k: number) => {
    ready.push(rankOf(plan, k), k);
    // Its second half has a number of its own.
    if (k === half) ready.push(k, to);
  };
  for (let k = from; k < to; k++) if (waits[k - from] === 0) begin(k);
  yield;
  let now = start;
  let turns = 0;
  while (ready.size > 0 || running.size > 0) {
    if (++turns % TURNS === 0) yield;
    while (ready.size > 0 && running.size < places) {
      const k = ready.pop();
      // A unit that waits for its pool takes no place.
      if (!pools.enter(k === to ? half : k, k)) continue;
      running.push(now + (k === to ? secondUs : took[k]), k);
    }
    now = running.least;
    // All that end now, before anything else starts.
    while (running.size > 0 && running.least === now) {
      const ended = running.pop();
      const unit = ended === to ? half : ended;
      const waited = pools.leave(unit);
      if (waited !== undefined) ready.push(rankOf(plan, waited), waited);
      if (unit === half && --halves > 0) continue;
      for (const k of next[unit - from]) if (--waits[k - from] === 0) begin(k);
    }
  }
  return now;
}

/** How many units of each pool run, and which wait for that. */
class Pools {
  private readonly running: number[];
  private readonly waiting: readonly Heap[];

  constructor(private readonly plan: Pick<StagePlan, 'poolOf' | 'depths' | 'first'>) {
    this.running = plan.depths.map(() => 0);
    this.waiting = plan.depths.map(() => new Heap());
  }

  /** False if the unit's pool is full: it waits as `entry` then. */
  enter(unit: number, entry: number): boolean {
    const pool = this.plan.poolOf[unit];
    if (pool < 0) return true;
    if (this.running[pool] < this.plan.depths[pool]) {
      this.running[pool]++;
      return true;
    }
    this.waiting[pool].push(rankOf(this.plan, entry), entry);
    return false;
  }

  /** The first entry that waited for the unit's pool; undefined if none did. */
  leave(unit: number): number | undefined {
    const pool = this.plan.poolOf[unit];
    if (pool < 0) return undefined;
    this.running[pool]--;
    return this.waiting[pool].size > 0 ? this.waiting[pool].pop() : undefined;
  }
}

function poolsOf(
  { profile }: Analysis<'steps'>,
  units: readonly Unit[],
  depths: Otherwise['depths'],
): Pick<StagePlan, 'poolOf' | 'depths'> {
  const pools = profile.steps.pools ?? [];
  const at = new Map<string | null, number>(pools.map(({ name }, k) => [name, k]));
  return {
    poolOf: Int32Array.from(units, (u) => at.get(stepText(profile, 'pool', u.steps[0])) ?? -1),
    depths: pools.map(({ name, depth }) => depths?.get(name) ?? depth),
  };
}

export interface Simulation {
  /** The places that the build had, and whether its command said so. */
  readonly jobs: number;
  readonly recorded: boolean;
  readonly measuredUs: number;
  /** The build as it was, simulated: how far the simulation can be trusted. */
  readonly asItWasUs: number;
  readonly withJobs: readonly { readonly jobs: number; readonly us: number }[];
  /** With other depths of the build's pools, and as many jobs as there were. */
  readonly withDepths: readonly { readonly pool: string; readonly depth: number; readonly us: number }[];
  /** With unlimited jobs: the longest chain of each stage. */
  readonly unlimitedUs: number;
}

/** The build as it was, simulated. */
export const asItWasOf = memo((analysis: Analysis<'steps'>) => new Background(simulating(analysis, undefined)), 4);

/** The time measured of all that is simulated: idle time, in and between stages, is not. */
export const measuredUsOf = (analysis: Analysis<'steps'>): number =>
  stagesOf(analysis).stages.reduce((sum, { busyUs }) => sum + busyUs, 0);

/** Whether far more ran than is simulated: configuring, tests and installs are not. */
export const ranMore = (analysis: Analysis<'steps'>): boolean => measuredUsOf(analysis) < 0.95 * buildUs(analysis);

export const simulation = memo((analysis: Analysis<'steps'>): Simulation | undefined => {
  const asItWasUs = asItWasOf(analysis).now();
  if (asItWasUs === undefined) return undefined;
  const stages = stagesOf(analysis);
  const { places: jobs, recorded } = placesIn(stages);
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
  return {
    jobs,
    recorded,
    measuredUs: measuredUsOf(analysis),
    asItWasUs,
    withJobs,
    withDepths: withDepths(analysis),
    unlimitedUs,
  };
}, 2);

/** Deeper pools that are simulated: the depth times these. */
const DEEPER = [2, 4, 8];
/** One thing at a time has the terminal, whatever the build file says. */
const CONSOLE = 'console';

function withDepths(analysis: Analysis<'steps'>): Simulation['withDepths'] {
  const { pools = [] } = analysis.profile.steps;
  return pools
    .filter(({ name }) => name !== CONSOLE)
    .flatMap(({ name, depth }) => {
      const us = (d: number) => simulate(analysis, undefined, { depths: new Map([[name, d]]) }) ?? Number.NaN;
      const least = us(Number.POSITIVE_INFINITY);
      const deeper = DEEPER.map((times) => ({ pool: name, depth: depth * times, us: us(depth * times) }));
      // A depth beyond the first that changes nothing more says nothing.
      const enough = deeper.findIndex((d) => d.us <= least);
      return enough < 0 ? deeper : deeper.slice(0, enough + 1);
    });
}

/** The share of the measured time by which the build as it was, simulated, may differ from it. */
const CLOSE = 0.1;

type Measured = Pick<Simulation, 'measuredUs' | 'asItWasUs'>;

/** By what share of the measured time the build as it was, simulated, differs from it: positive if it is longer. */
export const offBy = (s: Measured): number => (s.measuredUs > 0 ? (s.asItWasUs - s.measuredUs) / s.measuredUs : 0);

/** Whether what is simulated is near enough to what was measured to say what a single step costs. */
export const isClose = (s: Measured): boolean => Math.abs(offBy(s)) <= CLOSE;

/** How far the build as it was, simulated, is from what was measured: `12.34% shorter`; '' if it is close. */
export function difference(s: Simulation): string {
  if (isClose(s)) return '';
  return `${formatPercent(Math.abs(s.asItWasUs - s.measuredUs), s.measuredUs)} ${offBy(s) > 0 ? 'longer' : 'shorter'}`;
}

/** Why simulations of this build are doubtful; '' if they are not. */
export function doubt(s: Simulation): string {
  const off = difference(s);
  return off === '' ? '' : `the simulated build is ${off} than measured; simulations are unreliable here`;
}

/** The build's time if a step took no time; undefined if simulations of this build are not close. */
export const withoutStep = memo(
  (analysis: Analysis<'steps'>, step: number): number | undefined =>
    simulatedWith(analysis, new Map([[step, analysis.profile.steps.durationUs[step]]])),
  64,
);

/** The most steps that all simulations of a report may process together. */
const BUDGET = 5_000_000;

/** The same for each link of the critical path; in a huge build, only for the longest ones. */
export function withoutEach(analysis: Analysis<'steps'>, links: readonly number[]): ReadonlyMap<number, number> {
  const { durationUs, name } = analysis.profile.steps;
  const most = Math.max(10, Math.floor(BUDGET / name.length));
  const chosen = [...links].sort((a, b) => durationUs[b] - durationUs[a]).slice(0, most);
  return new Map(
    chosen.flatMap((step): [number, number][] => {
      const us = withoutStep(analysis, step);
      return us === undefined ? [] : [[step, us]];
    }),
  );
}

/** `≈ 9 s unchanged with 2 jobs, ≈ 6 s with 4, ≈ 5 s with any number`. */
export function simulationText(s: Simulation, time: (us: number) => string): string {
  const others = [
    ...s.withJobs.map((w) => `${time(w.us)} with ${w.jobs}`),
    ...s.withDepths.map((w) => `${time(w.us)} with pool ${w.pool} ${w.depth} deep`),
  ];
  return [
    `${time(s.asItWasUs)} unchanged with ${plural(s.jobs, 'job')}`,
    ...others,
    `${time(s.unlimitedUs)} with any number`,
  ].join(', ');
}
