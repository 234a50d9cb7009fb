// Phases of sampled threads: the main activity of each thread, one phase after the other.
import { firstIndexWhere, getOrMake } from '../../base/lists.ts';
import { GrowableColumn, pickRows } from '../../model/column.ts';
import type { Event } from '../../model/head.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { SampleTimes } from '../../model/stacks/times.ts';
import { columnsPerStep } from '../../model/steps/columns.ts';
import type { Gauge, Steps, TimeClip } from '../../model/steps/tables.ts';
import { endUs } from '../answers/steps/steps.ts';
import { originOf } from '../names/origin.ts';
import {
  callsAsSteps,
  callsInTime,
  isTimeEvent,
  medianInterval,
  sampleCost,
  sampleDurationNs,
  samplesByPart,
  type TimedCall,
} from './samples-in-time.ts';

/** The minimum length of a phase, and of a break without samples, as shares of the whole time. */
const MIN_PHASE_SHARE = 0.03;
const MIN_BREAK_SHARE = 0.015;
/** The minimum number of samples in a phase. Fewer in a row may be chance. */
const MIN_PHASE_SAMPLES = 20;
/** The share of its caller's time above which a call takes nearly all of it. */
const NEARLY_ALL_SHARE = 0.9;

/** The maximum number of calls and samples examined. If there are more, only every second or third is. */
const MAX_EXAMINED_CALLS = 100_000;
const MAX_EXAMINED_SAMPLES = 30_000;

/**
 * Each thread as phases: at each moment, the innermost visible call (findVisibleCalls()) that takes MIN_PHASE_SHARE of the whole
 * time and MIN_PHASE_SAMPLES samples, or nearly all of its caller's time. Routines and parts keep their numbers. The role of a
 * phase is its routine. For a range of time, `clip` has the whole time.
 */
export function samplesAsPhases(profile: ProfileOf<'stacks'>, times: SampleTimes, event: Event): ProfileOf<'steps'> {
  const n = times.at.length;
  const leastGap = n > 0 ? MIN_BREAK_SHARE * (times.at[n - 1] - times.at[0]) : 0;
  const samples = samplesByPart(profile, times, event);
  let each = Math.ceil(n / MAX_EXAMINED_SAMPLES);
  const thinned = () => samples.map((own) => (each > 1 ? own.filter((_, k) => k % each === 0) : own));
  let all: TimedCall[] | undefined;
  for (; !all && each <= 4 * n; each *= 4)
    all = callsInTime(profile, times, event, thinned(), { leastGap, most: MAX_EXAMINED_CALLS });
  const least = Math.max((MIN_PHASE_SHARE / MIN_BREAK_SHARE) * leastGap, MIN_PHASE_SAMPLES * usualInterval(times, samples));
  const own = all ? mergeAcrossSlivers(buildPhases(all, least, profile), leastGap) : [];
  const phases = callsAsSteps(profile, addMarkers(own, profile, times));
  const { steps } = phases;
  const role = Int32Array.from(steps.name);
  const whole = profile.transformed?.from;
  const clip =
    whole?.kind === 'stacks' && whole.times && n < whole.times.at.length ? { clip: makeTimeClip(steps, times, whole.times) } : {};
  // With a single process, its name is no information.
  const isOne = new Set(phases.parts.map(({ pid }) => pid)).size === 1;
  const tracks = isOne ? steps.tracks.map((track) => ({ ...track, pid: '', processName: null })) : steps.tracks;
  return { ...phases, steps: { ...steps, role, tracks, ...clip, sampled: true } };
}

/** The shortest of the threads' usual times between samples. */
function usualInterval(times: SampleTimes, samples: readonly Uint32Array[]): number {
  const all = samples.filter((own) => own.length >= MIN_PHASE_SAMPLES).map((own) => medianInterval(times, own));
  return all.length > 0 ? all.reduce((least, ns) => Math.min(least, ns)) : 0;
}

/** Adds markers to the phases, cut to the time range. Those that end before the first sample are left out. */
function addMarkers(calls: TimedCall[], { markers, transformed }: ProfileOf<'stacks'>, { at }: SampleTimes): TimedCall[] {
  if (!markers || at.length === 0) return calls;
  // Times count from the first sample.
  const [first, last] = [at[0], transformed ? at[at.length - 1] : Number.POSITIVE_INFINITY];
  const shown = Array.from(markers.name.keys()).filter((i) => markers.to[i] >= first && markers.from[i] <= last);
  const marked = shown.map((i): TimedCall => {
    const [marker, part, start] = [markers.name[i], markers.part[i], Math.max(first, markers.from[i])];
    return { routine: -1, part, parent: -1, start, end: Math.min(last, markers.to[i]), marker };
  });
  return [...calls, ...marked];
}

/** The time range of the phases within the whole run. Adds one step that lasts the whole time. */
function makeTimeClip(steps: Steps, { at }: SampleTimes, whole: SampleTimes): TimeClip {
  const last = (of: Float64Array) => (of.length > 0 ? of[of.length - 1] / 1e3 : 0);
  const row = Uint32Array.from(steps.name.keys());
  const rows = pickRows(columnsPerStep(steps), [...row, 0]);
  rows.startUs[row.length] = 0;
  rows.durationUs[row.length] = last(whole.at);
  const toUs = steps.startUs.reduce((most, us, i) => Math.max(most, us + steps.durationUs[i]), last(at));
  return { fromUs: at.length > 0 ? at[0] / 1e3 : 0, toUs, of: { ...steps, ...rows }, row };
}

/** `least`: the shortest phase, in nanoseconds. */
function buildPhases(calls: readonly TimedCall[], least: number, profile: ProfileOf<'stacks'>): TimedCall[] {
  const isSeen = findVisibleCalls(calls, least, (routine) => originOf(profile, routine) === 'kernel');
  const out: TimedCall[] = [];
  /** The visible calls that are running, outermost first; and the time up to which phases are complete. */
  const open: number[] = [];
  let at = 0;
  const until = (end: number) => {
    const call = open.at(-1);
    if (call !== undefined && end > at) out.push({ ...calls[call], parent: -1, start: at, end });
    at = end;
  };
  const closeWhere = (isOver: (call: number) => boolean) => {
    for (let call = open.at(-1); call !== undefined && isOver(call); call = open.at(-1)) {
      until(calls[call].end);
      open.pop();
    }
  };
  for (const [call, { part, start }] of calls.entries()) {
    if (isSeen[call] === 0) continue;
    closeWhere((above) => calls[above].part !== part || calls[above].end <= start);
    until(start);
    open.push(call);
  }
  closeWhere(() => true);
  return out;
}

/** Calls of a thread that have the same chain of callers. */
interface CallPath {
  readonly id: number;
  readonly parent: CallPath | undefined;
  /** Total nanoseconds of the calls, and the part without a visible callee. */
  total: number;
  selfTime: number;
  readonly callees: CallPath[];
  /** Whether the time splits here, below here, or above here. */
  splits: boolean;
  splitsBelow: boolean;
  isBelow: boolean;
}

/**
 * 1 for calls whose time is seen by their name: those that last long enough, or nearly as long as their callers. Where the time of a caller splits, what
 * it splits into has the names of its callees, not of what these spend their time in: `parse` and `write`, not `copy` below `write`. Code of
 * the kernel has the name of the call into it: `read`, not `schedule`.
 */
function findVisibleCalls(calls: readonly TimedCall[], least: number, isKernel: (routine: number) => boolean): Uint8Array {
  const length = (call: number) => calls[call].end - calls[call].start;
  const isSeen = new Uint8Array(calls.length);
  const paths = new Map<string, CallPath>();
  const pathOf: (CallPath | undefined)[] = [];
  for (const [call, { parent, part, routine }] of calls.entries()) {
    if (
      parent >= 0 &&
      (isSeen[parent] === 0 || isKernel(routine) || length(call) < Math.min(least, NEARLY_ALL_SHARE * length(parent)))
    )
      continue;
    isSeen[call] = 1;
    const above = pathOf[parent];
    const path = getOrMake(paths, `${above?.id ?? `part ${part}`} ${routine}`, () => {
      const none = { total: 0, selfTime: 0, splits: false, splitsBelow: false, isBelow: false };
      const made: CallPath = { id: paths.size, parent: above, callees: [], ...none };
      above?.callees.push(made);
      return made;
    });
    path.total += length(call);
    path.selfTime += length(call);
    if (above) above.selfTime -= length(call);
    pathOf[call] = path;
  }
  // Callers come before callees.
  const all = [...paths.values()];
  for (const path of all) {
    const long = path.callees.filter(({ total }) => total >= least).length;
    path.splits = long > 1 || (long > 0 && path.selfTime >= least);
    path.isBelow = path.parent !== undefined && (path.parent.splits || path.parent.isBelow);
  }
  for (const path of all.reverse()) {
    path.splitsBelow ||= path.splits;
    if (path.splitsBelow && path.parent) path.parent.splitsBelow = true;
  }
  const isHidden = ({ parent, splitsBelow }: CallPath) => parent?.isBelow === true && !parent.splits && !splitsBelow;
  for (const [call, path] of pathOf.entries()) if (path && isHidden(path)) isSeen[call] = 0;
  return isSeen;
}

/** Closes short gaps between two phases of one routine. */
function mergeAcrossSlivers(calls: readonly TimedCall[], least: number): TimedCall[] {
  const out: TimedCall[] = [];
  for (const now of calls) {
    const [before, sliver] = [out.at(-2), out.at(-1)];
    const isSliver =
      before?.routine === now.routine &&
      before.part === now.part &&
      sliver?.part === now.part &&
      before.end === sliver.start &&
      sliver.end === now.start &&
      now.start - sliver.start < least;
    if (isSliver) out.splice(-2, 2, { ...before, end: now.end });
    else out.push(now);
  }
  return out;
}

export type PhaseCost = ReturnType<typeof phaseCosts>[number];

/**
 * By phase or marker, the cost of the samples that its thread has in its time; of phases also by routine of the innermost frame.
 * `phases`: as samplesAsPhases() makes them of this profile, in order of their start.
 */
export function phaseCosts(
  { stacks, frames }: ProfileOf<'stacks'>,
  times: SampleTimes,
  event: Event,
  { steps, parts }: ProfileOf<'steps'>,
) {
  const { part, startUs, routine } = steps;
  const costs = Array.from(part, () => ({ total: 0, self: new Map<number, number>() }));
  /** By part: its phase at the moment; and its samples, with the sums before each. */
  const now = new Int32Array(parts.length).fill(-1);
  const sums = parts.map(() => ({ us: new GrowableColumn(Float64Array), before: new GrowableColumn(Float64Array), all: 0 }));
  let next = 0;
  for (let i = 0; i < times.at.length; i++) {
    const us = times.at[i] / 1e3;
    for (; next < startUs.length && startUs[next] <= us; next++) if (routine[next] >= 0) now[part[next]] = next;
    const stack = times.stack[i];
    const own = sums[stacks.part[stack]];
    const phase = costs[now[stacks.part[stack]]];
    const cost = sampleCost(times, event, i);
    if (cost === 0) continue;
    own.us.push(us);
    own.before.push(own.all);
    own.all += cost;
    if (!phase) continue;
    phase.total += cost;
    const leaf = frames.routine[stacks.frame[stacks.start[stack]]];
    phase.self.set(leaf, (phase.self.get(leaf) ?? 0) + cost);
  }
  const upTo = (of: number, end: number) => {
    const { us, before, all } = sums[of];
    const at = firstIndexWhere(us.length, (k) => us.data[k] >= end);
    return at < us.length ? before.data[at] : all;
  };
  for (let i = 0; i < costs.length; i++)
    if (routine[i] < 0) costs[i].total = upTo(part[i], endUs(steps, i)) - upTo(part[i], startUs[i]);
  return costs;
}

/** The cost of a part's samples in a time range, by the routine of their innermost frame. */
export function selfCostBetween(
  { stacks, frames }: ProfileOf<'stacks'>,
  times: SampleTimes,
  event: Event,
  part: number,
  [fromUs, toUs]: readonly [number, number],
): Map<number, number> {
  const self = new Map<number, number>();
  for (let i = firstIndexWhere(times.at.length, (k) => times.at[k] / 1e3 >= fromUs); times.at[i] / 1e3 < toUs; i++) {
    const stack = times.stack[i];
    const cost = stacks.part[stack] === part ? sampleCost(times, event, i) : 0;
    const leaf = frames.routine[stacks.frame[stacks.start[stack]]];
    if (cost !== 0) self.set(leaf, (self.get(leaf) ?? 0) + cost);
  }
  return self;
}

/** The maximum number of values over the whole time: more than a screen has cells. */
const MAX_MOMENTS = 512;

/**
 * How busy the threads that are on were, over the time of the samples, in microseconds: processors for an event of time, of which a sample stands for as
 * long as it costs; else the event's cost in a second.
 */
export function computeActivity(
  { stacks }: ProfileOf<'stacks'>,
  times: SampleTimes,
  event: Event,
  partsOff: ReadonlySet<number>,
): Gauge | undefined {
  const { at } = times;
  const n = at.length;
  if (event.per || n === 0) return undefined;
  const from = at[0];
  const to = at[n - 1] + sampleDurationNs(times, event, n - 1);
  if (!(to > from)) return undefined;
  // With fewer samples in a moment, it is chance how busy it looks.
  const moments = Math.min(MAX_MOMENTS, Math.ceil(n / 8));
  const length = (to - from) / moments;
  const sums = new SumsByMoment(moments);
  for (let i = 0; i < n; i++) {
    if (partsOff.has(stacks.part[times.stack[i]])) continue;
    const start = (at[i] - from) / length;
    if (isTimeEvent(event)) sums.addOver(start, start + sampleDurationNs(times, event, i) / length);
    else sums.add(start, sampleCost(times, event, i) / (length / 1e9));
  }
  const atOnce = /^(cpu|task)/i.test(event.name) ? 'CPUs' : /^off/i.test(event.name) ? 'waiting' : 'threads';
  const name = isTimeEvent(event) ? atOnce : `${event.name}/s`;
  const us = Float64Array.from({ length: moments + 1 }, (_, k) => (from + k * length) / 1e3);
  return { name, unit: '', us, value: sums.done() };
}

/** Sums by moment, with a final 0. Positions are in moments from the first. */
class SumsByMoment {
  private readonly own: Float64Array;
  /** By moment: the value of whole moments, as the difference from the moment before. */
  private readonly whole: Float64Array;

  constructor(private readonly moments: number) {
    this.own = new Float64Array(moments + 1);
    this.whole = new Float64Array(moments + 1);
  }

  add(at: number, value: number): void {
    this.own[Math.min(this.moments - 1, Math.floor(at))] += value;
  }

  /** Adds 1 from one position to another. */
  addOver(from: number, to: number): void {
    const end = Math.min(to, this.moments);
    const [first, last] = [Math.floor(from), Math.floor(end)];
    if (first === last) {
      this.own[first] += end - from;
      return;
    }
    this.own[first] += first + 1 - from;
    this.own[last] += end - last;
    this.whole[first + 1]++;
    this.whole[last]--;
  }

  done(): Float64Array {
    let running = 0;
    const { moments, whole } = this;
    return this.own.map((sum, k) => {
      running += whole[k];
      return k < moments ? sum + running : 0;
    });
  }
}
