// Groups slices by name and detail, or by name and an argument: one routine for each pair, instead of one per name.
import { getOrMake, memo } from '../../../base/lists.ts';
import { Numbering } from '../../../model/column.ts';
import { PairTable } from '../../../model/hash-table.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { Interner, stringAt } from '../../../model/strings.ts';
import { isPath, nameWithDetail, recordedName } from '../../answers/steps/steps.ts';

export const hasDetails = (profile: ProfileOf<'steps'>): boolean =>
  profile.routines.name.length > 0 && profile.steps.detail.some((id) => id >= 0);

/** The number of slices whose arguments are looked at, and of keys that are offered. */
const [MAX_COMPARED_SLICES, MAX_KEYS] = [2000, 12];

function textArguments(profile: ProfileOf<'steps'>, more: number): [key: string, value: string][] {
  const values: object = more < 0 ? {} : Object(JSON.parse(stringAt(profile.strings, more)));
  return Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
}

/** The arguments that tell slices apart: their keys, in order of appearance. Only the first slices are looked at. */
export const argumentKeys = memo((profile: ProfileOf<'steps'>): readonly string[] => {
  if (profile.routines.name.length === 0) return [];
  const values = new Map<string, Set<string>>();
  const slices = profile.steps.more.filter((more) => more >= 0).subarray(0, MAX_COMPARED_SLICES);
  for (const more of slices)
    for (const [key, value] of textArguments(profile, more)) getOrMake(values, key, () => new Set()).add(value);
  const known = [...values].filter(([key, of]) => of.size > 1 && key !== 'detail' && key !== 'routine');
  return known.map(([key]) => key).slice(0, MAX_KEYS);
}, 4);

/** By slice: the string id of its detail, or of the argument `by`; -1 if it has none. New strings are added to `strings`. */
function detailsBy(profile: ProfileOf<'steps'>, by: string, strings: Interner): Int32Array {
  if (by === 'detail') return profile.steps.detail;
  const known = new Map<number, number>();
  const detailOf = (more: number): number => {
    const value = textArguments(profile, more).find(([key]) => key === by)?.[1];
    return value === undefined ? -1 : strings.textId(value);
  };
  return profile.steps.more.map((more) => getOrMake(known, more, detailOf));
}

/** Makes one routine per name and detail, `Source vector`, or value of the argument `by`, with the file if that is a file. */
export function groupByDetail(profile: ProfileOf<'steps'>, by: string): ProfileOf<'steps'> {
  if (by === 'detail' ? !hasDetails(profile) : !argumentKeys(profile).includes(by)) return profile;
  const { steps } = profile;
  const strings = Interner.fromStrings(profile.strings);
  const details = detailsBy(profile, by, strings);
  const name: number[] = [];
  const file: number[] = [];
  const files = new Numbering<number>();
  const known = new PairTable(Int32Array);
  const routine = Int32Array.from(steps.routine, (plain, i) => {
    if (plain < 0) return -1;
    const detail = details[i];
    const r = known.numberOf(plain, detail);
    if (r === name.length) {
      const text = detail < 0 ? '' : strings.text(detail);
      name.push(detail < 0 ? steps.name[i] : strings.textId(nameWithDetail(recordedName(profile, i), text)));
      file.push(isPath(text) ? files.numberOf(detail) : -1);
    }
    return r;
  });
  return {
    ...profile,
    granularity: by,
    strings: strings.finish(),
    files: { name: Uint32Array.from(files.keys()) },
    routines: { name: Uint32Array.from(name), file: Int32Array.from(file), object: new Int32Array(name.length).fill(-1) },
    steps: { ...steps, routine },
  };
}
