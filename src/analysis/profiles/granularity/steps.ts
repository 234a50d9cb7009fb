// Groups slices by name and detail: one routine for each pair, instead of one per name.
import { Numbering } from '../../../model/groups.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { Interner, stringAt } from '../../../model/strings.ts';
import { isPath, stepName } from '../../answers/steps/steps.ts';

export function hasDetails(profile: ProfileOf<'steps'>): boolean {
  return profile.routines.name.length > 0 && profile.steps.detail.some((id) => id >= 0);
}

/** Makes one routine per name and detail, `Source vector`, with the file if the detail is a file. */
export function groupByDetail(profile: ProfileOf<'steps'>): ProfileOf<'steps'> {
  if (!hasDetails(profile)) return profile;
  const { steps } = profile;
  const strings = Interner.fromStrings(profile.strings);
  const name: number[] = [];
  const file: number[] = [];
  const files = new Numbering<number>();
  const known = new Numbering<string>();
  const routine = Int32Array.from(steps.routine, (plain, i) => {
    if (plain < 0) return -1;
    const detail = steps.detail[i];
    const key = `${plain}/${detail}`;
    const r = known.numberOf(key);
    if (r === name.length) {
      name.push(detail < 0 ? steps.name[i] : strings.textId(stepName(profile, i)));
      file.push(detail >= 0 && isPath(stringAt(profile.strings, detail)) ? files.numberOf(detail) : -1);
    }
    return r;
  });
  return {
    ...profile,
    granularity: 'detail',
    strings: strings.finish(),
    files: { name: Uint32Array.from(files.keys()) },
    routines: { name: Uint32Array.from(name), file: Int32Array.from(file), object: new Int32Array(name.length).fill(-1) },
    steps: { ...steps, routine },
  };
}
