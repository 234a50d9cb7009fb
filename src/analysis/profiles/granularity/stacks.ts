// Sampled stacks at another granularity: the same profile with addresses, lines, files or objects in place of its routines, so
// that every view can show them without knowing. Slices of a trace have one other granularity (profiles/granularity/steps.ts).

import { baseName } from '../../../base/paths.ts';
import { formatAddress } from '../../../base/units.ts';
import type { Profile, ProfileOf } from '../../../model/profile.ts';
import { RoutineTable } from '../../../model/routine-table.ts';
import { leafRows } from '../../../model/stacks/leaf-rows.ts';
import type { Frames, Stacks } from '../../../model/stacks/tables.ts';
import { nameOfAddress } from '../../../model/stacks/writer.ts';
import { Interner, stringAt } from '../../../model/strings.ts';
import { fileName, objectName, routineLine, UNKNOWN_NAME } from '../../names/names.ts';
import { argumentKeys, groupByDetail, hasDetails } from './steps.ts';

export const GRANULARITY_NAMES = ['routine', 'line', 'address', 'file', 'object', 'detail'] as const;

/** `unknowns`: code without symbols becomes one routine per object, or one per address. */
export interface Granularity {
  /** One of GRANULARITY_NAMES, or the key of an argument of trace events. */
  readonly name: string;
  readonly unknowns: 'object' | 'address';
}

export const ROUTINE_GRANULARITY: Granularity = { name: 'routine', unknowns: 'object' };

/** The granularities that make a difference to a profile. */
export function granularitiesOf(profile: Profile): readonly string[] {
  if (profile.kind === 'stacks')
    return GRANULARITY_NAMES.filter((g) => g !== 'detail' && (g !== 'address' || profile.places !== undefined));
  if (profile.kind !== 'steps') return ['routine'];
  return ['routine', ...(hasDetails(profile) ? ['detail'] : []), ...argumentKeys(profile)];
}

/** Groups the profile's routines at a granularity. Returns the same profile if that makes no difference. */
export function regroup(profile: Profile, by: Granularity): Profile {
  if (profile.kind === 'steps' && by.name !== 'routine') return groupByDetail(profile, by.name);
  if (profile.kind !== 'stacks' || by.name === 'detail' || (by.name === 'routine' && by.unknowns === 'object')) return profile;
  const { frames, places } = profile;
  const strings = Interner.fromStrings(profile.strings);
  const routines = new RoutineTable();
  let innermost = 0;
  const routine = Uint32Array.from(frames.routine, (_, each) => {
    // Frames are in order of place, innermost first: an address is named after the innermost.
    if (each === 0 || !places || places.ofFrame[each] !== places.ofFrame[each - 1]) innermost = each;
    const f = by.name === 'address' ? innermost : each;
    const o = profile.routines.object[frames.routine[f]];
    const keepsFile = by.name === 'object' ? -1 : fileOfFrame(profile, f);
    // Lines and addresses distinguish routines of equal name already.
    const keepsLine = by.name === 'routine' ? (routineLine(profile, frames.routine[f]) ?? 0) : 0;
    return routines.findOrAdd(strings.textId(nameOfFrame(profile, f, by)), keepsFile, o, keepsLine);
  });
  const next: Frames = { ...frames, routine };
  const kept = mergeNeighbours(profile, next, by.name);
  const level = by.name === 'routine' ? {} : { granularity: by.name };
  const head = { ...profile, ...level, strings: strings.finish(), routines: routines.done() };
  return { ...head, frames: next, stacks: kept, ...leafRows(kept, next, places) };
}

/** The frame's file, or that of its routine if the frame has none. */
function fileOfFrame({ frames, routines }: ProfileOf<'stacks'>, f: number): number {
  const own = frames.file[f];
  return own >= 0 ? own : routines.file[frames.routine[f]];
}

function nameOfFrame(profile: ProfileOf<'stacks'>, f: number, by: Granularity): string {
  const { frames, places } = profile;
  const addressIndex = places ? places.ofFrame[f] : -1;
  const name = stringAt(profile.strings, profile.routines.name[frames.routine[f]]);
  const object = objectName(profile, profile.routines.object[frames.routine[f]]);
  // A frame that is only a name has no address.
  const address = places ? formatAddress(places.ownHigh[addressIndex], places.ownLow[addressIndex]) : name;
  const nameless = places !== undefined && places.named[addressIndex] === 0;
  const inObject = nameOfAddress(address, object);
  const at = fileOfFrame(profile, f);
  switch (by.name) {
    case 'address':
      return nameless ? inObject : places ? `${address} ${name}` : name;
    case 'line':
      return frames.line[f] === 0
        ? nameless && by.unknowns === 'address'
          ? inObject
          : name
        : `${name} ${baseName(fileName(profile, at) ?? '')}:${frames.line[f]}`;
    case 'file':
      return fileName(profile, at) ?? (object === null ? UNKNOWN_NAME : `[${baseName(object)}]`);
    case 'object':
      return object ?? UNKNOWN_NAME;
    default:
      return nameless ? inObject : name;
  }
}

/** Merges neighbouring frames that became the same: inlined functions at one address, calls within a file or object. */
function mergeNeighbours({ stacks, places }: ProfileOf<'stacks'>, frames: Frames, granularity: string): Stacks {
  if (granularity === 'routine' || granularity === 'line') return stacks;
  const start = new Uint32Array(stacks.start.length);
  const frame = new Uint32Array(stacks.frame.length);
  let n = 0;
  for (let s = 0; s < stacks.part.length; s++) {
    const from = stacks.start[s];
    for (let k = from; k < stacks.start[s + 1]; k++) {
      const f = stacks.frame[k];
      const outer =
        granularity === 'address'
          ? places !== undefined && f > 0 && places.ofFrame[f - 1] === places.ofFrame[f]
          : k > from && frames.routine[f] === frames.routine[stacks.frame[k - 1]];
      if (!outer) frame[n++] = f;
    }
    start[s + 1] = n;
  }
  return { ...stacks, start, frame: frame.slice(0, n) };
}
