// Detects whether an output file is also an input of the program, under any name: a link, a hard link, or with `./` in front.
import { basename } from 'node:path';
import { isPathBelow } from '../../base/paths.ts';
import { realPath, statOf } from '../stat.ts';

/** The inputs of the program: files, and folders with all their contents. */
export interface FilesInUse {
  readonly paths: Iterable<string>;
  readonly searched: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** The input that writing to `output` would overwrite; undefined if there is none. */
export function overwrittenInput(output: string, { paths, searched, names }: FilesInUse): string | undefined {
  const target = statOf(output);
  const real = realPath(output);
  if (!target?.isFile() || real === undefined) return undefined;
  const isInside = (folder: string) => isPathBelow(realPath(folder) ?? folder, real);
  for (const path of paths) {
    const stat = statOf(path);
    if (stat?.isDirectory() ? isInside(path) : stat?.dev === target.dev && stat.ino === target.ino) return path;
  }
  return names.has(basename(real)) && searched.some(isInside) ? real : undefined;
}
