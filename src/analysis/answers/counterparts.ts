// Finds the corresponding routines in another profile of the same run: reloaded, or at another granularity.
import { groupByKey, memo } from '../../base/lists.ts';
import { fillInSlices, runToEnd, type Sliced } from '../../base/slices.ts';
import { type Index, indexBy, rowsOfKey } from '../../model/column.ts';
import type { Profile } from '../../model/profile.ts';
import { hashBytes } from '../../model/strings.ts';
import { routineLocation, routineName, UNKNOWN_NAME } from '../names/names.ts';

/** The counterparts of a routine: several if, for example, it was split into lines. */
export type Counterparts = (routine: number) => readonly number[];

export const counterpartsOf = memo((from: Profile, to: Profile): Counterparts => {
  if (from === to) return (routine) => [routine];
  const table = counterpartsByFrame(from, to);
  return table ? (routine) => table.get(routine) ?? [] : counterpartsByName(from, to);
}, 4);

/** Maps routines through frames: at another granularity, the same frames belong to other routines. */
function counterpartsByFrame(from: Profile, to: Profile): Map<number, number[]> | undefined {
  if (from.kind !== 'stacks' || to.kind !== 'stacks' || from.frames.line !== to.frames.line) return undefined;
  const lists = groupByKey(from.frames.routine.keys(), (f) => from.frames.routine[f]);
  return new Map(Array.from(lists, ([routine, frames]) => [routine, [...new Set(frames.map((f) => to.frames.routine[f]))]]));
}

/**
 * The routine with the same name and file, else the only one with the name. Names are compared on demand, because few routines
 * are asked for.
 */
function counterpartsByName(from: Profile, to: Profile): Counterparts {
  return (routine) => {
    if (from.routines.name[routine] === undefined) return [];
    const index = nameIndexes.get(to) ?? runToEnd(indexNames(to));
    const bucket = bucketOf(from, routine, index.from.length - 1);
    const [name, where] = [routineName(from, routine), routineLocation(from, routine)];
    const namesakes: number[] = [];
    for (const other of rowsOfKey(index, bucket)) {
      if (routineName(to, other) !== name) continue;
      if (routineLocation(to, other) === where) return [other];
      namesakes.push(other);
    }
    return namesakes.length === 1 ? namesakes : [];
  };
}

/** Upper bound of hash buckets; equal names share a bucket. */
const MAX_BUCKETS = 1 << 16;
const UNKNOWN_BYTES = new TextEncoder().encode(UNKNOWN_NAME);

/** The bucket of a routine's name. `bucketCount` is a power of two. */
function bucketOf({ routines, strings: { bytes, start } }: Profile, routine: number, bucketCount: number): number {
  const id = routines.name[routine];
  const [from, to] = [start[id], start[id + 1]];
  return (from === to ? hashBytes(UNKNOWN_BYTES, 0, UNKNOWN_BYTES.length) : hashBytes(bytes, from, to)) & (bucketCount - 1);
}

const nameIndexes = new WeakMap<Profile, Index>();

/** Builds the index of routines by name in advance. Yields between slices of work. */
export function* indexNames(profile: Profile): Sliced<Index> {
  const routines = profile.routines.name.length;
  const bucketCount = Math.min(MAX_BUCKETS, 1 << (32 - Math.clz32(routines)));
  const buckets = yield* fillInSlices(new Int32Array(routines), (r) => bucketOf(profile, r, bucketCount));
  const index = indexBy(buckets, bucketCount);
  nameIndexes.set(profile, index);
  yield;
  return index;
}
