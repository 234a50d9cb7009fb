// Any profile that has calls as stacks with whole numbers. Sampled stacks, calling contexts and slices are exact; a call graph does not
// say which of a routine's callers its callees' cost is for, so its stacks are estimates.

import { analyse } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { sameEvent, sideEvents } from '../analysis/answers/compared/events.ts';
import { scaleFactor } from '../analysis/answers/compared/measure.ts';
import type { GraphPaths } from '../analysis/answers/costing.ts';
import { withStandardEvents } from '../analysis/answers/events.ts';
import { fileName, objectName, routineLine, routineName } from '../analysis/names/names.ts';
import { contextsInSlices, stepsAsStacks } from '../analysis/profiles/transforms/of-contexts.ts';
import { ChoiceError } from '../base/errors.ts';
import { listsBy } from '../base/lists.ts';
import { atOnce } from '../base/slices.ts';
import type { Exact } from '../base/units.ts';
import { type CostTable, eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { Profile, ProfileOf } from '../model/profile.ts';
import { Sink } from '../model/sink.ts';
import { NamedStackWriter } from '../model/stacks/writer.ts';
import type { ReportContext } from '../reports/report.ts';

/** Stacks below this percentage of the total are merged with others. */
const USUAL_THRESHOLD = 0.001;
/** Nodes beyond these are not unfolded. */
const MOST_UNFOLDED = 100_000;

/** Stacks of one run, and the events they are of. */
export interface Run {
  readonly profile: ProfileOf<'stacks'>;
  readonly events: readonly [shown: Event, ...others: Event[]];
  /** Whether a part is shown. */
  readonly active: (part: number) => boolean;
  /** With two runs, those of the base are subtracted, times this. */
  readonly factor: (event: Event) => number;
  /** The inexact part of them; undefined if all are exact. */
  readonly estimated: string | undefined;
}

/** The event that is shown, and behind it those that tools can be given: what a ratio is of a stack, nobody can add. */
export const exportedEvents = (events: readonly Event[], shown: Event): readonly [Event, ...Event[]] => [
  shown,
  ...events.filter((e) => e.name !== shown.name && !e.per && !e.formula?.includes('/')),
];

/** The event over the columns of `events`; one that nothing costs where they have none of its name or formula. */
const amongEvents = (events: readonly Event[], shown: Event): Event =>
  sameEvent(shown, withStandardEvents(events)) ?? { name: shown.name, unit: shown.unit, terms: [] };

/** Why a profile cannot be written as stacks of an event; undefined if it can. `negative`: whether the format knows negative costs. */
export function stacksRefused({ analysis, event }: ReportContext, negative: boolean): string | undefined {
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

function hasNegative(event: Event, costs: CostTable): boolean {
  const rows = costs[0]?.length ?? 0;
  for (let row = 0; row < rows; row++) if (eventValue(event, costs, row) < 0) return true;
  return false;
}

/** This run's stacks, and those of the base where there is one. */
export function runsOf(context: ReportContext): Run[] {
  const { analysis } = context;
  const { compared } = analysis.profile;
  const [now, before] = sideEvents(context.event);
  const { threshold } = context;
  if (!compared || !analysis.before) return [runOf(analysis, analysis.profile, now, threshold, () => 1)];
  return [
    runOf(analysis, compared.now, now, threshold, () => 1),
    runOf(analysis.before, compared.before, before, threshold, (event) => -scaleFactor(analysis, event)),
  ];
}

function runOf(
  { partsOff }: Analysis,
  profile: Profile,
  shown: Event,
  threshold: number | undefined,
  factor: Run['factor'],
): Run {
  const { stacks, estimated, parts } = stacksOf(profile, partsOff, shown, threshold);
  // The same events are over the same columns.
  const own = stacks.events === profile.events ? shown : amongEvents(stacks.events, shown);
  return {
    profile: stacks,
    events: exportedEvents(stacks.events, own),
    active: parts ? (part) => !partsOff.has(part) : () => true,
    factor,
    estimated,
  };
}

/** `parts`: whether the stacks still say which part each is of. */
function stacksOf(profile: Profile, partsOff: ReadonlySet<number>, shown: Event, threshold: number | undefined) {
  const doubt = profile.transformed && profile.kind === 'callgraph' ? '≈ some costs are estimated shares; ' : '';
  switch (profile.kind) {
    case 'stacks':
      return { stacks: profile, parts: true, estimated: undefined };
    case 'inputs':
      if (profile.contexts) return { stacks: atOnce(contextsInSlices(profile)), parts: true, estimated: undefined };
      break;
    case 'steps':
      return { stacks: atOnce(stepsAsStacks(profile)), parts: true, estimated: undefined };
  }
  const analysis = analyse(profile, exportedEvents(profile.events, shown), partsOff);
  const { costing, totals, events } = analysis;
  const [event] = events;
  const percent = threshold ?? USUAL_THRESHOLD;
  const least = (Math.abs(eventValue(event, totals.total, 0)) * percent) / 100;
  const paths = costing.paths?.(event, least, MOST_UNFOLDED);
  if (!paths) return { stacks: flat(analysis), parts: false, estimated: doubt || undefined };
  const estimated = `${doubt}≈ stacks are estimated from a call graph: self costs are exact, and stacks below ${percent} % of ${event.name} are merged`;
  return { stacks: unfolded(analysis, paths), parts: false, estimated };
}

/** Whole numbers in place of costs that need not be whole, by number of the event or routine: their sums are the rounded sums of the costs. */
export class Rounding {
  /** The costs so far, and what has been written for them. */
  readonly wanted: number[];
  private readonly written: number[];

  constructor({ length }: ArrayLike<unknown>) {
    this.wanted = Array<number>(length).fill(0);
    this.written = Array<number>(length).fill(0);
  }

  /** The whole number for the next cost, no less than `least`. */
  next(of: number, cost: number, least = Number.NEGATIVE_INFINITY): number {
    this.wanted[of] += cost;
    const whole = Math.max(least, Math.round(this.wanted[of]) - this.written[of]);
    this.written[of] += whole;
    return whole;
  }

  /** A cost beyond 2^53, which is whole. */
  whole(of: number, cost: bigint): bigint {
    this.wanted[of] += Number(cost);
    this.written[of] += Number(cost);
    return cost;
  }
}

/** Writes stacks of routines, with one cost for each event of a call graph. */
class Writer {
  readonly sink = new Sink();
  readonly writer: NamedStackWriter;
  readonly events: readonly Event[];
  private readonly profile: Profile;
  private readonly frameOf = new Map<string, number>();
  private readonly part: number;
  private rounding: Rounding;
  /** Costs that are never negative stay so, whatever an estimate says. */
  private readonly least: readonly number[];

  constructor({ profile, totals, events }: Analysis) {
    this.profile = profile;
    this.events = events;
    this.least = this.events.map((event) => (hasNegative(event, totals.self) ? Number.NEGATIVE_INFINITY : 0));
    this.writer = this.sink.tables(NamedStackWriter);
    this.part = this.sink.addPart({ path: profile.paths[0] ?? '', events: this.events.map((e) => e.name) });
    this.sink.paths.push(...profile.paths);
    this.sink.command = profile.command;
    this.writer.types = this.events.map(({ name, unit, longName }, column) => ({
      name,
      unit,
      column,
      ...(longName === undefined ? {} : { longName }),
    }));
    this.rounding = new Rounding(this.events);
  }

  frame(routine: number, inlined = false): number {
    const key = `${routine} ${inlined}`;
    let frame = this.frameOf.get(key);
    if (frame === undefined) {
      const { profile } = this;
      const start = routineLine(profile, routine);
      frame = this.writer.frameOf({
        name: routineName(profile, routine),
        file: fileName(profile, profile.routines.file[routine]),
        object: objectName(profile, profile.routines.object[routine]),
        inlined,
        ...(start ? { start } : {}),
      });
      this.frameOf.set(key, frame);
    }
    return frame;
  }

  /** Rounds the following costs so that their own sums are rounded sums. */
  roundAnew(): void {
    this.rounding = new Rounding(this.events);
  }

  /** `value`: of each event, a cost that need not be whole. `framesOf`: the innermost first; asked for where there is a cost. */
  add(framesOf: () => Uint32Array, value: (event: Event) => Exact): void {
    let row = -1;
    this.events.forEach((event, e) => {
      const cost = value(event);
      const whole = typeof cost === 'bigint' ? this.rounding.whole(e, cost) : this.rounding.next(e, cost, this.least[e]);
      if (whole === 0) return;
      if (row < 0) {
        const frames = framesOf();
        row = this.writer.row(this.part, frames, frames.length);
      }
      this.writer.addTo(e, row, whole);
    });
  }

  /** The difference to the totals, as a stack of its own. */
  rest(total: (event: Event) => number): void {
    const missing = this.events.map((event, e) => total(event) - this.rounding.wanted[e]);
    if (missing.every((m) => Math.round(m) === 0)) return;
    this.add(
      () => Uint32Array.of(this.writer.frame('(left out)')),
      (event) => missing[this.events.indexOf(event)],
    );
  }

  done(): ProfileOf<'stacks'> {
    const made = this.sink.finish(this.profile.format);
    if (made.kind !== 'stacks') throw new Error('stacks were written');
    return made;
  }
}

/** The self costs of routines, as stacks of one frame. */
function flat(analysis: Analysis): ProfileOf<'stacks'> {
  const out = new Writer(analysis);
  const { totals, profile } = analysis;
  for (let r = 0; r < profile.routines.name.length; r++)
    out.add(
      () => Uint32Array.of(out.frame(r)),
      (event) => exactValue(event, totals.self, r),
    );
  out.rest((event) => eventValue(event, totals.total, 0));
  return out.done();
}

/** The paths of a call graph. Rounded by routine, so that each has its self cost to the last unit. */
function unfolded(analysis: Analysis, { parent, routine, inlined, self }: GraphPaths): ProfileOf<'stacks'> {
  const out = new Writer(analysis);
  const nodesOf = listsBy(parent.keys(), (node) => routine[node]);
  const costs = self.map((column) => Float64Array.from(column));
  for (const nodes of nodesOf.values()) {
    out.roundAnew();
    for (const node of nodes) {
      const above = () => {
        const frames: number[] = [];
        for (let at = node; at >= 0; at = parent[at]) frames.push(out.frame(routine[at], inlined?.[at]));
        return Uint32Array.from(frames);
      };
      out.add(above, (e) => exactValue(e, costs, node));
    }
  }
  return out.done();
}

/** For formats that cannot be empty. */
export const nothingCosts = (event: Event): ChoiceError =>
  new ChoiceError(`${event.name}: nothing that is shown has a cost of it, so there is nothing to write`);

/** Values of stacks as whole numbers. One for each event of a run. */
export class WholeValues {
  private readonly rounding: Rounding;

  constructor(private readonly run: Run) {
    this.rounding = new Rounding(run.events);
  }

  /** The value of event number `e` in a stack. Stacks must come in their order. */
  of(e: number, stack: number): Exact {
    const { events, factor, profile } = this.run;
    const by = factor(events[e]);
    const exact = exactValue(events[e], profile.stacks.costs, stack);
    if (Math.abs(Number(exact)) >= MOST)
      throw new ChoiceError(`${events[e].name}: a cost of ${exact} is beyond the 63 bits that other tools have for it`);
    if (Math.abs(by) === 1 && (typeof exact === 'bigint' || Number.isInteger(exact))) return by === 1 ? exact : -exact;
    return this.rounding.next(e, by * Number(exact));
  }
}

/**
 * Samples of the first event in order of time, each with its stack, cost and nanoseconds since the first; undefined where times are not known. Of two runs, and of costs
 * beyond 2^53, stacks are written as sums.
 */
export function samplesInTime({
  profile,
  events: [event],
  factor,
  active,
}: Run): Generator<readonly [stack: number, cost: number, atNs: number]> | undefined {
  const { times, stacks } = profile;
  if (!times || factor(event) !== 1 || event.exact) return undefined;
  const { routine } = profile.frames;
  // By routine, so that each has its self cost to the last unit.
  const rounding = new Rounding(profile.routines.name);
  const by = new Map(event.terms.map(([times, column]) => [column, times]));
  const each = times.counted ? (by.get(0) ?? 0) : 0;
  return (function* () {
    for (let i = 0; i < times.at.length; i++) {
      const s = times.stack[i];
      if (!active(stacks.part[s]) || stacks.start[s] === stacks.start[s + 1]) continue;
      const leaf = routine[stacks.frame[stacks.start[s]]];
      const cost = rounding.next(leaf, times.cost[i] * (by.get(times.column[i]) ?? 0) + each);
      if (cost !== 0) yield [s, cost, times.at[i]];
    }
  })();
}

/** A signed number of 64 bits holds less than this. */
const MOST = 2 ** 63;

/** Stacks with parts that are shown and frames. */
export function* shownStacks({ profile, active }: Run): Generator<number> {
  const { part, start } = profile.stacks;
  for (let s = 0; s < part.length; s++) if (active(part[s]) && start[s] < start[s + 1]) yield s;
}
