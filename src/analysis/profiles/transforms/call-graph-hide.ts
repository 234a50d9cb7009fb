// Hide, show and only-own for a call graph: the cost of hidden routines goes to the calling line of their callers, and their
// calls become calls from that line. Hidden cost without a visible caller is dropped; `only-own` keeps it as one routine.
import { ChoiceError } from '../../../base/errors.ts';
import { forEachInSlices, SLOW_ROWS_PER_SLICE, type Sliced } from '../../../base/slices.ts';
import { formatCount } from '../../../base/units.ts';
import type { Calls, Estimated, Spans } from '../../../model/callgraph/tables.ts';
import { appendRows, appendValues, CountColumn, finishColumns, GrowableColumn, sumByKey } from '../../../model/column.ts';
import { PairTable } from '../../../model/hash-table.ts';
import { findEdge } from '../../answers/callgraph/call-sites.ts';
import { roundToWhole } from '../../answers/callgraph/flow.ts';
import { findHiddenComponents, type HiddenComponents } from './call-graph-components.ts';
import { buildRemainingProfile, estimatesOf } from './call-graph-draft.ts';
import { type GraphProfile, portionOfCost, type TransformGraph } from './call-graph-flows.ts';
import { isAllZero, keepLines, NewLines } from './call-graph-rows.ts';
import { remainingCount } from './call-graph-shares.ts';
import { RoutineDraft, routineWithoutFile } from './routine-draft.ts';
import { type Transform, transformText } from './transform.ts';

/** The routine name that only-own uses for other code that own code did not call. */
export const OUTSIDE_NAME = '(outside)';

export function* hideRoutines(graph: TransformGraph, hide: Uint8Array, transform: Transform): Sliced<GraphProfile> {
  const { profile, totals } = graph;
  const knots = yield* findHiddenComponents(graph, hide);
  const exits = yield* findExits(graph, knots, transformText(transform));
  const before = estimatesOf(profile);
  const outside = transform.word === 'only-own';
  const draft = new RoutineDraft(profile);
  const [routine] = yield* draft.add(outside ? [routineWithoutFile(OUTSIDE_NAME)] : []);
  const spans = outside ? addSpanPerPart(profile, () => routine) : profile.spans;
  const more = new Uint8Array(draft.count - before.self.length);
  const [selfDoubt, inclusive] = [appendValues(before.self, more), appendValues(before.inclusive, more)];
  const rows = new CallRerouter(graph, knots, exits, { self: selfDoubt, inclusive, calls: before.calls });
  if (outside) yield* rows.addUncalledCode(routine);
  if (profile.calls) yield* rows.rerouteCalls(profile.calls, transform);
  const shown = new Float64Array(hide.length);
  for (let r = 0; r < hide.length; r++) shown[r] = 1 - hide[r];
  yield;
  const kept = { share: totals.self.map(() => shown), complement: false };
  const { lines, start } = yield* keepLines(profile, spans, kept, rows.lines);
  return yield* buildRemainingProfile(profile, {
    strings: draft.head.strings,
    routines: draft.head.routines,
    spans: { ...spans, start },
    lines,
    ...(profile.calls ? { calls: rows.newCalls.finish(profile.calls.address !== undefined) } : {}),
    estimated: { self: selfDoubt, inclusive, calls: rows.newCalls.estimated.done() },
  });
}

/** The spans, followed by one new span for each part. `routineOf` gives its routine. */
export function addSpanPerPart({ spans, parts }: GraphProfile, routineOf: (part: number) => number): Omit<Spans, 'start'> {
  const { start: _, ...columns } = spans;
  const more = parts.map((_, part) => ({ routine: routineOf(part), file: -1, part, high: 0 }));
  return appendRows(columns, more);
}

export class NewCalls extends NewLines {
  readonly callee = new GrowableColumn(Uint32Array);
  readonly count = new CountColumn();
  readonly estimated = new GrowableColumn(Uint8Array);

  pushCall({ span, line, address }: CallPosition, callee: number, count: number, costs: ArrayLike<number>, doubt: number): void {
    this.push(span, line, address, costs);
    this.callee.push(callee);
    this.count.push(count);
    this.estimated.push(doubt);
  }

  finish(addresses: boolean): Calls {
    const { address, estimated: _, ...rest } = finishColumns<NewCalls>(this);
    return { ...rest, ...(addresses ? { address } : {}), costs: this.costs.map((column) => column.done()) };
  }
}

type CallPosition = Readonly<Record<'span' | 'line' | 'address', number>>;

/** Builds the rows that replace the rows of hidden routines and the calls to them. */
class CallRerouter {
  readonly lines: NewLines;
  readonly newCalls: NewCalls;
  /** The cost of a row, and the part of it that goes one way. */
  private readonly paid: Float64Array;
  private readonly share: Float64Array;

  constructor(
    private readonly graph: TransformGraph,
    private readonly components: HiddenComponents,
    private readonly exits: readonly (ComponentExit | undefined)[],
    private readonly estimated: Estimated,
  ) {
    const { columns } = graph.profile;
    this.lines = new NewLines(columns);
    this.newCalls = new NewCalls(columns);
    this.paid = new Float64Array(columns);
    this.share = new Float64Array(columns);
  }

  /** Keeps calls of visible routines, and replaces calls of hidden ones by the calls that these make. */
  *rerouteCalls(calls: Calls, transform: Transform): Sliced<void> {
    const { components, paid } = this;
    const { spans } = this.graph.profile;
    // Rerouting a call takes time for each of its targets.
    for (let i = 0, worked = 0, paused = 0; i < calls.span.length; i++) {
      if (worked - paused >= SLOW_ROWS_PER_SLICE) {
        paused = worked;
        yield;
      }
      worked++;
      const caller = spans.routine[calls.span[i]];
      if (components.componentOf[caller] >= 0) continue;
      const at: CallPosition = { span: calls.span[i], line: calls.line[i], address: calls.address?.[i] ?? 0 };
      for (let c = 0; c < paid.length; c++) paid[c] = calls.costs[c][i];
      const component = components.componentOf[calls.callee[i]];
      if (component < 0) this.newCalls.pushCall(at, calls.callee[i], calls.count[i], paid, this.estimated.calls[i]);
      else {
        this.reroute(at, caller, component, this.estimated.calls[i] | this.scalePaid(caller, calls.callee[i]));
        worked += this.exits[component]?.callee.length ?? 0;
      }
      if (this.newCalls.span.length > MAX_CALLS) throw tooManyCallsError(transformText(transform));
    }
  }

  /** Scales `paid` down if callers claim more than there is. Returns 1 if `paid` is then an estimate. */
  private scalePaid(caller: number, callee: number): number {
    const { flow, edges, recordedCosts } = this.graph;
    const e = findEdge(edges, caller, callee);
    if (flow.scaledEdge[e] === 0) return 0;
    for (let c = 0; c < this.paid.length; c++) this.paid[c] = portionOfCost(edges.costs[c][e], this.paid[c], recordedCosts[c][e]);
    return 1;
  }

  private reroute(at: CallPosition, caller: number, component: number, before: number): void {
    const { graph, components, paid, share, estimated } = this;
    const exit = this.exits[component];
    if (!exit || isAllZero(paid)) return;
    const all = graph.leads.map((_, c) => components.inflow[c][component]);
    const own = (c: number) => paid[graph.leads[c]];
    // True if all cost that enters the component leaves it to one target: a single callee, or its own self cost.
    const single = exit.callee.length + Number(!isAllZero(exit.self)) === 1;
    const isWholeInflow = (of: (c: number) => number) =>
      single && graph.leads.every((lead, c) => lead !== c || paid[c] === 0 || of(c) === all[c]);
    const isEstimate = (of: (c: number) => number) =>
      Number(before === 1 || (components.inexact[component] === 1 && !isWholeInflow(of)));
    let most = 0;
    for (let c = 0; c < share.length; c++) {
      share[c] = roundToWhole(portionOfCost(exit.self[c], own(c), all[c]));
      if (own(c) !== 0 && all[c] !== 0) most = Math.max(most, Math.min(1, own(c) / all[c]));
    }
    let doubt = 0;
    if (this.lines.add(at.span, at.line, at.address, share) && isEstimate((c) => exit.self[c]) === 1)
      doubt = estimated.self[caller] = 1;
    for (let j = 0; j < exit.callee.length; j++) {
      for (let c = 0; c < share.length; c++) share[c] = roundToWhole(portionOfCost(exit.costs[c][j], own(c), all[c]));
      if (isAllZero(share)) continue;
      const doubtful = isEstimate((c) => exit.costs[c][j]);
      doubt |= doubtful;
      this.newCalls.pushCall(at, exit.callee[j], remainingCount(exit.count[j], most), share, doubtful);
    }
    if (doubt === 1) estimated.inclusive[caller] = 1;
  }

  /** Adds a routine for hidden code that no visible routine called. It has a span in each part. */
  *addUncalledCode(routine: number): Sliced<void> {
    const { components, estimated } = this;
    const { spans, lines, parts, columns } = this.graph.profile;
    const first = spans.routine.length;
    const self = parts.map(() => new Float64Array(columns));
    const add = (s: number) => {
      const component = components.componentOf[spans.routine[s]];
      if (component < 0 || components.outsideShare.every((column) => column[component] === 0)) return;
      const sum = self[spans.part[s]];
      for (let c = 0; c < columns; c++) {
        const cost = lines.costs[c];
        const share = components.outsideShare[c][component];
        for (let i = spans.start[s]; i < spans.start[s + 1]; i++) sum[c] += cost[i] * share;
      }
      if (this.isShared(component)) estimated.self[routine] = estimated.inclusive[routine] = 1;
    };
    yield* forEachInSlices(first, add);
    for (const [part, sum] of self.entries()) this.lines.add(first + part, 0, 0, sum);
    for (const { part, callee, count, costs, doubt } of yield* this.callsOfUncalledCode()) {
      this.newCalls.pushCall({ span: first + part, line: 0, address: 0 }, callee, count, costs, doubt);
      estimated.inclusive[routine] |= doubt;
    }
  }

  /** Whether only a part of the inflow came from outside of visible routines. */
  private isShared(component: number): boolean {
    const { graph, components } = this;
    return components.outsideShare.some((column, c) => graph.leads[c] === c && column[component] > 0 && column[component] < 1);
  }

  /** The visible routines that hidden ones call, by part and callee. */
  private *callsOfUncalledCode() {
    const { graph, components, estimated, share } = this;
    const { spans, calls, columns } = graph.profile;
    const known = new PairTable(Uint32Array);
    const make = (part: number, callee: number) => ({ part, callee, count: 0, costs: new Float64Array(columns), doubt: 0 });
    const merged: ReturnType<typeof make>[] = [];
    if (!calls) return merged;
    const merge = (i: number) => {
      const [span, callee] = [calls.span[i], calls.callee[i]];
      const component = components.componentOf[spans.routine[span]];
      if (component < 0 || components.componentOf[callee] >= 0) return;
      for (let c = 0; c < columns; c++) share[c] = calls.costs[c][i] * components.outsideShare[c][component];
      if (isAllZero(share)) return;
      const part = spans.part[span];
      const row = (merged[known.numberOf(part, callee)] ??= make(part, callee));
      row.count += remainingCount(calls.count[i], Math.max(...components.outsideShare.map((column) => column[component])));
      for (let c = 0; c < columns; c++) row.costs[c] += share[c];
      row.doubt |= Number(this.isShared(component)) | estimated.calls[i];
    };
    yield* forEachInSlices(calls.span.length, merge);
    return merged;
  }
}

// The exits of a component of hidden routines: how much of its inflow is self cost of hidden routines, and how much leaves to
// each visible routine.

/** The maximum number of calls in a profile, and of steps to find them: some seconds of work. */
export const MAX_CALLS = 20_000_000;
const MAX_STEPS = 400_000_000;
/** The number of steps between pauses, and the number of steps that a component counts for. */
const STEPS_PER_SLICE = 1 << 15;
const STEPS_PER_COMPONENT = 8;

/** How the inflow of a component is split. */
interface ComponentExit {
  /** By raw column: the part that is self cost. */
  readonly self: Float64Array;
  /** The visible routines that are called, the number of calls, and their cost by column. */
  readonly callee: Uint32Array;
  readonly count: Float64Array;
  readonly costs: readonly Float64Array[];
}

const tooManyCallsError = (text: string) =>
  new ChoiceError(
    `${text} would leave more than ${formatCount(MAX_CALLS)} calls: the hidden routines call too many of the shown ones`,
  );

/** Finds the exit of each component; undefined if no visible routine leads to it. `text`: the transform, for the error. */
function* findExits(graph: TransformGraph, components: HiddenComponents, text: string): Sliced<(ComponentExit | undefined)[]> {
  const selfCosts: Float64Array[] = [];
  for (const self of graph.totals.self) {
    selfCosts.push(sumByKey(self, components.componentOf, components.count));
    yield;
  }
  const out: (ComponentExit | undefined)[] = [];
  const sums = new ExitSums(graph);
  let held = 0;
  for (let k = 0, paused = 0; k < components.count; k++) {
    // Each component counts as several steps.
    if (sums.steps + STEPS_PER_COMPONENT * k - paused >= STEPS_PER_SLICE) {
      paused = sums.steps + STEPS_PER_COMPONENT * k;
      yield;
    }
    const exit = components.reached[k] === 0 ? undefined : sums.sumExit(components, k, selfCosts, out);
    held += exit?.callee.length ?? 0;
    if (held > MAX_CALLS || sums.steps > MAX_STEPS) throw tooManyCallsError(text);
    out.push(exit);
  }
  return out;
}

/** Sums by routine, cleared after each component. */
class ExitSums {
  steps = 0;
  private readonly count: Float64Array;
  private readonly costs: readonly Float64Array[];
  /** By routine: the last component that added it to `found`. */
  private readonly stamp: Int32Array;

  constructor(private readonly graph: TransformGraph) {
    const n = graph.totals.calls.length;
    this.count = new Float64Array(n);
    this.costs = graph.leads.map(() => new Float64Array(n));
    this.stamp = new Int32Array(n).fill(-1);
  }

  /** The exit of a component, computed from the exits of the components that it calls. */
  sumExit(
    components: HiddenComponents,
    k: number,
    selves: readonly Float64Array[],
    done: readonly (ComponentExit | undefined)[],
  ): ComponentExit {
    const { count, costs, graph } = this;
    const { edges, leads } = graph;
    const self = Float64Array.from(selves, (column) => column[k]);
    const found: number[] = [];
    for (let i = components.out.from[k]; i < components.out.from[k + 1]; i++) {
      const e = components.out.order[i];
      const to = edges.callee[e];
      const exit = components.componentOf[to] < 0 ? undefined : done[components.componentOf[to]];
      this.steps += 1 + (exit?.callee.length ?? 0);
      if (!exit) {
        this.addCallee(to, k, found);
        count[to] += edges.count[e];
        for (let c = 0; c < costs.length; c++) costs[c][to] += edges.costs[c][e];
        continue;
      }
      let most = 0;
      for (let c = 0; c < costs.length; c++) {
        const [paid, all] = [edges.costs[leads[c]][e], components.inflow[c][components.componentOf[to]]];
        if (paid === 0) continue;
        most = Math.max(most, paid / all);
        self[c] += portionOfCost(exit.self[c], paid, all);
        for (let j = 0; j < exit.callee.length; j++) {
          this.addCallee(exit.callee[j], k, found);
          costs[c][exit.callee[j]] += portionOfCost(exit.costs[c][j], paid, all);
        }
      }
      for (let j = 0; j < exit.callee.length && most > 0; j++) count[exit.callee[j]] += exit.count[j] * most;
    }
    const callee = Uint32Array.from(found);
    const takeAndClear = (sums: Float64Array) =>
      Float64Array.from(callee, (r) => {
        const sum = sums[r];
        sums[r] = 0;
        return roundToWhole(sum);
      });
    return { self: self.map(roundToWhole), callee, count: takeAndClear(count), costs: costs.map(takeAndClear) };
  }

  private addCallee(routine: number, component: number, found: number[]): void {
    if (this.stamp[routine] === component) return;
    this.stamp[routine] = component;
    found.push(routine);
  }
}
