// The exits of a knot of hidden routines: how much of its inflow is spent in it or its hidden callees, and how much leaves to each
// routine that is shown.
import { ChoiceError } from '../../../base/errors.ts';
import { formatCount } from '../../../base/units.ts';
import { whole } from '../../answers/callgraph/flow.ts';
import type { Knots } from './call-graph-components.ts';
import { type Graph, portion } from './call-graph-flows.ts';

/** Calls that a profile may get, and steps that it may take to find them: some seconds of work. */
export const MOST_CALLS = 20_000_000;
const MOST_STEPS = 400_000_000;
/** Steps between pauses, and those that a knot itself is worth. */
const STEPS = 1 << 15;
const EACH = 8;

/** The inflow of a knot. */
export interface Exit {
  /** By column: what is self cost. */
  readonly self: Float64Array;
  /** Routines that are shown, how often they are called, and what that costs, by column. */
  readonly callee: Uint32Array;
  readonly count: Float64Array;
  readonly costs: readonly Float64Array[];
}

export const tooMany = (text: string) =>
  new ChoiceError(
    `${text} would leave more than ${formatCount(MOST_CALLS)} calls: the hidden routines call too many of the shown ones`,
  );

/** By knot; nothing for those that no routine leads to that is shown. `text`: the transform, for the error. */
export function* exitsOf(graph: Graph, knots: Knots, text: string): Generator<undefined, (Exit | undefined)[]> {
  const selves = knots.arrives.map(() => new Float64Array(knots.count));
  for (const [c, sum] of selves.entries()) {
    const self = graph.totals.self[c];
    for (let r = 0; r < self.length; r++) if (knots.of[r] >= 0) sum[knots.of[r]] += self[r];
    yield;
  }
  const out: (Exit | undefined)[] = [];
  const sums = new Sums(graph);
  let held = 0;
  for (let k = 0, paused = 0; k < knots.count; k++) {
    // A knot takes more time than a step to the next.
    if (sums.steps + EACH * k - paused >= STEPS) {
      paused = sums.steps + EACH * k;
      yield;
    }
    if (knots.entered[k] === 0) {
      out.push(undefined);
      continue;
    }
    const exit = sums.of(knots, k, selves, out);
    held += exit.callee.length;
    if (held > MOST_CALLS || sums.steps > MOST_STEPS) throw tooMany(text);
    out.push(exit);
  }
  return out;
}

/** Sums by routine, emptied after each knot. */
class Sums {
  steps = 0;
  private readonly count: Float64Array;
  private readonly costs: readonly Float64Array[];
  /** The place of each routine among those of the knot, valid if stamped. */
  private readonly stamp: Int32Array;

  constructor(private readonly graph: Graph) {
    const n = graph.totals.calls.length;
    this.count = new Float64Array(n);
    this.costs = graph.leads.map(() => new Float64Array(n));
    this.stamp = new Int32Array(n).fill(-1);
  }

  /** The exit of a knot, from those of the knots that it calls. */
  of(knots: Knots, k: number, selves: readonly Float64Array[], done: readonly (Exit | undefined)[]): Exit {
    const { count, costs, graph } = this;
    const { edges, leads } = graph;
    const self = Float64Array.from(selves, (column) => column[k]);
    const found: number[] = [];
    for (let i = knots.out.from[k]; i < knots.out.from[k + 1]; i++) {
      const e = knots.out.order[i];
      const to = edges.callee[e];
      const exit = knots.of[to] < 0 ? undefined : done[knots.of[to]];
      this.steps += 1 + (exit?.callee.length ?? 0);
      if (!exit) {
        this.meet(to, k, found);
        count[to] += edges.count[e];
        for (let c = 0; c < costs.length; c++) costs[c][to] += edges.costs[c][e];
        continue;
      }
      let most = 0;
      for (let c = 0; c < costs.length; c++) {
        const [paid, all] = [edges.costs[leads[c]][e], knots.arrives[c][knots.of[to]]];
        if (paid === 0) continue;
        most = Math.max(most, paid / all);
        self[c] += portion(exit.self[c], paid, all);
        for (let j = 0; j < exit.callee.length; j++) {
          this.meet(exit.callee[j], k, found);
          costs[c][exit.callee[j]] += portion(exit.costs[c][j], paid, all);
        }
      }
      for (let j = 0; j < exit.callee.length && most > 0; j++) count[exit.callee[j]] += exit.count[j] * most;
    }
    const callee = Uint32Array.from(found);
    const taken = (sums: Float64Array) =>
      Float64Array.from(callee, (r) => {
        const sum = sums[r];
        sums[r] = 0;
        return whole(sum);
      });
    return { self: self.map(whole), callee, count: taken(count), costs: costs.map(taken) };
  }

  private meet(routine: number, knot: number, found: number[]): void {
    if (this.stamp[routine] === knot) return;
    this.stamp[routine] = knot;
    found.push(routine);
  }
}
