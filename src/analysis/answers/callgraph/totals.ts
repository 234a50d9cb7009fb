// Cost of each routine. Self is the sum of its lines. Inclusive is self plus the calls that leave the routine; for members of a cycle, what
// arrives in them for the first time (recursion.ts). So no cost is counted twice, however deep the recursion.
import { inSlices } from '../../../base/slices.ts';
import { zeroCosts } from '../../../model/event-value.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Cycles, Edges, Totals } from '../costing.ts';
import type { Active } from '../once.ts';
import { findCycles } from './cycles.ts';
import { callGraph } from './edges.ts';
import { flowOf } from './flow.ts';
import { edgesOnce, inclusiveCosts, recursionOf } from './recursion.ts';
import type { FlowGraph } from './shares.ts';

/** The totals, the edges with each cost counted once, and the flow that both are of. */
export interface GraphTotals extends FlowGraph {
  readonly edges: Edges;
}

/** Yields between slices of work. */
export function* graphTotals(profile: ProfileOf<'callgraph'>, active: Active): Generator<undefined, GraphTotals> {
  const recorded = yield* callGraph(profile, active);
  const routines = profile.routines.name.length;
  const { self, byPart, total } = yield* selfCosts(profile, active);
  const cycles = yield* findCycles(recorded, routines);
  const flow = yield* flowOf(recorded, self, cycles);
  const recursion = yield* recursionOf(profile, flow, self, cycles);
  const { inclusive, estimated } = yield* inclusiveCosts(recorded, self, cycles, recursion);
  const edges = yield* edgesOnce(recorded, flow, cycles, recursion);
  const calls = new Float64Array(routines);
  yield* inSlices(recorded.callee.length, (from, to) => {
    for (let e = from; e < to; e++) calls[recorded.callee[e]] += recorded.count[e];
  });
  const made = self.map((column) => column.slice());
  for (const [c, column] of recorded.costs.entries())
    yield* inSlices(column.length, (from, to) => {
      for (let e = from; e < to; e++) made[c][recorded.caller[e]] += column[e];
    });
  const [cycleSelf, cycleInclusive] = [self, self].map((of) => inCycles(of, cycles));
  for (let c = 0; c < self.length && cycles.count > 0; c++) {
    const cost = recorded.costs[c];
    yield* inSlices(cost.length, (from, to) => {
      for (let e = from; e < to; e++) {
        const cycle = cycles.of[recorded.caller[e]];
        if (cycle > 0 && cycles.of[recorded.callee[e]] !== cycle) cycleInclusive[c][cycle] += cost[e];
      }
    });
  }
  const guessed = profile.transformed?.estimated;
  for (let r = 0; guessed && r < routines; r++) estimated[r] |= guessed.inclusive[r];
  // A sum of estimates is no more exact than its digits before the point.
  if (guessed) for (const sum of total) sum[0] = Math.round(sum[0]);
  const whole = wholes(profile, byPart, total, active);
  const doubts = guessed || estimated.includes(1);
  const totals: Totals = {
    total,
    whole,
    self,
    inclusive,
    ...(made.some((column, c) => column.some((cost, r) => cost !== inclusive[c][r])) ? { recorded: made } : {}),
    calls,
    cycles,
    cycleSelf,
    cycleInclusive,
    ...(doubts ? { estimated: { self: guessed?.self ?? new Uint8Array(routines), inclusive: estimated } } : {}),
  };
  return { totals, edges, flow, recursion };
}

/** Sums by cycle number. */
function inCycles(costs: readonly Float64Array[], { of, count }: Cycles): Float64Array[] {
  const out = zeroCosts(costs.length, count + 1);
  if (count === 0) return out;
  for (const [c, column] of costs.entries()) for (let r = 0; r < of.length; r++) if (of[r] > 0) out[c][of[r]] += column[r];
  return out;
}

/** Spans between pauses. */
const SPANS = 1 << 15;

/** By column: of each routine, of each part, and of all together. */
function* selfCosts({ spans, lines, columns, routines, parts }: ProfileOf<'callgraph'>, active: Active) {
  const self = zeroCosts(columns, routines.name.length);
  const byPart = zeroCosts(columns, Math.max(1, parts.length));
  const total = zeroCosts(columns, 1);
  for (let c = 0; c < columns; c++) {
    const cost = lines.costs[c];
    const [out, sums, all] = [self[c], byPart[c], total[c]];
    const add = (from: number, to: number) => {
      for (let s = from; s < to; s++) {
        const part = spans.part[s];
        if (active && !active(part)) continue;
        let sum = 0;
        const end = spans.start[s + 1];
        for (let i = spans.start[s]; i < end; i++) sum += cost[i];
        out[spans.routine[s]] += sum;
        sums[part] += sum;
        all[0] += sum;
      }
    };
    yield* inSlices(spans.routine.length, add, SPANS);
  }
  return { self, byPart, total };
}

function wholes(
  profile: ProfileOf<'callgraph'>,
  byPart: Float64Array[],
  total: readonly Float64Array[],
  active: Active,
): Float64Array[] {
  const out = total.map((t) => t.slice());
  profile.parts.forEach((part, p) => {
    if (active && !active(p)) return;
    part.summary?.forEach((value, k) => {
      const column = profile.events.find((e) => e.name === part.events[k] && !e.formula)?.terms[0]?.[1];
      if (column === undefined) return;
      const more = Number(value) - byPart[column][p];
      if (more > 0) out[column][0] += more;
    });
  });
  return out;
}
