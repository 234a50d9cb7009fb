// Clips steps to a range of time: keeps those that overlap it.

import { firstIndexWhere } from '../../../base/lists.ts';
import { runToEnd, type Sliced } from '../../../base/slices.ts';
import { invertRows, pickRows, selectedRows, withColumns } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { costsOfSamples, type SampleTimes } from '../../../model/stacks/times.ts';
import { columnsPerStep } from '../../../model/steps/columns.ts';
import { type Gauge, type Steps, SUM_KIND, type TimeClip } from '../../../model/steps/tables.ts';
import { StackDraft } from './stack-draft.ts';
import { keepOrigins } from './stack-rules.ts';
import type { TimeRange } from './time-range.ts';

/**
 * The same profile with the steps that ran in a range, cut to it: what a part of a step took on the CPU is unknown. Left out are steps
 * that never ran and sums that a tool wrote, which are of the whole time. Names, tracks, parts and the origin of time stay.
 */
export function clipSteps(profile: ProfileOf<'steps'>, range: TimeRange): ProfileOf<'steps'> {
  const { steps } = profile;
  const rows = runToEnd(selectedRows(markStepsIn(steps, range)));
  const newRow = invertRows(new Int32Array(steps.name.length).fill(-1), rows);
  const { compiles: _, tests: __, history: ___, live: ____, rebuilds: _____, ...whole } = steps;
  const own = pickRows(columnsPerStep(steps), rows);
  return {
    ...profile,
    steps: {
      ...whole,
      ...own,
      parent: own.parent.map((p) => (p < 0 ? -1 : newRow[p])),
      ...clipTimes(steps, rows, range),
      ...pickOutputs(steps, rows),
      ...keepRelations(steps, newRow),
      gauges: clipGauges(steps.gauges, range),
      clip: composeClip(steps, rows, range),
    },
  };
}

/**
 * Where the times of a range count from: the first start of what ran, as on the axis of Gantt, in microseconds of the file. Runs that a later
 * one has replaced do not count.
 */
export function startOfTimes({ steps, parts }: Pick<ProfileOf<'steps'>, 'steps' | 'parts'>): number {
  const { startUs, part } = steps.clip?.of ?? steps;
  let first = Number.POSITIVE_INFINITY;
  for (let i = 0; i < startUs.length; i++) if (startUs[i] < first && !parts[part[i]]?.older) first = startUs[i];
  return Number.isFinite(first) ? first : 0;
}

/** The profile with only the names that its slices use. */
export function dropUnusedNames(profile: ProfileOf<'steps'>): ProfileOf<'steps'> {
  const { routines, steps } = profile;
  const used = new Uint8Array(routines.name.length);
  for (const r of steps.routine) if (r >= 0) used[r] = 1;
  const rows = runToEnd(selectedRows(used));
  const number = invertRows(new Int32Array(used.length), rows);
  const routine = steps.routine.map((r) => (r < 0 ? r : number[r]));
  return { ...profile, routines: pickRows(routines, rows), steps: { ...steps, routine } };
}

/**
 * 1 for steps that ran in the range; one without a length is in the range that begins with it, not in one that ends there. What contains
 * such a step is kept, too: a step may end a little after the one around it, since both ends are rounded, and would become a job.
 */
function markStepsIn({ startUs, durationUs, kind, parent }: Steps, { fromUs, toUs }: TimeRange): Uint8Array {
  const keep = new Uint8Array(startUs.length);
  if (!(fromUs < toUs)) return keep;
  for (let i = 0; i < keep.length; i++) {
    if (keep[i] === 1 || kind[i] === SUM_KIND || !(startUs[i] < toUs)) continue;
    if (startUs[i] >= fromUs || startUs[i] + durationUs[i] > fromUs)
      for (let at = i; at >= 0 && keep[at] === 0; at = parent[at]) keep[at] = 1;
  }
  return keep;
}

function clipTimes({ startUs, durationUs, cpuUs }: Steps, rows: Uint32Array, { fromUs, toUs }: TimeRange) {
  const isInside = (i: number) => startUs[i] >= fromUs && startUs[i] + durationUs[i] <= toUs;
  const start = (i: number) => Math.max(startUs[i], fromUs);
  const end = (i: number) => Math.min(startUs[i] + durationUs[i], toUs);
  return {
    startUs: Float64Array.from(rows, start),
    durationUs: Float64Array.from(rows, (i) => (isInside(i) ? durationUs[i] : Math.max(0, durationBetween(start(i), end(i))))),
    cpuUs: Float64Array.from(rows, (i) => (isInside(i) ? cpuUs[i] : Number.NaN)),
  };
}

/** The longest duration with which a step still ends by a given time, after rounding of start + duration. */
function durationBetween(start: number, end: number): number {
  const us = end - start;
  const beyond = start + us - end;
  return beyond > 0 ? us - beyond : us;
}

function pickOutputs(steps: Steps, rows: Uint32Array) {
  const outputStart = new Uint32Array(rows.length + 1);
  const outputs: number[] = [];
  rows.forEach((i, row) => {
    for (let o = steps.outputStart[i]; o < steps.outputStart[i + 1]; o++) outputs.push(o);
    outputStart[row + 1] = outputs.length;
  });
  const { outputPath, outputBytes } = steps;
  return { outputStart, ...pickRows({ outputPath, outputBytes }, outputs) };
}

/** Keeps pairs of steps if both steps remain. */
function keepRelations(steps: Steps, newRow: Int32Array) {
  const pairsIn = ({ step, of }: NonNullable<Steps['needs']>): NonNullable<Steps['needs']> => {
    const isLeft = (_: number, k: number) => newRow[step[k]] >= 0 && newRow[of[k]] >= 0;
    return { step: step.filter(isLeft).map((i) => newRow[i]), of: of.filter(isLeft).map((i) => newRow[i]) };
  };
  const { step: linkFrom, of: linkTo } = pairsIn({ step: steps.linkFrom, of: steps.linkTo });
  const { needs, targetNeeds, critical } = steps;
  return {
    ...{ linkFrom, linkTo },
    ...(needs ? { needs: pairsIn(needs) } : {}),
    ...(targetNeeds ? { targetNeeds: pairsIn(targetNeeds) } : {}),
    ...(critical ? { critical: critical.filter((i) => newRow[i] >= 0).map((i) => newRow[i]) } : {}),
  };
}

/** Keeps the values of gauges in the range, and the last value before it, which still holds. */
function clipGauges(gauges: readonly Gauge[], { fromUs, toUs }: TimeRange): Gauge[] {
  return gauges.flatMap((gauge) => {
    const { us, value } = gauge;
    const first = Math.max(0, firstIndexWhere(us.length, (k) => us[k] >= fromUs) - 1);
    const end = firstIndexWhere(us.length, (k) => us[k] >= toUs);
    return first < end ? [{ ...gauge, us: us.slice(first, end), value: value.slice(first, end) }] : [];
  });
}

/** Combines a range with an earlier one, so that it refers to the whole timeline. */
function composeClip(steps: Steps, rows: Uint32Array, range: TimeRange): TimeClip {
  const { fromUs, toUs, of, row } = steps.clip ?? { fromUs: range.fromUs, toUs: range.toUs, of: steps, row: undefined };
  const from = Math.max(fromUs, range.fromUs);
  return { fromUs: from, toUs: Math.max(from, Math.min(toUs, range.toUs)), of, row: row ? rows.map((i) => row[i]) : rows };
}

/** Keeps the samples in a range, counted from the first sample. Times stay those of the whole profile. */
export function* clipSamples(profile: ProfileOf<'stacks'>, times: SampleTimes, range: TimeRange): Sliced<ProfileOf<'stacks'>> {
  const { stacks, columns } = profile;
  const n = times.at.length;
  const from = firstIndexWhere(n, (i) => times.at[i] / 1e3 >= range.fromUs);
  const to = firstIndexWhere(n, (i) => times.at[i] / 1e3 >= range.toUs);
  const costs = costsOfSamples(times, from, to, columns, stacks.part.length);
  yield;
  const isSampled = new Uint8Array(stacks.part.length);
  for (let i = from; i < to; i++) isSampled[times.stack[i]] = 1;
  const { counted, ...samples } = times;
  const kept = { ...withColumns(samples, (column) => column.subarray(from, to)), counted };
  // Sums beyond 2^53 are sums of doubles here, so they are not exact.
  const events = profile.events.map(({ exact: _, ...event }) => event);
  const draft = yield* StackDraft.fromProfile({ ...profile, events, stacks: { ...stacks, costs }, times: kept });
  yield* draft.applyRule(keepOrigins(draft, (s) => isSampled[s] === 1));
  return yield* draft.finish();
}
