// Reads the functions inlined at the addresses of a profile, where flags want them.
import { addressesOf } from '../analysis/profiles/inlined/addresses.ts';
import { ChoiceError } from '../base/choice-error.ts';
import { programsOf } from '../io/sources/source-text.ts';
import { readInlines } from '../io/symbols/inlines.ts';
import type { Profile } from '../model/profile.ts';
import type { Opened } from './input-options.ts';
import { complainOf } from './output.ts';

/** The profile, with its functions if `--inlined` wants them. Objects without any are named on standard error. Throws ChoiceError if the program or all have none. */
export async function withInlines(profile: Profile, { transforms, symbols, sourceDirs, pathMaps }: Opened): Promise<Profile> {
  if (profile.kind !== 'callgraph' || !transforms.some(({ word }) => word === 'inlined')) return profile;
  const objects = addressesOf(profile);
  if (objects.length === 0) return profile;
  const places = { dirs: sourceDirs, maps: pathMaps, profiles: profile.paths, programs: programsOf(profile, symbols) };
  const { inlines, why } = await readInlines(objects, places, symbols, true, new AbortController().signal);
  if (inlines.size === 0 || objects.some(({ isMain, object }) => isMain && !inlines.has(object)))
    throw new ChoiceError(`--inlined: ${why.join('; ')}`);
  for (const text of why) complainOf(`--inlined: ${text}`);
  return { ...profile, inlines };
}
