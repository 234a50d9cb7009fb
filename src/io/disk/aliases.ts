// Whether a file to be written is one that is being read, under any name: a link, a hard link, or `./` in front.
import { basename } from 'node:path';
import { isBelow } from '../../base/paths.ts';
import { realPath, statOf } from '../stat.ts';

/** What the program reads: files, and folders with all that is in them. */
export interface FilesInUse {
  readonly paths: Iterable<string>;
  /** Folders that are searched for files with one of these names. */
  readonly searched: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** The path in use that `output` would overwrite; undefined if there is none, or nothing to overwrite. */
export function overwrittenInput(output: string, { paths, searched, names }: FilesInUse): string | undefined {
  const target = statOf(output);
  const real = realPath(output);
  if (!target?.isFile() || real === undefined) return undefined;
  const isInside = (folder: string) => isBelow(realPath(folder) ?? folder, real);
  for (const path of paths) {
    const stat = statOf(path);
    if (stat?.isDirectory() ? isInside(path) : stat?.dev === target.dev && stat.ino === target.ino) return path;
  }
  return names.has(basename(real)) && searched.some(isInside) ? real : undefined;
}
