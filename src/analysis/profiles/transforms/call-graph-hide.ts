// Hide, show and only-own of a call graph: what hidden routines cost goes to their callers, to the line of the call, and their calls become calls
// from that line. What has no caller that is shown is dropped, as a stack of which no frame is left; of only-own, it stays as one routine.
import { eachInSlices } from '../../../base/slices.ts';
import type { Calls, Spans } from '../../../model/callgraph/tables.ts';
import { Counts, Grow } from '../../../model/column.ts';
import type { Estimated } from '../../../model/profile.ts';
import { longer, withRows } from '../../../model/table.ts';
import { edgeOf } from '../../answers/callgraph/call-sites.ts';
import { whole } from '../../answers/callgraph/flow.ts';
import { type Knots, knotsOf } from './call-graph-components.ts';
import { estimatedIn, takeRemains } from './call-graph-draft.ts';
import { type Exit, exitsOf, MOST_CALLS, tooMany } from './call-graph-exits.ts';
import { type Graph, type GraphProfile, portion, SLICE } from './call-graph-flows.ts';
import { isNothing, keepLines, NewLines } from './call-graph-rows.ts';
import { countLeft } from './call-graph-shares.ts';
import { nowhere, RoutineDraft } from './routine-draft.ts';
import { type Transform, transformText } from './transform.ts';

/** The name that only-own gives to code of others which own code did not call. */
export const OUTSIDE = '(outside)';

export function* hideRoutines(graph: Graph, hide: Uint8Array, transform: Transform): Generator<undefined, GraphProfile> {
  const { profile, totals } = graph;
  const knots = yield* knotsOf(graph, hide);
  const exits = yield* exitsOf(graph, knots, transformText(transform));
  const before = estimatedIn(profile);
  const outside = transform.word === 'only-own';
  const draft = new RoutineDraft(profile);
  const [routine] = yield* draft.add(outside ? [nowhere(OUTSIDE)] : []);
  const spans = outside ? withParts(profile, () => routine) : profile.spans;
  const more = new Uint8Array(draft.count - before.self.length);
  const [selfDoubt, inclusive] = [longer(before.self, more), longer(before.inclusive, more)];
  const rows = new Rerouted(graph, knots, exits, { self: selfDoubt, inclusive, calls: before.calls });
  if (outside) yield* rows.outside(routine);
  if (profile.calls) yield* rows.calls(profile.calls, transform);
  const shown = new Float64Array(hide.length);
  for (let r = 0; r < hide.length; r++) shown[r] = 1 - hide[r];
  yield;
  const { lines, start } = yield* keepLines(
    profile,
    spans,
    { share: totals.self.map(() => shown), complement: false },
    rows.lines,
  );
  return yield* takeRemains(profile, {
    strings: draft.head.strings,
    routines: draft.head.routines,
    spans: { ...spans, start },
    lines,
    ...(profile.calls ? { calls: rows.made.finish(profile.calls.address !== undefined) } : {}),
    estimated: { self: selfDoubt, inclusive, calls: rows.made.doubt.done() },
  });
}

/** The spans, and one of a routine in each part. */
export function withParts({ spans, parts }: GraphProfile, routineOf: (part: number) => number): Omit<Spans, 'start'> {
  const { start: _, ...columns } = spans;
  return withRows(
    columns,
    parts.map((_, part) => ({ routine: routineOf(part), file: -1, part, high: 0 })),
  );
}

/** Calls in the making. */
export class NewCalls extends NewLines {
  readonly callee = new Grow(Uint32Array);
  readonly count = new Counts();
  readonly doubt = new Grow(Uint8Array);

  call({ span, line, address }: Place, callee: number, count: number, costs: ArrayLike<number>, doubt: number): void {
    this.push(span, line, address, costs);
    this.callee.push(callee);
    this.count.push(count);
    this.doubt.push(doubt);
  }

  finish(addresses: boolean): Calls {
    return {
      span: this.span.done(),
      callee: this.callee.done(),
      line: this.line.done(),
      ...(addresses ? { address: this.address.done() } : {}),
      count: this.count.done(),
      costs: this.costs.map((column) => column.done()),
    };
  }
}

interface Place {
  readonly span: number;
  readonly line: number;
  readonly address: number;
}

/** The rows that take the place of those of hidden routines, and of calls of them. */
class Rerouted {
  readonly lines: NewLines;
  readonly made: NewCalls;
  /** The cost of a row, and the part that goes one way. */
  private readonly paid: Float64Array;
  private readonly share: Float64Array;

  constructor(
    private readonly graph: Graph,
    private readonly knots: Knots,
    private readonly exits: readonly (Exit | undefined)[],
    private readonly estimated: Estimated,
  ) {
    const { columns } = graph.profile;
    this.lines = new NewLines(columns);
    this.made = new NewCalls(columns);
    this.paid = new Float64Array(columns);
    this.share = new Float64Array(columns);
  }

  /** Calls of what is shown stay; those of what is hidden become what they lead to. */
  *calls(calls: Calls, transform: Transform): Generator<undefined, void> {
    const { knots, paid } = this;
    const { spans } = this.graph.profile;
    // The targets of a rerouted call are work, too.
    for (let i = 0, worked = 0, paused = 0; i < calls.span.length; i++) {
      if (worked - paused >= SLICE) {
        paused = worked;
        yield;
      }
      worked++;
      const caller = spans.routine[calls.span[i]];
      if (knots.of[caller] >= 0) continue;
      const at: Place = { span: calls.span[i], line: calls.line[i], address: calls.address?.[i] ?? 0 };
      for (let c = 0; c < paid.length; c++) paid[c] = calls.costs[c][i];
      const knot = knots.of[calls.callee[i]];
      if (knot < 0) this.made.call(at, calls.callee[i], calls.count[i], paid, this.estimated.calls[i]);
      else {
        this.reroute(at, caller, knot, this.estimated.calls[i] | this.scalePaid(caller, calls.callee[i]));
        worked += this.exits[knot]?.callee.length ?? 0;
      }
      if (this.made.span.length > MOST_CALLS) throw tooMany(transformText(transform));
    }
  }

  /** Callers that claim more than there is get no more than that. Returns 1 where `paid` is an estimate for it. */
  private scalePaid(caller: number, callee: number): number {
    const { flow, edges, claims } = this.graph;
    const e = edgeOf(edges, caller, callee);
    if (flow.scaledEdge[e] === 0) return 0;
    for (let c = 0; c < this.paid.length; c++) this.paid[c] = portion(edges.costs[c][e], this.paid[c], claims[c][e]);
    return 1;
  }

  /** Instead of a call of a knot that costs `paid`. */
  private reroute(at: Place, caller: number, knot: number, before: number): void {
    const { graph, knots, paid, share, estimated } = this;
    const exit = this.exits[knot];
    if (!exit || isNothing(paid)) return;
    const all = graph.leads.map((_, c) => knots.arrives[c][knot]);
    const own = (c: number) => paid[graph.leads[c]];
    // Everything that arrives goes one way.
    const single = exit.callee.length + Number(!isNothing(exit.self)) === 1;
    const only = (of: (c: number) => number) =>
      single && graph.leads.every((lead, c) => lead !== c || paid[c] === 0 || of(c) === all[c]);
    const doubtOf = (of: (c: number) => number) => Number(before === 1 || (knots.tangled[knot] === 1 && !only(of)));
    let most = 0;
    for (let c = 0; c < share.length; c++) {
      share[c] = whole(portion(exit.self[c], own(c), all[c]));
      if (own(c) !== 0 && all[c] !== 0) most = Math.max(most, Math.min(1, own(c) / all[c]));
    }
    let doubt = 0;
    if (this.lines.add(at.span, at.line, at.address, share) && doubtOf((c) => exit.self[c]) === 1)
      doubt = estimated.self[caller] = 1;
    for (let j = 0; j < exit.callee.length; j++) {
      for (let c = 0; c < share.length; c++) share[c] = whole(portion(exit.costs[c][j], own(c), all[c]));
      if (isNothing(share)) continue;
      const doubtful = doubtOf((c) => exit.costs[c][j]);
      doubt |= doubtful;
      this.made.call(at, exit.callee[j], countLeft(exit.count[j], most), share, doubtful);
    }
    if (doubt === 1) estimated.inclusive[caller] = 1;
  }

  /** Hidden code that no shown routine called, as a routine of its own, which has a span in each part. */
  *outside(routine: number): Generator<undefined, void> {
    const { knots, estimated } = this;
    const { spans, parts, columns } = this.graph.profile;
    const first = spans.routine.length;
    const self = parts.map(() => new Float64Array(columns));
    const add = (s: number) => {
      const knot = knots.of[spans.routine[s]];
      if (knot < 0 || knots.outside.every((column) => column[knot] === 0)) return;
      this.addSelf(s, knot, self[spans.part[s]]);
      if (this.isShared(knot)) estimated.self[routine] = estimated.inclusive[routine] = 1;
    };
    yield* eachInSlices(first, add, SLICE);
    for (const [part, sum] of self.entries()) this.lines.add(first + part, 0, 0, sum);
    for (const { part, callee, count, costs, doubt } of yield* this.outsideCalls()) {
      this.made.call({ span: first + part, line: 0, address: 0 }, callee, count, costs, doubt);
      estimated.inclusive[routine] |= doubt;
    }
  }

  /** Whether only some of what arrives in a knot was called by nothing that is shown. */
  private isShared(knot: number): boolean {
    const { graph, knots } = this;
    return knots.outside.some((column, c) => graph.leads[c] === c && column[knot] > 0 && column[knot] < 1);
  }

  /** Adds what of a span's own cost nothing that is shown has called. */
  private addSelf(span: number, knot: number, sum: Float64Array): void {
    const { spans, lines } = this.graph.profile;
    for (let c = 0; c < sum.length; c++) {
      const cost = lines.costs[c];
      const share = this.knots.outside[c][knot];
      for (let i = spans.start[span]; i < spans.start[span + 1]; i++) sum[c] += cost[i] * share;
    }
  }

  /** The shown routines that hidden ones call, by part and callee. */
  private *outsideCalls(): Generator<undefined, Iterable<OutsideCall>> {
    const { graph, knots, estimated, share } = this;
    const { spans, calls, columns } = graph.profile;
    const merged = new Map<string, OutsideCall>();
    if (!calls) return [];
    const merge = (i: number) => {
      const [span, callee] = [calls.span[i], calls.callee[i]];
      const knot = knots.of[spans.routine[span]];
      if (knot < 0 || knots.of[callee] >= 0) return;
      for (let c = 0; c < columns; c++) share[c] = calls.costs[c][i] * knots.outside[c][knot];
      if (isNothing(share)) return;
      const key = `${spans.part[span]} ${callee}`;
      const row = merged.get(key) ?? { part: spans.part[span], callee, count: 0, costs: new Float64Array(columns), doubt: 0 };
      merged.set(key, row);
      row.count += countLeft(calls.count[i], Math.max(...knots.outside.map((column) => column[knot])));
      for (let c = 0; c < columns; c++) row.costs[c] += share[c];
      row.doubt |= Number(this.isShared(knot)) | estimated.calls[i];
    };
    yield* eachInSlices(calls.span.length, merge, SLICE);
    return merged.values();
  }
}

interface OutsideCall {
  readonly part: number;
  readonly callee: number;
  count: number;
  readonly costs: Float64Array;
  doubt: number;
}
