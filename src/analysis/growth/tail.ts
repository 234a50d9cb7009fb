// The largest sizes, where they do not follow the law of the others: a cliff of a cache, another algorithm, one call that was slow. Nothing to
// their right says which, so they are no outliers.
import { medianOf } from '../../base/median.ts';
import { type Law, lawAt } from './classes.ts';
import type { Points } from './robust.ts';

export interface Tail {
  /** The largest size that was fitted below it. */
  readonly after: number;
  /** Its costs, divided by the law of the sizes below it: the median. */
  readonly times: number;
}

/** The law of the sizes below needs this many of them. */
const LEAST_BELOW = 5;
/** Costs of a tail are off the law by this share at least, and by three deviations of its errors: of normal errors, the scale is 0.79 of it. */
const LEAST_OFF = 0.25;
const SCALES = 3 / 0.79;

/** A tail that is so far off begins with a jump of its logarithms, which the scatter of one point makes smaller. */
const LEAST_JUMP = 0.12;

/** Where the costs of the upper half of the sizes jump most against the growth around them: the row after the jump; -1 where there is none. */
export function jumpOf({ size, cost, floor }: Points): number {
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
  let [row, most] = [-1, LEAST_JUMP];
  for (let i = Math.max(LEAST_BELOW, n >> 1); i < n; i++) {
    const jump = Math.abs(log(i) - log(i - 1) - slope * steps[i - 1]);
    if (jump > most) [row, most] = [i, jump];
  }
  return row;
}

/** The tail from a row on, if all its costs are off the law on the same side; undefined otherwise. */
export function tailFrom(from: number, law: Law & { readonly scale: number }, { size, cost, floor }: Points): Tail | undefined {
  const least = Math.max(LEAST_OFF, SCALES * law.scale);
  const ratios: number[] = [];
  for (let i = from; i < size.length; i++)
    ratios.push((Math.max(0, cost[i]) + floor) / (Math.max(0, lawAt(law, size[i])) + floor));
  const sign = Math.sign(ratios[0] - 1);
  if (!ratios.every((r) => sign * (r - 1) > least)) return undefined;
  return { after: size[from - 1], times: medianOf(ratios) };
}
