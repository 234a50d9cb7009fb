// Finds the folders of the user's own code: the source folders, or else the current folder.

import { join, resolve } from 'node:path';
import { getOrMake } from '../base/lists.ts';
import { isFile } from './stat.ts';

/** `maps`: prefixes of recorded paths, each with its replacement on this machine. */
export function ownPaths(sourceDirs: readonly string[], maps: readonly (readonly [from: string, to: string])[]) {
  const folders = (sourceDirs.length > 0 ? sourceDirs : ['.']).map((dir) => resolve(dir));
  const known = new Map<string, boolean>();
  return {
    folders,
    maps,
    /** True if one of the folders has a file at this relative path. */
    hasFile(relative: string): boolean {
      return getOrMake(known, relative, () => folders.some((folder) => isFile(join(folder, relative))));
    },
  };
}
