// The user's own code: routines with a line in one of the folders that were named, else in the current one.
import { isBelow } from '../../../base/paths.ts';
import { codeOf } from '../../../model/kinds.ts';
import type { Profile } from '../../../model/profile.ts';
import { fileName } from '../../names/names.ts';

export interface OwnPlaces {
  /** Absolute. */
  readonly folders: readonly string[];
  /** Prefixes of recorded paths, and what stands for them here. */
  readonly maps: readonly (readonly [from: string, to: string])[];
  /** Whether one of the folders has a file at this relative path. */
  readonly has: (relative: string) => boolean;
}

/** No code at all. */
export const NOTHING_OWN: OwnPlaces = { folders: [], maps: [], has: () => false };

/** Names at the end of a path that must be the same where the program was built elsewhere: one alone says little. */
const LEAST_NAMES = 2;
const MOST_NAMES = 4;

/**
 * By routine: 1 if its file or that of one of its lines lies in one of the folders, or one of them has a file of that relative path, or of
 * the last names of a path from elsewhere. An unknown file is never one's own. Callgrind's file of a routine is that of its first
 * instruction, which may be inlined from a library.
 */
export function ownRoutines(profile: Profile, places: OwnPlaces): Uint8Array {
  const own = Uint8Array.from(profile.files.name, (_, file) => Number(isOwn(fileName(profile, file) ?? '', places)));
  const { file } = profile.routines;
  const out = Uint8Array.from(file, (f) => (f >= 0 ? own[f] : 0));
  const code = codeOf(profile);
  for (let i = 0; code && i < code.file.length; i++) if (code.file[i] >= 0) out[code.routine[i]] |= own[code.file[i]];
  return out;
}

function isOwn(name: string, { folders, maps, has }: OwnPlaces): boolean {
  if (name === '' || name.startsWith('?')) return false;
  const map = maps.find(([from]) => isBelow(from, name));
  const path = straight(map ? map[1] + name.slice(map[0].length) : name);
  if (!path.startsWith('/')) return !path.startsWith('..') && has(path);
  if (folders.some((folder) => isBelow(straight(folder), path))) return true;
  const names = path.split('/').slice(1);
  for (let n = Math.min(MOST_NAMES, names.length); n >= LEAST_NAMES; n--) if (has(names.slice(-n).join('/'))) return true;
  return false;
}

/** Without `.`, `..` and empty names in between; a relative path that leaves its folder begins with `..`. */
function straight(path: string): string {
  const out: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (name !== '..' || !path.startsWith('/')) out.push(name);
  }
  return (path.startsWith('/') ? '/' : '') + out.join('/');
}
