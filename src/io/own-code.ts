// Where one's own code is: the folders of the sources, else the current one.
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** `maps`: prefixes of recorded paths, and what stands for them here. */
export function ownPlaces(sourceDirs: readonly string[], maps: readonly (readonly [from: string, to: string])[]) {
  const folders = (sourceDirs.length > 0 ? sourceDirs : ['.']).map((dir) => resolve(dir));
  const known = new Map<string, boolean>();
  return {
    folders,
    maps,
    /** Whether one of the folders has a file at this relative path. */
    has(relative: string): boolean {
      let is = known.get(relative);
      if (is === undefined) known.set(relative, (is = folders.some((folder) => isFile(join(folder, relative)))));
      return is;
    },
  };
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A name in a profile may be anything: too long, or with a zero byte.
    return false;
  }
}
