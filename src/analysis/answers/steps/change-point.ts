// Where a course of times has changed for good: the standard normal homogeneity test (Alexandersson 1986) on logarithms, since noise is a
// share of a time. What it exceeds by chance is found from the values themselves in other orders, so the shape of the noise does not
// matter; a single slow run is cut to what the others allow.

import { medianOf } from '../../../base/median.ts';

export interface ChangePoint {
  /** The first value after the change. */
  readonly at: number;
  /** The medians before and from then on. */
  readonly before: number;
  readonly after: number;
}

/** Values on either side: a single one may be chance. */
const LEAST = 2;
/** Fewer values say nothing. */
const FEWEST = 6;
/** How often no change is taken for one. */
const FALSE = 0.04;
/** Orders that are tried; fewer where that many exceed the course as it is that it cannot be sure any more. */
const ORDERS = 1000;
/** Changes smaller than this share are of no interest, however sure. */
const SMALLEST = 0.02;
/** Values are cut to so many median deviations from the median. */
const FAR = 7;

/** Logarithms without their mean. Times are in milliseconds, of which a fraction is not known. */
function logsOf(values: readonly number[]): number[] {
  const logs = values.map((ms) => Math.log(Math.max(0.5, ms)));
  const middle = medianOf(logs);
  const spread = FAR * medianOf(logs.map((x) => Math.abs(x - middle)));
  const cut = spread > 0 ? logs.map((x) => Math.min(middle + spread, Math.max(middle - spread, x))) : logs;
  const mean = cut.reduce((sum, x) => sum + x, 0) / cut.length;
  return cut.map((x) => x - mean);
}

/** The split with the largest statistic, and that. The values have the mean 0, so the means of both sides follow from one. */
function largest(values: ArrayLike<number>): readonly [at: number, statistic: number] {
  const n = values.length;
  let [sum, at, most] = [0, 0, 0];
  for (let k = 1; k <= n - LEAST; k++) {
    sum += values[k - 1];
    const statistic = k < LEAST ? 0 : sum * sum * (1 / k + 1 / (n - k));
    if (statistic > most) [at, most] = [k, statistic];
  }
  return [at, most];
}

/** Whether the statistic is larger than in nearly all other orders of the values. The same in every run. */
function isSure(values: readonly number[], statistic: number): boolean {
  const order = Float64Array.from(values);
  const most = Math.floor(ORDERS * FALSE);
  let [state, above] = [12345, 0];
  for (let t = 0; t < ORDERS; t++) {
    for (let i = order.length - 1; i > 0; i--) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const j = Math.floor((state / 2 ** 32) * (i + 1));
      const held = order[i];
      order[i] = order[j];
      order[j] = held;
    }
    if (largest(order)[1] >= statistic * (1 - 1e-9) && ++above > most) return false;
  }
  return true;
}

/** undefined where nothing has changed, as far as can be told. */
export function changePoint(values: readonly number[]): ChangePoint | undefined {
  if (values.length < FEWEST) return undefined;
  const logs = logsOf(values);
  const [at, statistic] = largest(logs);
  if (at === 0) return undefined;
  const [before, after] = [medianOf(values.slice(0, at)), medianOf(values.slice(at))];
  if (Math.abs(after - before) <= SMALLEST * before) return undefined;
  return isSure(logs, statistic) ? { at, before, after } : undefined;
}
