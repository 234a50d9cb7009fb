// Sampled stacks: frames, stacks of frames with counts, and the code addresses of frames, if known; and snapshots.
import { checkLines, type LineTables } from '../callgraph/tables.ts';
import type { Costs } from '../column.ts';
import { sumColumn } from '../cost-columns.ts';
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import type { SampleLabels } from './labels.ts';
import { costsOfSamples, type Markers, type SampleTimes } from './times.ts';

/**
 * A code address of sampled stacks: where it was in memory, the object mapped there (-1 if unknown), and its address in that
 * object's file, or again the one in memory if the file was not read. `named`: a symbol is known for it.
 */
export interface CodeAddresses {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly object: Int32Array;
  readonly ownHigh: Uint32Array;
  readonly ownLow: Uint32Array;
  readonly named: Uint8Array;
  /** By frame: its code address. */
  readonly ofFrame: Uint32Array;
}

/** A table of frames: functions in stacks. Inlined calls give one address several frames. */
export interface Frames {
  readonly routine: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
  /** 1 for frames inlined into their callers. Absent: all frames of an address but the outermost are; none without addresses. */
  readonly inlined?: Uint8Array;
}

/** Sampled stacks: the frames of stack s are frame[start[s]] .. frame[start[s + 1] - 1], innermost first. */
export interface Stacks {
  readonly start: Uint32Array;
  readonly frame: Uint32Array;
  readonly part: Uint32Array;
  readonly costs: Costs;
}

/** Sampled stacks, and the self cost of their innermost frames as lines. */
export interface StackSamples extends LineTables {
  readonly kind: 'stacks';
  /** The code addresses; absent if frames are only names. */
  readonly places?: CodeAddresses;
  readonly frames: Frames;
  readonly stacks: Stacks;
  /** The labels; absent if no sample has any. */
  readonly labels?: SampleLabels;
  /** The times of samples; absent if the profile does not record them. */
  readonly times?: SampleTimes;
  /** The markers; absent if the file has none, or its samples have no times. */
  readonly markers?: Markers;
  /** The snapshots; absent if the file has only its parts. */
  readonly snapshots?: Snapshots;
}

/** Snapshots: a program's memory at moments of its run, one row each, in order. Only some have stacks. */
export interface Snapshots {
  /** The unit of `time`: instructions, ms, or bytes allocated and freed. */
  readonly timeUnit: string;
  /** The number of each snapshot in the file. */
  readonly number: Float64Array;
  readonly time: Float64Array;
  /** Bytes on the heap; bytes that the allocator adds to them (`extra`); bytes of stacks. */
  readonly heap: Float64Array;
  readonly extra: Float64Array;
  readonly stacks: Float64Array;
  /** The part with the stacks of a snapshot; -1 if it has none. */
  readonly part: Int32Array;
  /** The row of the snapshot that the file marks as its peak; -1 for none. */
  readonly peak: number;
}

export function checkStacks(profile: Head & StackSamples, to: Invariants): void {
  const { places, frames, stacks, lines, routines, files, objects, parts, columns, times } = profile;
  checkLines(profile, to);
  const n = stacks.part.length;
  const [routine, file, place] = [routines.name.length, files.name.length, places?.high.length ?? 0];
  to.checkTable('frames', { ...frames, place: places?.ofFrame }, { routine, file, place });
  if (places) to.checkRange('places.object', places.object, -1, objects.name.length);
  to.checkRange('stacks.frame', stacks.frame, 0, frames.routine.length);
  to.checkRange('stacks.part', stacks.part, 0, parts.length);
  to.checkCostColumns('stacks', stacks.costs, columns, n);
  to.check(stacks.start.length === n + 1 && stacks.start[n] === stacks.frame.length, 'the stacks do not cover their frames');
  if (times) checkTimes(profile, times, to);
  const { markers, strings } = profile;
  if (markers) {
    to.checkTable('markers', markers, { name: strings.start.length - 1, part: parts.length });
    to.checkRows(markers.from.length, (i) =>
      markers.to[i] >= markers.from[i] ? undefined : `marker ${i} ends before it starts`,
    );
  }
  if (profile.snapshots) checkSnapshots(profile.snapshots, parts.length, to);
  to.checkRows(n, (s) => (stacks.start[s] < stacks.start[s + 1] ? undefined : `stack ${s} is empty`));
  stacks.costs.forEach((column, c) => {
    const [all, leaves] = [sumColumn(column), sumColumn(lines.costs[c])];
    // Beyond 2^53 the order of additions matters. Columns of halves then give exact sums.
    // Sums of fractions depend on the order, too. A small sum may consist of large values with opposite signs.
    const size = sumColumn(Float64Array.from(column, Math.abs));
    const exact = size <= Number.MAX_SAFE_INTEGER && column.every(Number.isInteger);
    const slack = exact ? 0 : size * ROUNDING_SHARE;
    to.check(Math.abs(all - leaves) <= slack, `stacks cost ${all} in column ${c}, their innermost frames ${leaves}`);
  });
}

/** Checks that samples are in order of time, and that their costs add up to the costs of the stacks, if these are exact. */
function checkTimes({ stacks, columns }: StackSamples & Head, times: SampleTimes, to: Invariants): void {
  const { stack, at, column } = times;
  to.checkRange('times.stack', stack, 0, stacks.part.length);
  to.checkRange('times.column', column, 0, columns);
  to.checkRows(at.length, (i) => (i === 0 || at[i] >= at[i - 1] ? undefined : `sample ${i} is before the one in front of it`));
  const made = costsOfSamples(times, 0, at.length, columns, stacks.part.length);
  stacks.costs.forEach((costs, c) => {
    if (made[c].some((v) => v !== 0))
      to.checkRows(costs.length, (s) =>
        Math.abs(costs[s] - made[c][s]) <= Math.abs(costs[s]) * ROUNDING_SHARE
          ? undefined
          : `stack ${s} costs ${costs[s]} in column ${c}, its samples ${made[c][s]}`,
      );
  });
}

function checkSnapshots({ timeUnit: _, peak, ...rows }: Snapshots, parts: number, to: Invariants): void {
  to.checkTable('snapshots', rows, { part: parts });
  to.check(peak >= -1 && peak < rows.part.length, `the peak is snapshot ${peak} of ${rows.part.length}`);
}

/** The relative tolerance of sums: a double has 53 bits, and rounding errors of many additions take up to 23. */
const ROUNDING_SHARE = 2 ** -30;
