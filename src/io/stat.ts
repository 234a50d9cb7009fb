// The file, folder or pipe at a path, without opening it. A name in a profile may be anything: too long, with a zero byte, a link that leads to itself.
import { realpathSync, type Stats, statSync } from 'node:fs';

/** undefined for what is not there or cannot be reached. Opening it says why. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;

export const isFile = (path: string): boolean => statOf(path)?.isFile() === true;

/** Where a path leads through links; undefined if that is nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
