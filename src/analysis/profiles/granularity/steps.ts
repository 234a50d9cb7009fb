// A trace by what its slices are about: the same profile with a routine for each name and detail, in place of each name.
import { Numbering } from '../../../model/groups.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { Interner, stringAt } from '../../../model/strings.ts';
import { isPath, stepName } from '../../answers/steps/steps.ts';

export function hasDetails(profile: ProfileOf<'steps'>): boolean {
  return profile.routines.name.length > 0 && profile.steps.detail.some((id) => id >= 0);
}

/** Routines are `Source vector`, with the file where the detail is one. */
export function byDetail(profile: ProfileOf<'steps'>): ProfileOf<'steps'> {
  if (!hasDetails(profile)) return profile;
  const { steps } = profile;
  const strings = Interner.of(profile.strings);
  const name: number[] = [];
  const file: number[] = [];
  const files = new Numbering<number>();
  const known = new Numbering<string>();
  const routine = Int32Array.from(steps.routine, (plain, i) => {
    if (plain < 0) return -1;
    const detail = steps.detail[i];
    const key = `${plain}/${detail}`;
    const r = known.of(key);
    if (r === name.length) {
      name.push(detail < 0 ? steps.name[i] : strings.textId(stepName(profile, i)));
      file.push(detail >= 0 && isPath(stringAt(profile.strings, detail)) ? files.of(detail) : -1);
    }
    return r;
  });
  return {
    ...profile,
    grain: 'detail',
    strings: strings.finish(),
    files: { name: Uint32Array.from(files.keys()) },
    routines: { name: Uint32Array.from(name), file: Int32Array.from(file), object: new Int32Array(name.length).fill(-1) },
    steps: { ...steps, routine },
  };
}
