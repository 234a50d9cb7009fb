// Profiles that are differences of two others, as cg_diff and pprof -diff_base write them: costs of both signs.
import { memo } from '../../base/lists.ts';
import type { Costs } from '../../model/column.ts';
import { type Event, eventColumn, eventValue } from '../../model/head.ts';
import type { Analysis } from './analysis.ts';

/** If the absolute costs exceed their sum by this factor, costs have both signs. */
const MIN_MIXED_RATIO = 1.01;

const cancelsOut = (size: number, sum: number) => size > MIN_MIXED_RATIO * Math.abs(sum);

/**
 * By column, the base of percentages: the total, or the sum of absolute costs if rows of both signs cancel out. `rows`: calls
 * its argument with the ranges of rows that count.
 */
export function percentageBasesOf(
  costs: Costs,
  total: readonly Float64Array[],
  rows: (add: (from: number, to: number) => void) => void,
): Float64Array[] {
  return total.map((sum, c) => {
    const column = costs[c];
    // Only columns of doubles can have negative values.
    if (!(column instanceof Float64Array)) return sum.slice();
    let size = 0;
    rows((from, to) => {
      for (let i = from; i < to; i++) size += Math.abs(column[i]);
    });
    return cancelsOut(size, sum[0]) ? Float64Array.of(size) : sum.slice();
  });
}

/** Whether the costs of routines in an event have both signs. */
export const isDifference = memo((analysis: Analysis, event: Event): boolean => {
  const { self, total } = analysis.totals;
  const values = eventColumn(event, self, analysis.profile.routines.name.length);
  let size = 0;
  for (let r = 0; r < values.length; r++) size += Math.abs(values[r]);
  return cancelsOut(size, eventValue(event, total, 0));
}, 4);
