// Where a course of times has changed for good, or drifts. A step is found by the standard normal homogeneity test (Alexandersson 1986), a drift
// by a straight line; both on logarithms, since noise is a share of a time. What these explain by chance is found from the values themselves in
// other orders, so the shape of the noise does not matter; a single slow run is cut to what the others allow. Noise that grows, and values that
// remember their predecessors (a machine that is busy for hours) look like changes in other orders: so courses made of the same innovations must
// explain less, too.

import { studentChance } from '../../base/chance.ts';
import { medianOf } from '../../base/median.ts';

export interface Change {
  /** A step in one build, or a drift over all of them. */
  readonly kind: 'step' | 'drift';
  /** The first value after the step; of a drift the first of all. */
  readonly at: number;
  /** The medians before and from then on; of a drift where its line begins and ends. */
  readonly before: number;
  readonly after: number;
  /** How likely a course without a change looks as much like one. */
  readonly chance: number;
}

/** Values on either side: fewer may be chance. */
const LEAST = 3;
/** Fewer values say nothing. */
const FEWEST = 6;
/** How often no change is taken for one. */
export const FALSE_CHANGES = 0.04;
/** Courses that are made; fewer where it is clear that too many of them explain more. */
const MADE = 1000;
/** Changes smaller than this share are of no interest, however sure. */
const SMALLEST = 0.02;
/** Values are cut to so many median deviations from the median. */
const FAR = 7;

/** Logarithms without their mean. Times are in milliseconds, of which a fraction is not known. */
function logsOf(values: readonly number[]): Float64Array {
  const logs = values.map((ms) => Math.log(Math.max(0.5, ms)));
  const middle = medianOf(logs);
  const spread = FAR * medianOf(logs.map((x) => Math.abs(x - middle)));
  const cut = Float64Array.from(logs, (x) => (spread > 0 ? Math.min(middle + spread, Math.max(middle - spread, x)) : x));
  return withoutMean(cut);
}

/** The mean of a part. */
function meanOf(values: ArrayLike<number>, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return sum / (to - from);
}

function withoutMean(values: Float64Array): Float64Array {
  const mean = meanOf(values, 0, values.length);
  for (let i = 0; i < values.length; i++) values[i] -= mean;
  return values;
}

const squares = (values: Float64Array): number => values.reduce((sum, x) => sum + x * x, 0);

/** A form that a course may have, of values with the mean 0. */
interface Form {
  /** How much of the squares it explains. */
  explains(values: Float64Array): number;
  /** The rest of each value that it does not explain. */
  rest(values: Float64Array): Float64Array;
  /** Places that it chooses the best one from. */
  places(count: number): number;
}

/** The split with the largest statistic, and that. The values have the mean 0, so the means of both sides follow from one. */
function largest(values: Float64Array): readonly [at: number, statistic: number] {
  const n = values.length;
  let [sum, at, most] = [0, 0, 0];
  for (let k = 1; k <= n - LEAST; k++) {
    sum += values[k - 1];
    const statistic = k < LEAST ? 0 : sum * sum * (1 / k + 1 / (n - k));
    if (statistic > most) [at, most] = [k, statistic];
  }
  return [at, most];
}

const STEP: Form = {
  explains: (values) => largest(values)[1],
  rest(values) {
    const [at] = largest(values);
    const [before, after] = [meanOf(values, 0, at), meanOf(values, at, values.length)];
    return values.map((y, i) => y - (i < at ? before : after));
  },
  places: (count) => count - 2 * LEAST + 1,
};

/** The slope of the straight line through values with the mean 0, and the squares that it explains. */
function lineOf(values: Float64Array): readonly [slope: number, explained: number] {
  const middle = (values.length - 1) / 2;
  let [spread, along] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    spread += (i - middle) ** 2;
    along += (i - middle) * values[i];
  }
  return [along / spread, along ** 2 / spread];
}

const DRIFT: Form = {
  explains: (values) => lineOf(values)[1],
  rest(values) {
    const [slope] = lineOf(values);
    return values.map((y, i) => y - slope * (i - (values.length - 1) / 2));
  },
  places: () => 1,
};

/** Numbers from 0 to 1 by chance, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The values in other orders. */
function reordered(values: Float64Array): () => Float64Array {
  const order = values.slice();
  const next = numbers(12345);
  return () => {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      const held = order[i];
      order[i] = order[j];
      order[j] = held;
    }
    return order;
  };
}

/** How much of each value is that of its predecessor, as if there were no change. The values have the mean 0. */
function memoryOf(values: Float64Array): number {
  let together = 0;
  for (let i = 1; i < values.length; i++) together += values[i] * values[i - 1];
  const all = squares(values);
  return all > 0 ? Math.max(0, together / all + 1 / values.length) : 0;
}

/** The deviation of a normal distribution, by the mean distance from its middle. */
const DEVIATION = Math.sqrt(Math.PI / 2);
/** From this t on, the distances from the middle become larger or smaller over a course. */
const CHANGES = 2.5;

/** How large each innovation is: where they grow or shrink over the course, at least as large as usual at its time. */
function sizesOf(innovation: Float64Array): Float64Array {
  const n = innovation.length;
  const size = innovation.map(Math.abs);
  const mean = meanOf(size, 0, n);
  const around = withoutMean(size.slice());
  const [slope, explained] = lineOf(around);
  const left = squares(around) - explained;
  if ((n - 2) * explained <= CHANGES ** 2 * left) return size;
  return size.map((x, i) => Math.max(x, DEVIATION * (mean + slope * (i - (n - 1) / 2))));
}

/**
 * Courses without a change whose values remember their predecessors, by this part of them. Each innovation stays where it was, with a sign by
 * chance: so noise that grows is no change.
 */
function remembering(rest: Float64Array, memory: number): () => Float64Array {
  const n = rest.length;
  // The form that was fitted took two numbers from what is left.
  const more = Math.sqrt(n / (n - 2));
  const size = sizesOf(rest.map((x, i) => more * (i === 0 ? x : x - memory * rest[i - 1])));
  const course = new Float64Array(n);
  const next = numbers(54321);
  return () => {
    for (let i = 0; i < n; i++) course[i] = (i === 0 ? 0 : memory * course[i - 1]) + (next() < 0.5 ? -size[i] : size[i]);
    return withoutMean(course);
  };
}

/** The part of made courses of which a form explains more than of one; 1 where that is more than counts. */
function shareOf(form: Form, explained: number, make: () => Float64Array): number {
  const most = MADE * FALSE_CHANGES;
  let more = 0;
  for (let t = 0; t < MADE; t++) if (form.explains(make()) > explained * (1 + 1e-9) && ++more > most) return 1;
  return more / MADE;
}

/** How likely a course without a change is explained so well by a form; 1 where that is more than counts. */
function chanceOf(form: Form, values: Float64Array): number {
  const n = values.length;
  const explained = form.explains(values);
  const orders = shareOf(form, explained, reordered(values));
  if (orders === 1) return 1;
  const rest = form.rest(values);
  const memory = memoryOf(values);
  const more = Math.max(orders, shareOf(form, explained, remembering(rest, memory)));
  if (more > 0) return more;
  // None of those that were made comes near. Values that remember their predecessors say less (the variance of a mean of AR(1)).
  const t = Math.sqrt((((n - 2) * explained) / squares(rest)) * ((1 - memory) / (1 + memory)));
  return Math.min(1 / MADE, form.places(n) * studentChance(t, n - 2));
}

/** A later change of less than this part of the first one takes nothing back. */
const LATER = 0.5;

/** The last change; undefined where nothing has changed, as far as can be told. */
export function changePoint(values: readonly number[]): Change | undefined {
  if (values.length < FEWEST) return undefined;
  const first = changeIn(values, 0);
  // A change that others followed does not hold since then.
  let last = first;
  while (first && last && last.kind === 'step' && values.length - last.at >= FEWEST) {
    const next = changeIn(values, last.at);
    // A drift is one of the whole course.
    if (
      next?.kind !== 'step' ||
      Math.abs(Math.log(next.after / next.before)) < LATER * Math.abs(Math.log(first.after / first.before))
    )
      break;
    last = next;
  }
  return last;
}

function changeIn(all: readonly number[], from: number): Change | undefined {
  const values = all.slice(from);
  const logs = logsOf(values);
  const kind = STEP.explains(logs) > DRIFT.explains(logs) ? 'step' : 'drift';
  const chance = chanceOf(kind === 'step' ? STEP : DRIFT, logs);
  if (chance > FALSE_CHANGES) return undefined;
  const at = kind === 'step' ? largest(logs)[0] : 0;
  const [before, after] = kind === 'step' ? [medianOf(values.slice(0, at)), medianOf(values.slice(at))] : endsOf(values, logs);
  return Math.abs(after - before) > SMALLEST * before ? { kind, at: from + at, before, after, chance } : undefined;
}

/** Where the line through the logarithms begins and ends, in milliseconds. */
function endsOf(values: readonly number[], logs: Float64Array): readonly [number, number] {
  const half = (lineOf(logs)[0] * (values.length - 1)) / 2;
  const middle = medianOf(values);
  return [middle * Math.exp(-half), middle * Math.exp(half)];
}
