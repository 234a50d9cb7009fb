// The user's own code: routines with a line in one of the given folders, or else in the current folder.
import { isPathBelow, mappedPath, withSlashes } from '../../../base/paths.ts';
import { codeRowsOf } from '../../../model/kinds.ts';
import type { Profile } from '../../../model/profile.ts';
import { fileName } from '../../names/names.ts';

export interface OwnPaths {
  /** The folders, as absolute paths. */
  readonly folders: readonly string[];
  /** Prefixes of recorded paths, and the folders that replace them here. */
  readonly maps: readonly (readonly [from: string, to: string])[];
  /** Whether one of the folders has a file at this relative path. */
  readonly hasFile: (relative: string) => boolean;
}

/** Paths that select no code at all. */
export const NO_OWN_CODE: OwnPaths = { folders: [], maps: [], hasFile: () => false };

/** How many path components must match for a program built elsewhere. One name is too weak. */
const MIN_MATCHING_NAMES = 2;
const MAX_MATCHING_NAMES = 4;

/**
 * By routine: 1 if its file or that of one of its lines lies in one of the folders, or one of them has a file of that relative path, or of
 * the last names of a path from elsewhere. An unknown file is never one's own. Callgrind's file of a routine is that of its first
 * instruction, which may be inlined from a library.
 */
export function markOwnRoutines(profile: Profile, paths: OwnPaths): Uint8Array {
  const own = Uint8Array.from(profile.files.name, (_, file) => Number(isOwnFile(fileName(profile, file) ?? '', paths)));
  const { file } = profile.routines;
  const out = Uint8Array.from(file, (f) => (f >= 0 ? own[f] : 0));
  const code = codeRowsOf(profile);
  for (let i = 0; code && i < code.file.length; i++) if (code.file[i] >= 0) out[code.routine[i]] |= own[code.file[i]];
  return out;
}

function isOwnFile(name: string, { folders, maps, hasFile }: OwnPaths): boolean {
  if (name === '' || name.startsWith('?')) return false;
  const [mapped] = maps.flatMap((map) => mappedPath(name, map) ?? []);
  const path = normalizePath(mapped ?? withSlashes(name));
  if (!/^(?:[A-Z]:)?\//.test(path)) return !path.startsWith('..') && hasFile(path);
  if (folders.some((folder) => isPathBelow(normalizePath(folder), path))) return true;
  const names = path.split('/').slice(1);
  for (let n = Math.min(MAX_MATCHING_NAMES, names.length); n >= MIN_MATCHING_NAMES; n--)
    if (hasFile(names.slice(-n).join('/'))) return true;
  return false;
}

/** Removes `.`, `..` and empty parts of a path. A relative path that leaves its folder begins with `..`. */
function normalizePath(path: string): string {
  const out: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (name !== '..' || !path.startsWith('/')) out.push(name);
  }
  return (path.startsWith('/') ? '/' : '') + out.join('/');
}
