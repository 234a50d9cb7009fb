// Which routines of a profile are those of another one of the same run: reloaded, or at another granularity.
import { listsBy } from '../../base/lists.ts';
import { memo } from '../../base/memo.ts';
import { atOnce, inSlices } from '../../base/slices.ts';
import { type Index, indexBy } from '../../model/column.ts';
import type { Profile } from '../../model/profile.ts';
import { hashOf } from '../../model/strings.ts';
import { routineName, routinePlace, UNKNOWN } from '../names/names.ts';

/** The routines of `to` that are a routine of `from`: several where one became its lines, for example. */
export type Twins = (routine: number) => readonly number[];

const NONE: readonly number[] = [];

export const twinsOf = memo((from: Profile, to: Profile): Twins => {
  if (from === to) return (routine) => [routine];
  const table = byFrames(from, to);
  return table ? (routine) => table.get(routine) ?? NONE : byNames(from, to);
}, 4);

/** At another granularity, the same frames belong to other routines. */
function byFrames(from: Profile, to: Profile): Map<number, number[]> | undefined {
  if (from.kind !== 'stacks' || to.kind !== 'stacks' || from.frames.line !== to.frames.line) return undefined;
  const lists = listsBy(from.frames.routine.keys(), (f) => from.frames.routine[f]);
  return new Map(Array.from(lists, ([routine, frames]) => [routine, [...new Set(frames.map((f) => to.frames.routine[f]))]]));
}

/** The first of several namesakes in a file; a routine of that name elsewhere, if it is the only one. Few routines are ever asked for, so names are compared when they are. */
function byNames(from: Profile, to: Profile): Twins {
  return (routine) => {
    if (from.routines.name[routine] === undefined) return NONE;
    const { order, from: first } = namesOf(to);
    const place = placeOf(from, routine, first.length - 1);
    const [name, where] = [routineName(from, routine), routinePlace(from, routine)];
    const named: number[] = [];
    for (let k = first[place]; k < first[place + 1]; k++) {
      if (routineName(to, order[k]) !== name) continue;
      if (routinePlace(to, order[k]) === where) return [order[k]];
      named.push(order[k]);
    }
    return named.length === 1 ? named : NONE;
  };
}

/** Routines with the same name have the same place among these. */
const MOST_PLACES = 1 << 16;
const UNKNOWN_BYTES = new TextEncoder().encode(UNKNOWN);

/** `places` is a power of two. */
function placeOf({ routines, strings: { bytes, start } }: Profile, routine: number, places: number): number {
  const id = routines.name[routine];
  const [from, to] = [start[id], start[id + 1]];
  return (from === to ? hashOf(UNKNOWN_BYTES, 0, UNKNOWN_BYTES.length) : hashOf(bytes, from, to)) & (places - 1);
}

const named = new WeakMap<Profile, Index>();

const namesOf = (profile: Profile): Index => named.get(profile) ?? atOnce(namingTwins(profile));

/** Makes what finds the routines of a profile by their names, before somebody asks for it. Yields between slices of work. */
export function* namingTwins(profile: Profile): Generator<undefined, Index> {
  const place = new Int32Array(profile.routines.name.length);
  const places = Math.min(MOST_PLACES, 1 << (32 - Math.clz32(place.length)));
  yield* inSlices(
    place.length,
    (from, to) => {
      for (let r = from; r < to; r++) place[r] = placeOf(profile, r, places);
    },
    1 << 14,
  );
  const index = indexBy(place, places);
  named.set(profile, index);
  yield;
  return index;
}
