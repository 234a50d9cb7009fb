// The routines and lines of a profile by what they cost, for several rules.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { orderByNumber } from '../analysis/answers/order.ts';
import { memo } from '../base/memo.ts';
import { type CostTable, eventColumn, eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { Evidence } from './rule.ts';

export interface Ranked {
  /** By routine. */
  readonly value: ArrayLike<number>;
  /** The routines that cost most, at most MOST of those that cost anything. */
  readonly order: Uint32Array;
}

export const selfValues = memo((analysis: Analysis, event: Event) => valuesOf(analysis, event, analysis.totals.self), 4);
const inclusiveValues = memo((analysis: Analysis, event: Event) => valuesOf(analysis, event, analysis.totals.inclusive), 4);
const valuesOf = ({ profile }: Analysis, event: Event, costs: readonly Float64Array[]) =>
  eventColumn(event, costs, profile.routines.name.length);

/** No rule asks for more routines in order: to sort a million takes ten times as long as to choose these. */
const MOST = 20_000;
/** Upper bits of a float: its exponent, and seven bits of what follows. */
const BUCKETS = 1 << 15;

/** The rows of the greatest values above 0: at least MOST if there are as many, in order of their numbers. */
export function foremost(value: ArrayLike<number>): Uint32Array {
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  const bucketOf = (v: number) => {
    float[0] = v;
    return bits[0] >>> 16;
  };
  const rows = new Uint32Array(BUCKETS);
  for (let r = 0; r < value.length; r++) if (value[r] > 0) rows[bucketOf(value[r])]++;
  let [cut, taken] = [BUCKETS, 0];
  while (cut > 0 && taken < MOST) taken += rows[--cut];
  const out = new Uint32Array(taken);
  let n = 0;
  for (let r = 0; r < value.length; r++) if (value[r] > 0 && bucketOf(value[r]) >= cut) out[n++] = r;
  return out;
}

const ranked = (value: ArrayLike<number>): Ranked => ({
  value,
  order: orderByNumber(value, true, foremost(value)).subarray(0, MOST),
});

export const bySelf = memo((analysis: Analysis, event: Event): Ranked => ranked(selfValues(analysis, event)), 4);
export const byInclusive = memo((analysis: Analysis, event: Event): Ranked => ranked(inclusiveValues(analysis, event)), 4);

/** Works out in advance what several rules ask for; yields between the parts of it. */
export function* ranking({ analysis, event }: Evidence): Generator<undefined, void> {
  const { can } = analysis.costing;
  if (!can.has('routines')) return;
  for (const part of [selfValues, bySelf, inclusiveValues, byInclusive]) {
    if (part === inclusiveValues && !can.has('inclusive')) return;
    part(analysis, event);
    yield;
  }
}

/** A line of a routine, and what it costs by itself. */
export interface HotLine {
  readonly routine: number;
  readonly file: number;
  readonly line: number;
  readonly value: number;
  /** Where the costs of all events are: a row of a table. */
  readonly costs: CostTable;
  readonly row: number;
}

/** Routines whose lines are looked at: those that cost the most by themselves. */
const LOOKED_AT = 200;

/** The known lines of a routine that cost anything by themselves. */
export function linesOf(analysis: Analysis, of: Event, routine: number): HotLine[] {
  const { file, line, costs } = analysis.costing.lines({ routine });
  const found: HotLine[] = [];
  for (let i = 0; i < line.length; i++) {
    const value = line[i] > 0 ? eventValue(of, costs, i) : 0;
    if (value > 0) found.push({ routine, file: file[i], line: line[i], value, costs, row: i });
  }
  return found;
}

/** The lines of the hottest routines, the hottest first; lines that are not known are left out. Yields between routines. */
export function* hotLines({ analysis, event }: Evidence, of: Event = event): Generator<undefined, readonly HotLine[]> {
  const { order } = bySelf(analysis, of);
  const found: HotLine[] = [];
  for (const routine of order.subarray(0, LOOKED_AT)) {
    for (const line of linesOf(analysis, of, routine)) found.push(line);
    yield;
  }
  return found.sort((a, b) => b.value - a.value || a.line - b.line);
}

/** The event of a name, recorded or derived; undefined if the profile does not have it. */
export const eventNamed = ({ analysis }: Evidence, name: string): Event | undefined =>
  analysis.events.find((e) => e.name === name);
