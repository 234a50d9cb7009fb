// Determines which parts of a profile are active.
import { ChoiceError } from '../../base/errors.ts';
import type { Profile } from '../../model/profile.ts';

/** The parts switched off by a list like `1,3-5` or `all`, numbered from 1 as in Info. Without a list: older parts. */
export function inactiveParts(profile: Profile, list: string | undefined): ReadonlySet<number> {
  if (list === undefined) return olderParts(profile);
  if (list.trim() === 'all') return new Set();
  const on = new Set<number>();
  for (const item of list.split(',')) {
    const m = /^(\d+)(?:-(\d+))?$/.exec(item.trim());
    const from = Number(m?.[1]);
    const to = Number(m?.[2] ?? m?.[1]);
    if (!m || from < 1 || to > profile.parts.length || from > to)
      throw new ChoiceError(`--parts ${list}: expected numbers from 1 to ${profile.parts.length}, such as 1,3-5, or all`);
    for (let p = from; p <= to; p++) on.add(p - 1);
  }
  return new Set([...profile.parts.keys()].filter((p) => !on.has(p)));
}

export const olderParts = (profile: Profile): ReadonlySet<number> =>
  new Set(profile.parts.flatMap((part, p) => (part.older ? [p] : [])));
