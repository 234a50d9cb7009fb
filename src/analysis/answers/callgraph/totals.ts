// Cost of each routine. Self is the sum of its lines. Inclusive is self plus the calls that leave the routine, or, for a
// member of a cycle, that leave its cycle: so no cost is counted twice, however deep the recursion. This is KCachegrind's
// rule for members of a cycle, applied to every routine; for the others it equals the sum of the calls to it wherever the
// file's numbers balance.
import { inSlices } from '../../../base/slices.ts';
import { zeroCosts } from '../../../model/event-value.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Edges, Totals } from '../costing.ts';
import { staysInside } from '../line-calls.ts';
import type { Active } from '../once.ts';
import { findCycles } from './cycles.ts';

/** Yields between slices of work. */
export function* routineTotals(
  profile: ProfileOf<'callgraph'>,
  edgeJob: Generator<undefined, Edges>,
  active: Active,
): Generator<undefined, Totals> {
  const edges = yield* edgeJob;
  const routines = profile.routines.name.length;
  const columns = profile.columns;
  const { self, byPart, total } = yield* selfCosts(profile, active);
  const cycles = yield* findCycles(edges, routines);
  const calls = new Float64Array(routines);
  yield* inSlices(edges.callee.length, (from, to) => {
    for (let e = from; e < to; e++) calls[edges.callee[e]] += edges.count[e];
  });
  const inclusive = self.map((s) => s.slice());
  for (let c = 0; c < columns; c++) {
    const out = inclusive[c];
    const cost = edges.costs[c];
    yield* inSlices(edges.caller.length, (from, to) => {
      for (let e = from; e < to; e++) {
        const caller = edges.caller[e];
        if (!staysInside(cycles.of, caller, edges.callee[e])) out[caller] += cost[e];
      }
    });
  }
  const cycleSelf = zeroCosts(columns, cycles.count + 1);
  const cycleInclusive = zeroCosts(columns, cycles.count + 1);
  if (cycles.count > 0) {
    for (let c = 0; c < columns; c++) {
      for (let r = 0; r < routines; r++) {
        const cycle = cycles.of[r];
        if (cycle === 0) continue;
        cycleSelf[c][cycle] += self[c][r];
        cycleInclusive[c][cycle] += inclusive[c][r];
      }
    }
  }
  const estimated = profile.transformed?.estimated;
  // A sum of estimates is no more exact than its digits before the point.
  if (estimated) for (const sum of total) sum[0] = Math.round(sum[0]);
  const whole = wholes(profile, byPart, total, active);
  return { total, whole, self, inclusive, calls, cycles, cycleSelf, cycleInclusive, ...(estimated ? { estimated } : {}) };
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
