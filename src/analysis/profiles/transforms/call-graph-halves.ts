// Counts beyond 2^53 have columns with exact halves. Scaling a half makes it inexact, so the halves of a scaled cost are
// recomputed from the rounded cost. Costs that were kept, moved or removed unchanged stay exact.
import { runInSlices } from '../../../base/slices.ts';
import type { Costs } from '../../../model/column.ts';
import type { GraphProfile } from './call-graph-flows.ts';

const TWO_POW_32 = 2 ** 32;

/** Makes all halves whole numbers that add up to their counts. */
export function* recomputeHalves(profile: GraphProfile): Generator<undefined, GraphProfile> {
  let now = profile;
  for (const { terms, exact } of profile.events) {
    const [[, high] = [0, -1]] = exact?.high ?? [];
    const [[, low] = [0, -1]] = exact?.low ?? [];
    if (terms.length !== 1 || high < 0 || low < 0) continue;
    const withHalvesOf = (costs: Costs) => withHalves(costs, terms[0][1], high, low);
    const { lines, calls } = now;
    now = {
      ...now,
      lines: { ...lines, costs: yield* withHalvesOf(lines.costs) },
      ...(calls ? { calls: { ...calls, costs: yield* withHalvesOf(calls.costs) } } : {}),
    };
  }
  return now;
}

function* withHalves(costs: Costs, main: number, high: number, low: number): Generator<undefined, Costs> {
  const [upper, lower] = [Float64Array.from(costs[high]), Float64Array.from(costs[low])];
  yield;
  yield* runInSlices(upper.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const cost = costs[main][i];
      const whole = Number.isInteger(upper[i]) && Number.isInteger(lower[i]);
      if (whole && TWO_POW_32 * upper[i] + lower[i] === cost) continue;
      upper[i] = Math.floor(cost / TWO_POW_32);
      lower[i] = Math.round(cost - upper[i] * TWO_POW_32);
    }
  });
  return costs.map((column, c) => (c === high ? upper : c === low ? lower : column));
}
