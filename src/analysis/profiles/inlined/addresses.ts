// The addresses of a profile's instructions, by object: a line tool is asked for their functions.
import type { ObjectAddresses } from '../../../model/code-frames.ts';
import type { Profile } from '../../../model/profile.ts';
import { isMainObject } from '../../answers/code-wanted.ts';
import { objectName } from '../../names/names.ts';

/** The instructions of all known objects. Empty where no addresses were recorded. */
export function collectAddresses(profile: Profile): ObjectAddresses[] {
  if (profile.kind !== 'callgraph') return [];
  const { spans, lines, routines, objects } = profile;
  const { address, line } = lines;
  if (!address) return [];
  const lineAt = Array.from(objects.name, () => new Map<number, number>());
  for (let s = 0; s < spans.routine.length; s++) {
    const known = lineAt[routines.object[spans.routine[s]]];
    if (!known) continue;
    const high = spans.high[s] * 2 ** 32;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++)
      if (!known.has(high + address[i])) known.set(high + address[i], line[i]);
  }
  return lineAt.flatMap((known, object) => {
    if (known.size === 0) return [];
    const ordered = Float64Array.from(known.keys()).sort();
    const path = objectName(profile, object) ?? '';
    const lineOf = Uint32Array.from(ordered, (a) => known.get(a) ?? 0);
    return [{ object, path, isMain: isMainObject(profile, path), address: ordered, line: lineOf }];
  });
}
