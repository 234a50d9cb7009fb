// How cost flows through a call graph: which share of what arrives in a routine came through a group of routines. A call graph does not
// say by which path a cost was reached: a routine that is called from inside and from outside gets the share of its callers,
//   below(r) = sum(below(caller) * cost(edge)) / (sum of its edges + what starts in it)
// with below = 1 in the group, so a share is exact if every routine is wholly below the group or not at all.
import { atOnce } from '../../../base/slices.ts';
import type { Cycles, Totals } from '../costing.ts';
import type { Arrivals } from './arrivals.ts';

/** Members of a cycle depend on each other: their shares are found by going round. */
const MOST_ROUNDS = 20;
const CLOSE = 1e-6;

/** Visits between pauses. */
const SLICE = 1 << 14;

/**
 * Visits every routine after those that it depends on: its callees or its callers. Those of a cycle are visited again until no share moves.
 * `visit` says how far the share of its routine moved, from 0 to 1. Yields
 * between slices of work.
 */
export function* inRounds(
  { of, calleesFirst }: Cycles,
  first: 'callees' | 'callers',
  visit: (routine: number) => number,
): Generator<undefined, void> {
  const n = calleesFirst.length;
  const routine = first === 'callees' ? (k: number) => calleesFirst[k] : (k: number) => calleesFirst[n - 1 - k];
  for (let at = 0, visits = 0; at < n; ) {
    const cycle = of[routine(at)];
    const start = at++;
    if (cycle > 0) while (at < n && of[routine(at)] === cycle) at++;
    for (let round = 0, moved = 1; round < MOST_ROUNDS && moved > CLOSE; round++) {
      moved = 0;
      for (let k = start; k < at; k++) {
        moved = Math.max(moved, visit(routine(k)));
        if (++visits % SLICE === 0) yield;
      }
      if (cycle === 0) break;
    }
  }
  yield;
}

/** One raw column of the call graph. */
export class Flow {
  /** Routines and edges looked at so far. */
  steps = 0;
  /** The flow into each routine, from callers and from roots. */
  private readonly all: Float64Array;
  private readonly share: Float64Array;
  private readonly cost: Float64Array;

  constructor(
    private readonly totals: Totals,
    private readonly arrivals: Arrivals,
    column: number,
  ) {
    const { edges } = arrivals;
    this.cost = edges.costs[column];
    this.all = new Float64Array(totals.calls.length);
    this.share = new Float64Array(totals.calls.length);
    for (let e = 0; e < edges.caller.length; e++)
      if (edges.caller[e] !== edges.callee[e]) this.all[edges.callee[e]] += this.cost[e];
    arrivals.starts.forEach((start, k) => {
      this.all[start] += arrivals.rests[column][k];
    });
  }

  /** The share of each routine's cost that arrives through the group. The next call writes over it. */
  below(groupOf: Int32Array, group: number): Float64Array {
    return atOnce(this.belowInSlices(groupOf, group));
  }

  /** The same, which yields between slices of work. */
  *belowInSlices(groupOf: Int32Array, group: number): Generator<undefined, Float64Array> {
    const { share, totals } = this;
    const { into } = this.arrivals.edges;
    share.fill(0);
    yield* inRounds(totals.cycles, 'callers', (r) => {
      this.steps += 1 + into.from[r + 1] - into.from[r];
      const next = groupOf[r] === group ? 1 : this.arriving(r);
      const moved = Math.abs(next - share[r]);
      share[r] = next;
      return moved;
    });
    return share;
  }

  private arriving(r: number): number {
    const { caller, into } = this.arrivals.edges;
    const { cost, share } = this;
    let sum = 0;
    let all = 0;
    let some = false;
    for (let k = into.from[r]; k < into.from[r + 1]; k++) {
      const e = into.order[k];
      if (caller[e] === r) continue;
      some ||= share[caller[e]] !== 0;
      if (share[caller[e]] === 1) all += cost[e];
      sum += share[caller[e]] * cost[e];
    }
    if (!some || this.all[r] === 0) return 0;
    // Without rounding, where every caller is wholly below the group.
    return all === this.all[r] ? 1 : Math.min(1, sum / this.all[r]);
  }
}
