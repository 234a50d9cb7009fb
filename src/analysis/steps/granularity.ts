// A trace by what its slices are about: the same profile with a routine for each name and detail, in place of each name.
import type { ProfileOf } from '../../model/profile.ts';
import { Interner, stringAt, stringCount } from '../../model/strings.ts';
import { isPath, stepName } from './steps.ts';

export function hasDetails(profile: ProfileOf<'steps'>): boolean {
  return profile.routines.name.length > 0 && profile.steps.detail.some((id) => id >= 0);
}

/** Routines are `Source vector`, with the file where the detail is one. */
export function byDetail(profile: ProfileOf<'steps'>): ProfileOf<'steps'> {
  if (!hasDetails(profile)) return profile;
  const { steps } = profile;
  const strings = new Interner();
  for (let i = 0; i < stringCount(profile.strings); i++)
    strings.bytesId(profile.strings.bytes, profile.strings.start[i], profile.strings.start[i + 1]);
  const name: number[] = [];
  const file: number[] = [];
  const files: number[] = [];
  const fileOf = new Map<number, number>();
  const known = new Map<string, number>();
  const routine = Int32Array.from(steps.routine, (plain, i) => {
    if (plain < 0) return -1;
    const detail = steps.detail[i];
    const key = `${plain}/${detail}`;
    let r = known.get(key);
    if (r === undefined) {
      r = name.push(detail < 0 ? steps.name[i] : strings.textId(stepName(profile, i))) - 1;
      known.set(key, r);
      let f = -1;
      if (detail >= 0 && isPath(stringAt(profile.strings, detail))) {
        f = fileOf.get(detail) ?? files.push(detail) - 1;
        fileOf.set(detail, f);
      }
      file.push(f);
    }
    return r;
  });
  return {
    ...profile,
    grain: 'detail',
    strings: strings.finish(),
    files: { name: Uint32Array.from(files) },
    routines: { name: Uint32Array.from(name), file: Int32Array.from(file), object: new Int32Array(name.length).fill(-1) },
    steps: { ...steps, routine },
  };
}
