// Finds the largest sizes if they do not follow the law of the others: a cache limit, another algorithm, or one slow call. No
// larger sizes show which, so these points do not count as outliers.
import { medianOf } from '../../base/median.ts';
import { costByLaw, type Law } from './classes.ts';
import type { Points } from './robust.ts';

/** The fewest sizes below the tail that define a law. */
const MIN_SIZES_BELOW = 5;
/** The minimum relative error of a tail's costs. Errors must also exceed three deviations; the scale is 0.79 deviations. */
const MIN_TAIL_ERROR = 0.25;
const MIN_TAIL_SCALES = 3 / 0.79;

/** The smallest jump of logarithms that can begin a tail; the scatter of one point may reduce a jump. */
const MIN_LOG_JUMP = 0.12;

/**
 * The row after the largest jump of costs against the surrounding growth, in the upper half of the sizes; -1 if there is none.
 */
export function rowAfterJump({ size, cost, floor }: Points): number {
  const n = size.length;
  const log = (i: number) => Math.log(Math.max(0, cost[i]) + floor);
  const slopes: number[] = [];
  const steps: number[] = [];
  for (let i = 1; i < n; i++) {
    const step = Math.log(Math.max(1, size[i]) / Math.max(1, size[i - 1]));
    steps.push(step);
    if (step > 0) slopes.push((log(i) - log(i - 1)) / step);
  }
  if (slopes.length === 0) return -1;
  const slope = medianOf(slopes);
  let [row, most] = [-1, MIN_LOG_JUMP];
  for (let i = Math.max(MIN_SIZES_BELOW, n >> 1); i < n; i++) {
    const jump = Math.abs(log(i) - log(i - 1) - slope * steps[i - 1]);
    if (jump > most) [row, most] = [i, jump];
  }
  return row;
}

/**
 * The tail from a row on, if all its costs are off the law on the same side; undefined otherwise. `after`: the largest size that was fitted below
 * it. `times`: the median of the tail's costs divided by the law of the smaller sizes.
 */
export function tailFrom(from: number, law: Law & { readonly scale: number }, { size, cost, floor }: Points) {
  const least = Math.max(MIN_TAIL_ERROR, MIN_TAIL_SCALES * law.scale);
  const ratios: number[] = [];
  for (let i = from; i < size.length; i++)
    ratios.push((Math.max(0, cost[i]) + floor) / (Math.max(0, costByLaw(law, size[i])) + floor));
  const sign = Math.sign(ratios[0] - 1);
  if (!ratios.every((r) => sign * (r - 1) > least)) return undefined;
  return { after: size[from - 1], times: medianOf(ratios) };
}
