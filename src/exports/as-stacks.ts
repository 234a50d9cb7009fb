// Converts any profile with calls to stacks with integer costs. Sampled stacks, calling contexts and slices are exact.
// Stacks of a call graph are estimates: it does not record which caller of a routine caused the cost of its callees.

import { analyse } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { eventInEachRun, matchingEvent } from '../analysis/answers/compared/events.ts';
import { scaleFactor } from '../analysis/answers/compared/measure.ts';
import type { GraphPaths } from '../analysis/answers/costing.ts';
import { withStandardEvents } from '../analysis/answers/events.ts';
import { exportedName, fileName, objectName, routineLine } from '../analysis/names/names.ts';
import { contextsAsStacks, stepsAsStacks } from '../analysis/profiles/transforms/of-contexts.ts';
import { ChoiceError } from '../base/errors.ts';
import { getOrMake, groupByKey, memo, numbersAlong } from '../base/lists.ts';
import { runToEnd } from '../base/slices.ts';
import type { Exact, Unit } from '../base/units.ts';
import { type CostTable, type Event, eventValue, exactValue } from '../model/head.ts';
import type { Profile, ProfileOf } from '../model/profile.ts';
import { Sink } from '../model/sink.ts';
import type { SampleTimes } from '../model/stacks/times.ts';
import { NamedStackWriter } from '../model/stacks/writer.ts';
import type { ReportContext } from '../reports/report.ts';
import type { ExportQuestion } from './exporter.ts';

/** Stacks below this percentage of the total are merged with others. */
const DEFAULT_THRESHOLD = 0.001;
const MAX_UNFOLDED = 100_000;

/** Words for units, as pprof and speedscope read them. */
export const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  ...{ ns: 'nanoseconds', '10ns': '10ns', us: 'microseconds', ms: 'milliseconds', s: 'seconds' },
  ...{ bytes: 'bytes', KB: 'kilobytes', MB: 'megabytes', GB: 'gigabytes' },
  ...{ count: 'count', samples: 'count' },
};

/** The stacks of one run, and the events to export. */
export interface ExportedRun {
  readonly profile: ProfileOf<'stacks'>;
  readonly events: readonly [shown: Event, ...others: Event[]];
  /** The parts whose stacks are left out; none if the stacks have no parts. */
  readonly partsOff: ReadonlySet<number>;
  /** The factor of an event's costs: 1 for this run, negative for the base, which is thereby subtracted. */
  readonly factor: (event: Event) => number;
  /** A note about inexact costs; undefined if all are exact. */
  readonly estimated: string | undefined;
}

/** The shown event first, then all others that add up over stacks (ratios do not). */
export const exportedEvents = (events: readonly Event[], shown: Event): readonly [Event, ...Event[]] => [
  shown,
  ...events.filter((e) => e.name !== shown.name && !e.per && !e.formula?.includes('/')),
];

/** The reason why a profile cannot be exported as stacks; undefined if it can. `negative`: the format allows negative costs. */
export function stackRefusal({ analysis, event }: ExportQuestion, negative: boolean): string | undefined {
  const { profile, totals } = analysis;
  if (profile.kind === 'processes') return 'there are no stacks of processes';
  if (profile.kind === 'steps' && profile.routines.name.length === 0)
    return 'build steps have no stacks; trace and otlp take them';
  if (event.per) return `${event.name} is a ratio, which does not add up`;
  if (negative) return undefined;
  const why = 'it knows no negative costs: pprof takes them';
  if (profile.compared) return why;
  const costs = profile.kind === 'stacks' ? profile.stacks.costs : totals.self;
  return hasNegative(event, costs) ? why : undefined;
}

/** The menu of forms asks again with each key. */
const hasNegative = memo((event: Event, costs: CostTable): boolean => {
  const rows = costs[0]?.length ?? 0;
  for (let row = 0; row < rows; row++) if (eventValue(event, costs, row) < 0) return true;
  return false;
});

/** The stacks of this run, and of the base if there is one. */
export function exportedRuns(context: ReportContext): ExportedRun[] {
  const { analysis, threshold } = context;
  const { compared } = analysis.profile;
  const [now, before] = eventInEachRun(context.event);
  const run = ({ partsOff }: Analysis, profile: Profile, shown: Event, factor: ExportedRun['factor']): ExportedRun => {
    const { stacks, ...made } = convertToStacks(profile, partsOff, shown, threshold);
    // If the stacks share the profile's events, the shown event applies unchanged. An event without terms has the cost 0.
    const match = stacks.events === profile.events ? shown : matchingEvent(shown, withStandardEvents(stacks.events));
    const stackEvent = match ?? { name: shown.name, unit: shown.unit, terms: [] };
    return { ...made, profile: stacks, events: exportedEvents(stacks.events, stackEvent), factor };
  };
  if (!compared || !analysis.before) return [run(analysis, analysis.profile, now, () => 1)];
  return [
    run(analysis, compared.now, now, () => 1),
    run(analysis.before, compared.before, before, (event) => -scaleFactor(analysis, event)),
  ];
}

/** Converts a profile to stacks. Those of a call graph have no parts. */
function convertToStacks(profile: Profile, partsOff: ReadonlySet<number>, shown: Event, threshold: number | undefined) {
  const caveat = profile.kind === 'callgraph' && profile.estimated ? '≈ some costs are estimated shares; ' : '';
  const exact = (stacks: ProfileOf<'stacks'>) => ({ stacks, partsOff, estimated: undefined });
  if (profile.kind === 'stacks') return exact(profile);
  if (profile.kind === 'steps') return exact(runToEnd(stepsAsStacks(profile)));
  if (profile.kind === 'inputs' && profile.contexts) return exact(runToEnd(contextsAsStacks(profile)));
  const analysis = analyse(profile, exportedEvents(profile.events, shown), partsOff);
  const { costing, totals, events } = analysis;
  const [event] = events;
  const percent = threshold ?? DEFAULT_THRESHOLD;
  const least = (Math.abs(eventValue(event, totals.total, 0)) * percent) / 100;
  const paths = costing.paths?.(event, least, MAX_UNFOLDED);
  if (!paths) return { stacks: flatStacks(analysis), partsOff: new Set<number>(), estimated: caveat || undefined };
  const estimated = `${caveat}≈ stacks are estimated from a call graph: self costs are exact, and stacks below ${percent} % of ${event.name} are merged`;
  return { stacks: unfoldedStacks(analysis, paths), partsOff: new Set<number>(), estimated };
}

/** Rounds costs to integers, so that the sum for each event or routine is the rounded sum of its costs. */
export class CostRounding {
  /** The exact sum of the costs so far, and the sum of the integers written for them. */
  readonly exactSums: number[];
  private readonly writtenSums: number[];

  constructor({ length }: ArrayLike<unknown>) {
    this.exactSums = Array<number>(length).fill(0);
    this.writtenSums = Array<number>(length).fill(0);
  }

  /** Rounds the next cost of event or routine `of`. The result is at least `least`. */
  roundNext(of: number, cost: number, least = Number.NEGATIVE_INFINITY): number {
    this.exactSums[of] += cost;
    const whole = Math.max(least, Math.round(this.exactSums[of]) - this.writtenSums[of]);
    this.writtenSums[of] += whole;
    return whole;
  }

  /** Adds an exact cost above 2^53, which needs no rounding. */
  addExact(of: number, cost: bigint): bigint {
    this.exactSums[of] += Number(cost);
    this.writtenSums[of] += Number(cost);
    return cost;
  }
}

/** Writes stacks of routines, with one cost for each event of a call graph. */
class StackProfileWriter {
  readonly sink = new Sink();
  readonly writer = this.sink.writerFor(NamedStackWriter);
  private readonly frameOf = new Map<string, number>();
  private readonly part: number;
  /** Replaced where the following costs do not depend on earlier ones. */
  rounding: CostRounding;
  /** The minimum cost by event: 0 for events without negative costs, so that rounded estimates cannot become negative. */
  private readonly least: readonly number[];

  constructor(private readonly analysis: Analysis) {
    const { profile, totals, events } = analysis;
    this.least = events.map((event) => (hasNegative(event, totals.self) ? Number.NEGATIVE_INFINITY : 0));
    this.part = this.sink.addPart({ path: profile.paths[0] ?? '', events: events.map((e) => e.name) });
    this.sink.paths.push(...profile.paths);
    this.sink.command = profile.command;
    this.writer.types = events.map(({ name, unit, longName }, column) => ({
      name,
      unit,
      column,
      ...(longName === undefined ? {} : { longName }),
    }));
    this.rounding = new CostRounding(events);
  }

  frameIndex(routine: number, inlined = false): number {
    const { profile } = this.analysis;
    return getOrMake(this.frameOf, `${routine} ${inlined}`, () => {
      const start = routineLine(profile, routine);
      return this.writer.frameOf({
        name: exportedName(profile, routine),
        file: fileName(profile, profile.routines.file[routine]),
        object: objectName(profile, profile.routines.object[routine]),
        inlined,
        ...(start ? { start } : {}),
      });
    });
  }

  /** Adds a stack. `value`: the cost by event, possibly fractional. `framesOf`: innermost frame first, only for nonzero costs. */
  addStack(framesOf: () => Uint32Array, value: (event: Event) => Exact): void {
    let row = -1;
    this.analysis.events.forEach((event, e) => {
      const cost = value(event);
      const whole = typeof cost === 'bigint' ? this.rounding.addExact(e, cost) : this.rounding.roundNext(e, cost, this.least[e]);
      if (whole === 0) return;
      if (row < 0) {
        const frames = framesOf();
        row = this.writer.row(this.part, frames, frames.length);
      }
      this.writer.addTo(e, row, whole);
    });
  }

  /** Adds the cost that is missing from the totals as a separate stack. */
  addMissingCost(total: (event: Event) => number): void {
    const { events } = this.analysis;
    const missing = events.map((event, e) => total(event) - this.rounding.exactSums[e]);
    if (missing.every((m) => Math.round(m) === 0)) return;
    const framesOf = () => Uint32Array.of(this.writer.frame('(left out)'));
    this.addStack(framesOf, (event) => missing[events.indexOf(event)]);
  }

  finish(): ProfileOf<'stacks'> {
    const made = this.sink.finish(this.analysis.profile.format);
    if (made.kind !== 'stacks') throw new Error('stacks were written');
    return made;
  }
}

/** Converts the self costs of routines to stacks of one frame. */
function flatStacks(analysis: Analysis): ProfileOf<'stacks'> {
  const out = new StackProfileWriter(analysis);
  const { totals, profile } = analysis;
  for (let r = 0; r < profile.routines.name.length; r++)
    out.addStack(
      () => Uint32Array.of(out.frameIndex(r)),
      (event) => exactValue(event, totals.self, r),
    );
  out.addMissingCost((event) => eventValue(event, totals.total, 0));
  return out.finish();
}

/** Converts the paths of a call graph to stacks. Rounding per routine keeps the self cost of each routine exact. */
function unfoldedStacks(analysis: Analysis, { parent, routine, inlined, self }: GraphPaths): ProfileOf<'stacks'> {
  const out = new StackProfileWriter(analysis);
  const nodesOf = groupByKey(parent.keys(), (node) => routine[node]);
  const costs = self.map((column) => Float64Array.from(column));
  for (const nodes of nodesOf.values()) {
    out.rounding = new CostRounding(analysis.events);
    for (const node of nodes) {
      const framesOfNode = () => Uint32Array.from(numbersAlong(parent, node), (at) => out.frameIndex(routine[at], inlined?.[at]));
      out.addStack(framesOfNode, (e) => exactValue(e, costs, node));
    }
  }
  return out.finish();
}

/** The error of formats that do not allow an empty profile. */
export const noCostError = (event: Event): ChoiceError =>
  new ChoiceError(`${event.name}: nothing that is shown has a cost of it, so there is nothing to write`);

/** Returns the value of event `e` in a stack as an integer. Must be called in the order of the stacks: rounding depends on it. */
export function integerValuesOf({ events, factor, profile }: ExportedRun): (e: number, stack: number) => Exact {
  const rounding = new CostRounding(events);
  return (e, stack) => {
    const by = factor(events[e]);
    const exact = exactValue(events[e], profile.stacks.costs, stack);
    if (Math.abs(Number(exact)) >= MAX_SIGNED_64)
      throw new ChoiceError(`${events[e].name}: a cost of ${exact} is beyond the 63 bits that other tools have for it`);
    if (Math.abs(by) === 1 && (typeof exact === 'bigint' || Number.isInteger(exact))) return by === 1 ? exact : -exact;
    return rounding.roundNext(e, by * Number(exact));
  };
}

type Sample = readonly [stack: number, cost: Exact, atNs: number];

/**
 * Samples of the first event in time order: stack, cost, and nanoseconds since the first sample.
 * For the base, without recorded times, and for exact 64-bit costs: the sums of the stacks, one millisecond apart.
 */
export function samplesOf(run: ExportedRun): Generator<Sample> {
  const [event] = run.events;
  const { times } = run.profile;
  return times && run.factor(event) === 1 && !event.exact ? timedSamples(run, times) : summedSamples(run);
}

function* summedSamples(run: ExportedRun): Generator<Sample> {
  const integerAt = integerValuesOf(run);
  let count = 0;
  for (const stack of shownStacks(run)) {
    const cost = integerAt(0, stack);
    if (Number(cost) !== 0) yield [stack, cost, count++ * 1e6];
  }
}

function* timedSamples({ profile, events: [event], partsOff }: ExportedRun, times: SampleTimes): Generator<Sample> {
  const { stacks, frames } = profile;
  // Rounding per routine keeps the self cost of each routine exact.
  const rounding = new CostRounding(profile.routines.name);
  const factorByColumn = new Map(event.terms.map(([times, column]) => [column, times]));
  const costPerSample = times.counted ? (factorByColumn.get(0) ?? 0) : 0;
  for (let i = 0; i < times.at.length; i++) {
    const s = times.stack[i];
    if (partsOff.has(stacks.part[s]) || stacks.start[s] === stacks.start[s + 1]) continue;
    const leaf = frames.routine[stacks.frame[stacks.start[s]]];
    const cost = rounding.roundNext(leaf, times.cost[i] * (factorByColumn.get(times.column[i]) ?? 0) + costPerSample);
    if (cost !== 0) yield [s, cost, times.at[i]];
  }
}

/** Signed 64-bit integers are less than this. */
const MAX_SIGNED_64 = 2 ** 63;

/** The non-empty stacks of the shown parts. */
export function* shownStacks({ profile, partsOff }: ExportedRun): Generator<number> {
  const { part, start } = profile.stacks;
  for (let s = 0; s < part.length; s++) if (!partsOff.has(part[s]) && start[s] < start[s + 1]) yield s;
}
