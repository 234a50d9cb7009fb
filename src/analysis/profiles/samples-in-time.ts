// Sampled stacks as calls in time: neighbouring samples of a thread with the same frames are one call, as in Firefox's stack chart.
import { medianOf } from '../../base/median.ts';
import { GrowableColumn, invertRows, type StringId } from '../../model/column.ts';
import type { Event } from '../../model/head.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { SampleTimes } from '../../model/stacks/times.ts';
import { mapTextNames } from '../../model/steps/columns.ts';
import { ASYNC_KIND, type Steps } from '../../model/steps/tables.ts';
import { once } from '../answers/once.ts';
import { threadNames } from '../answers/part-columns.ts';

/** The maximum number of calls. More would take too long to lay out. */
export const MAX_CALLS = 300_000;
/** A thread was idle if its next sample comes later than this many usual intervals. */
const MIN_GAP_INTERVALS = 3;

/** By part: the samples that the event counts, in order of time; all samples if it counts none. */
export function samplesByPart({ parts, stacks }: ProfileOf<'stacks'>, times: SampleTimes, event: Event): Uint32Array[] {
  const columns = new Set(event.terms.map(([, column]) => column));
  const counts = times.column.some((column) => columns.has(column));
  const rows = parts.map(() => new GrowableColumn(Uint32Array));
  for (let i = 0; i < times.column.length; i++)
    if (!counts || columns.has(times.column[i])) rows[stacks.part[times.stack[i]]].push(i);
  return rows.map((own) => own.done());
}

export function sampleCost({ column, cost, counted }: SampleTimes, { terms }: Event, sample: number): number {
  let sum = 0;
  for (const [factor, of] of terms) sum += factor * ((of === column[sample] ? cost[sample] : 0) + (counted && of === 0 ? 1 : 0));
  return sum;
}

const NS_PER_UNIT: Readonly<Record<string, number>> = { ns: 1, us: 1e3 };
export const isTimeEvent = ({ unit }: Event): boolean => NS_PER_UNIT[unit] !== undefined;

/** The duration that a sample stands for, by its cost, in nanoseconds: at most a hundred days; 0 if the event is not a time. */
export const sampleDurationNs = (times: SampleTimes, event: Event, sample: number): number =>
  isTimeEvent(event)
    ? Math.max(0, Math.min(sampleCost(times, event, sample) * NS_PER_UNIT[event.unit], Number.MAX_SAFE_INTEGER))
    : 0;

/** The usual time between neighbouring samples; 0 for a single one. */
export function medianInterval({ at }: SampleTimes, samples: Uint32Array): number {
  const steps: number[] = [];
  for (let k = 1; k < samples.length; k++)
    if (at[samples[k]] > at[samples[k - 1]]) steps.push(at[samples[k]] - at[samples[k - 1]]);
  return steps.length > 0 ? medianOf(steps) : 0;
}

/** A call in time; `start` and `end` are nanoseconds. */
export interface TimedCall extends Readonly<Record<'routine' | 'part' | 'parent' | 'start', number>> {
  end: number;
  /** The name of a marker, which is not a call, so its routine is -1. */
  readonly marker?: StringId;
}

/**
 * The calls of all parts, part by part, in order of time, callers before callees. Each lasts from its first sample to the sample after its
 * last, or where that comes much later, for as long as the last one stands for, at least the usual interval: times are estimates to within
 * an interval. `rows`: the samples of each part. `leastGap`: the minimum time without samples that ends a call, in nanoseconds. undefined
 * for more than `most`.
 */
export function callsInTime(
  profile: ProfileOf<'stacks'>,
  times: SampleTimes,
  event: Event,
  rows: readonly Uint32Array[] = samplesByPart(profile, times, event),
  how: { readonly leastGap?: number; readonly most?: number } = {},
): TimedCall[] | undefined {
  const { leastGap = 0, most = MAX_CALLS } = how;
  const { stacks, frames } = profile;
  const calls: TimedCall[] = [];
  const usual = once(() => medianInterval(times, Uint32Array.from(times.at.keys())) || 1);
  for (const [part, samples] of rows.entries()) {
    // A part with a single sample uses the interval of all samples.
    const interval = medianInterval(times, samples) || usual();
    /** The running calls, outermost first. */
    let open: number[] = [];
    let until = Number.NEGATIVE_INFINITY;
    for (const [k, sample] of samples.entries()) {
      const start = times.at[sample];
      const [first, last] = [stacks.start[times.stack[sample]], stacks.start[times.stack[sample] + 1]];
      const routineAt = (depth: number) => frames.routine[stacks.frame[last - 1 - depth]];
      let same = 0;
      if (start <= until)
        while (same < open.length && same < last - first && calls[open[same]].routine === routineAt(same)) same++;
      open = open.slice(0, same);
      for (let depth = same; depth < last - first; depth++) {
        open.push(calls.length);
        calls.push({ routine: routineAt(depth), part, parent: open[depth - 1] ?? -1, start, end: start });
      }
      if (calls.length > most) return undefined;
      const next = k + 1 < samples.length ? times.at[samples[k + 1]] : Number.POSITIVE_INFINITY;
      until =
        next - start <= Math.max(leastGap, MIN_GAP_INTERVALS * interval)
          ? next
          : Math.min(next, start + Math.max(interval, sampleDurationNs(times, event, sample)));
      for (const call of open) calls[call].end = until;
    }
  }
  return calls;
}

/** All calls as steps in time, each below its caller. Undefined if there are more than MAX_CALLS. */
export function samplesAsSteps(profile: ProfileOf<'stacks'>, times: SampleTimes, event: Event): ProfileOf<'steps'> | undefined {
  const all = callsInTime(profile, times, event);
  return all && callsAsSteps(profile, all);
}

/** Calls as steps in order of their start; their times are nanoseconds from the first sample. */
export function callsAsSteps(profile: ProfileOf<'stacks'>, calls: readonly TimedCall[]): ProfileOf<'steps'> {
  const { frames: _f, stacks: _s, places: _p, lines: _l, transformed: _t, ...other } = profile;
  const { times: _i, labels: _a, markers: _m, compared: _c, ...head } = other;
  // Callers come before callees with the same start.
  const order = Array.from(calls.keys()).sort((a, b) => calls[a].start - calls[b].start || a - b);
  const rowOf = invertRows(new Int32Array(calls.length), order);
  const n = calls.length;
  const own = order.map((call) => calls[call]);
  const text = new Int32Array(n).fill(-1);
  const number = new Float64Array(n).fill(Number.NaN);
  const none = new Uint32Array(0);
  const threads = threadNames(profile.parts);
  const track = (part: number, below: number) => {
    return { pid: `${profile.parts[part].pid ?? ''}`, tid: `${part}`, sort: part + below, processSort: 0 };
  };
  const steps: Steps = {
    name: Uint32Array.from(own, ({ routine, marker }) => marker ?? profile.routines.name[routine]),
    kind: Uint8Array.from(own, ({ marker }) => (marker === undefined ? 0 : ASYNC_KIND)),
    track: Uint32Array.from(own, ({ part, marker }) => (marker === undefined ? part : threads.length + part)),
    part: Uint32Array.from(own, ({ part }) => part),
    parent: Int32Array.from(own, ({ parent }) => (parent < 0 ? -1 : rowOf[parent])),
    startUs: Float64Array.from(own, ({ start }) => start / 1e3),
    durationUs: Float64Array.from(own, ({ start, end }) => (end - start) / 1e3),
    routine: Int32Array.from(own, ({ routine }) => routine),
    ...{ cpuUs: number, result: number, ...mapTextNames(() => text) },
    ...{ outputStart: new Uint32Array(n + 1), outputPath: none, outputBytes: new Float64Array(0), linkFrom: none, linkTo: none },
    // Markers have tracks of their own, each below that of its thread.
    tracks: [
      ...profile.parts.map(({ command }, part) => ({ ...track(part, 0), name: threads[part] ?? '', processName: command })),
      ...profile.parts.map((_, part) => ({ ...track(part, 0.5), name: 'markers', processName: '' })),
    ],
    parallel: profile.parts.map((_, part) => threads.length + part),
    ...{ targets: [], gauges: [], originUs: null, cores: null, memoryBytes: null },
  };
  const time: Event = { name: 'time', unit: 'us', longName: 'elapsed time', terms: [[1, 0]] };
  return { ...head, kind: 'steps', events: [time], columns: 1, steps };
}
