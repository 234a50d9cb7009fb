// Where a course of times has changed for good: the standard normal homogeneity test (Alexandersson 1986) on logarithms, since noise is a
// share of a time. What it exceeds by chance is found from the values themselves in other orders, so the shape of the noise does not
// matter; a single slow run is cut to what the others allow. A trend, noise that grows, and values that remember their predecessors (a machine that
// is busy for hours) look like steps in other orders: so a straight line must explain less, and courses made of the same innovations, too.

import { medianOf } from '../../../base/median.ts';

export interface ChangePoint {
  /** The first value after the change. */
  readonly at: number;
  /** The medians before and from then on. */
  readonly before: number;
  readonly after: number;
}

/** Values on either side: fewer may be chance. */
const LEAST = 3;
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

/** The mean of a part. */
function meanOf(values: readonly number[], from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return sum / (to - from);
}

/** Squares that a straight line leaves. */
function besideTrend(values: readonly number[]): number {
  const n = values.length;
  const [middle, mean] = [(n - 1) / 2, meanOf(values, 0, n)];
  let [spread, along, all] = [0, 0, 0];
  values.forEach((y, i) => {
    spread += (i - middle) ** 2;
    along += (i - middle) * (y - mean);
    all += (y - mean) ** 2;
  });
  return all - along ** 2 / spread;
}

/** The values without the step. */
function withoutStep(values: readonly number[], at: number): Float64Array {
  const [before, after] = [meanOf(values, 0, at), meanOf(values, at, values.length)];
  return Float64Array.from(values, (y, i) => y - (i < at ? before : after));
}

/** How much of each value is that of its predecessor, as if there were no step. The values have the mean 0. */
function memoryOf(values: readonly number[]): number {
  let [together, all] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    all += values[i] ** 2;
    if (i > 0) together += values[i] * values[i - 1];
  }
  return all > 0 ? Math.max(0, together / all + 1 / values.length) : 0;
}

/** The part of each value that is new. The step that was fitted took from it, the more the fewer values a side has. */
function innovationsOf(values: readonly number[], at: number, memory: number): Float64Array {
  const n = values.length;
  const rest = withoutStep(values, at).map((x, i) => {
    const side = i < at ? at : n - at;
    return x * Math.sqrt(side / (side - 1));
  });
  return rest.map((x, i) => (i === 0 ? x : x - memory * rest[i - 1]));
}

/**
 * Whether the statistic is larger than in nearly all courses without a step whose values remember their predecessors as these do. Each
 * innovation stays where it was, with a sign by chance: so noise that grows is no step.
 */
function isNoMemory(values: readonly number[], at: number, statistic: number): boolean {
  const n = values.length;
  const memory = memoryOf(values);
  const innovation = innovationsOf(values, at, memory);
  const course = new Float64Array(n);
  const most = Math.floor(ORDERS * FALSE);
  let [state, above] = [54321, 0];
  for (let t = 0; t < ORDERS; t++) {
    let mean = 0;
    for (let i = 0; i < n; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const signed = state >= 0x80000000 ? innovation[i] : -innovation[i];
      course[i] = i === 0 ? signed : memory * course[i - 1] + signed;
      mean += course[i] / n;
    }
    for (let i = 0; i < n; i++) course[i] -= mean;
    if (largest(course)[1] >= statistic && ++above > most) return false;
  }
  return true;
}

/** A step explains the values better than a constant, a straight line, and values that remember their predecessors. */
function isStep(values: readonly number[]): number | undefined {
  const [at, statistic] = largest(values);
  if (at === 0 || !isSure(values, statistic)) return undefined;
  const left = withoutStep(values, at).reduce((s, x) => s + x * x, 0);
  if (left >= besideTrend(values) || !isNoMemory(values, at, statistic)) return undefined;
  return at;
}

/** A later change of less than this part of the first one takes nothing back. */
const LATER = 0.5;

/** The last change; undefined where nothing has changed, as far as can be told. */
export function changePoint(values: readonly number[]): ChangePoint | undefined {
  if (values.length < FEWEST) return undefined;
  const first = changeIn(values, 0);
  // A change that others followed does not hold since then.
  let last = first;
  while (first && last && values.length - last.at >= FEWEST) {
    const next = changeIn(values, last.at);
    if (!next || Math.abs(Math.log(next.after / next.before)) < LATER * Math.abs(Math.log(first.after / first.before))) break;
    last = next;
  }
  return last;
}

function changeIn(all: readonly number[], from: number): ChangePoint | undefined {
  const values = all.slice(from);
  const at = isStep(logsOf(values));
  if (at === undefined) return undefined;
  const [before, after] = [medianOf(values.slice(0, at)), medianOf(values.slice(at))];
  return Math.abs(after - before) > SMALLEST * before ? { at: from + at, before, after } : undefined;
}
