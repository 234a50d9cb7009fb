// The exits of a component of hidden routines: how much of its inflow is self cost of hidden routines, and how much leaves to
// each visible routine.

import { ChoiceError } from '../../../base/errors.ts';
import type { Sliced } from '../../../base/slices.ts';
import { formatCount } from '../../../base/units.ts';
import { roundToWhole } from '../../answers/callgraph/flow.ts';
import type { HiddenComponents } from './call-graph-components.ts';
import { portionOfCost, type TransformGraph } from './call-graph-flows.ts';

/** The maximum number of calls in a profile, and of steps to find them: some seconds of work. */
export const MAX_CALLS = 20_000_000;
const MAX_STEPS = 400_000_000;
/** The number of steps between pauses, and the number of steps that a component counts for. */
const STEPS_PER_SLICE = 1 << 15;
const STEPS_PER_COMPONENT = 8;

/** How the inflow of a component is split. */
export interface ComponentExit {
  /** By raw column: the part that is self cost. */
  readonly self: Float64Array;
  /** The visible routines that are called, the number of calls, and their cost by column. */
  readonly callee: Uint32Array;
  readonly count: Float64Array;
  readonly costs: readonly Float64Array[];
}

export const tooManyCallsError = (text: string) =>
  new ChoiceError(
    `${text} would leave more than ${formatCount(MAX_CALLS)} calls: the hidden routines call too many of the shown ones`,
  );

/** Finds the exit of each component; undefined if no visible routine leads to it. `text`: the transform, for the error. */
export function* findExits(
  graph: TransformGraph,
  components: HiddenComponents,
  text: string,
): Sliced<(ComponentExit | undefined)[]> {
  const selfCosts = components.inflow.map(() => new Float64Array(components.count));
  for (const [c, sum] of selfCosts.entries()) {
    const self = graph.totals.self[c];
    for (let r = 0; r < self.length; r++) if (components.componentOf[r] >= 0) sum[components.componentOf[r]] += self[r];
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
