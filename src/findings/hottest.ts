// Rankings of routines and lines by cost, shared by several rules.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { orderByNumber } from '../analysis/answers/order.ts';
import { memo } from '../base/lists.ts';
import { type Event, eventColumn, eventValue } from '../model/head.ts';
import type { Evidence } from './rule.ts';

const makeRoutineCosts = (what: 'self' | 'inclusive') =>
  memo(({ profile, totals }: Analysis, event: Event) => eventColumn(event, totals[what], profile.routines.name.length), 4);

export const selfValues = makeRoutineCosts('self');
const inclusiveValues = makeRoutineCosts('inclusive');

/** Maximum number of ranked routines, enough for every rule. Selecting them is ten times as fast as sorting a million. */
const MAX_RANKED_ROUTINES = 20_000;
/** Number of buckets: one for each exponent and seven bits of the mantissa of a float. */
const BUCKET_COUNT = 1 << 15;

/** The rows of the largest values above 0, in row order: at least `MAX_RANKED_ROUTINES`, or all rows if there are fewer. */
export function largestRows(value: ArrayLike<number>): Uint32Array {
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  const bucketOf = (v: number) => {
    float[0] = v;
    return bits[0] >>> 16;
  };
  const rows = new Uint32Array(BUCKET_COUNT);
  for (let r = 0; r < value.length; r++) if (value[r] > 0) rows[bucketOf(value[r])]++;
  let [cut, taken] = [BUCKET_COUNT, 0];
  while (cut > 0 && taken < MAX_RANKED_ROUTINES) taken += rows[--cut];
  const out = new Uint32Array(taken);
  let n = 0;
  for (let r = 0; r < value.length; r++) if (value[r] > 0 && bucketOf(value[r]) >= cut) out[n++] = r;
  return out;
}

/** The cost of each routine, and the most expensive ones, costliest first: at most MAX_RANKED_ROUTINES, all with a cost above 0. */
const makeRanking = (costs: typeof selfValues) =>
  memo((analysis: Analysis, event: Event) => {
    const value = costs(analysis, event);
    return { value, order: orderByNumber(value, true, largestRows(value)).subarray(0, MAX_RANKED_ROUTINES) };
  }, 4);

export const rankingBySelf = makeRanking(selfValues);
export const rankingByInclusive = makeRanking(inclusiveValues);

/** Computes the rankings that several rules need; yields between them. */
export function* prepareRankings({ analysis, event }: Evidence): Generator<undefined, void> {
  const { can } = analysis.costing;
  if (!can.has('routines')) return;
  for (const part of [selfValues, rankingBySelf, inclusiveValues, rankingByInclusive]) {
    if (part === inclusiveValues && !can.has('inclusive')) return;
    part(analysis, event);
    yield;
  }
}

export type RankedLine = ReturnType<typeof costlyLinesOf>[number];

/** Maximum number of routines whose lines are examined, those with the highest self cost. */
const MAX_ROUTINES = 200;

/** The lines of a routine with self cost. `costs`, `row`: the table and row with the line's costs in all events. */
export function costlyLinesOf(analysis: Analysis, of: Event, routine: number) {
  const { file, line, costs } = analysis.costing.lines({ routine });
  const found = [];
  for (let i = 0; i < line.length; i++) {
    const value = line[i] > 0 ? eventValue(of, costs, i) : 0;
    if (value > 0) found.push({ routine, file: file[i], line: line[i], value, costs, row: i });
  }
  return found;
}

/** The known lines of the hottest routines, hottest first. Yields between routines. */
export function* hotLines({ analysis, event }: Evidence, of: Event = event): Generator<undefined, readonly RankedLine[]> {
  const { order } = rankingBySelf(analysis, of);
  const found: RankedLine[] = [];
  for (const routine of order.subarray(0, MAX_ROUTINES)) {
    for (const line of costlyLinesOf(analysis, of, routine)) found.push(line);
    yield;
  }
  return found.sort((a, b) => b.value - a.value || a.line - b.line);
}

/** The recorded or derived event of that name; undefined if the profile lacks it. */
export const findEvent = ({ analysis }: Evidence, name: string): Event | undefined =>
  analysis.events.find((e) => e.name === name);
