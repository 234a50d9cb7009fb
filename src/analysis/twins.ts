// Which routines of a profile are those of another one of the same run: reloaded, or at another granularity.
import { memo } from '../base/memo.ts';
import type { Profile } from '../model/profile.ts';
import { routineName, routinePlace } from './names.ts';

/** The routines of `to` that are a routine of `from`: several where one became its lines, for example. */
export type Twins = (routine: number) => readonly number[];

const NONE: readonly number[] = [];

export const twinsOf = memo((from: Profile, to: Profile): Twins => {
  const table = from === to ? undefined : (byFrames(from, to) ?? byNames(from, to));
  return (routine) => (table ? (table.get(routine) ?? NONE) : [routine]);
}, 4);

/** At another granularity, the same frames belong to other routines. */
function byFrames(from: Profile, to: Profile): Map<number, number[]> | undefined {
  if (from.kind !== 'stacks' || to.kind !== 'stacks' || from.frames.line !== to.frames.line) return undefined;
  const out = new Map<number, Set<number>>();
  from.frames.routine.forEach((routine, f) => {
    const twins = out.get(routine);
    if (twins) twins.add(to.frames.routine[f]);
    else out.set(routine, new Set([to.frames.routine[f]]));
  });
  return new Map([...out].map(([routine, twins]) => [routine, [...twins]]));
}

/** Of namesakes in a file, the first. */
function byNames(from: Profile, to: Profile): Map<number, number[]> {
  const key = (p: Profile, r: number) => `${routineName(p, r)}\n${routinePlace(p, r)}`;
  const wanted = new Map<string, number>();
  for (let r = to.routines.name.length - 1; r >= 0; r--) wanted.set(key(to, r), r);
  const out = new Map<number, number[]>();
  for (let r = 0; r < from.routines.name.length; r++) {
    const twin = wanted.get(key(from, r));
    if (twin !== undefined) out.set(r, [twin]);
  }
  return out;
}
