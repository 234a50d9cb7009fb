// The files to read while they are being written, and whether they have changed.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loaders } from '../formats/index.ts';
import { filesOfRun, newestKept } from './find.ts';
import { folderLoader, openFolder } from './folder.ts';
import { isFolder } from './stat.ts';

/** The folder or the files to read now: of a build tree whose build has ended and was kept, that build. */
export function livePaths(path: string): string[] {
  if (!isFolder(path)) return filesOfRun(path);
  const loader = folderLoader(path);
  if (loader?.isLive && !loader.isLive(openFolder(path))) {
    const kept = newestKept(path);
    if (kept !== undefined) return [kept];
  }
  return [path];
}

/** Differs once anything of what is read has changed: sizes and times of the files, and of the folders that a loader watches. */
export function stampOf(path: string): string {
  const watched = isFolder(path)
    ? ['', ...loaders.flatMap((l) => l.watches ?? [])].map((name) => join(path, name))
    : filesOfRun(path);
  return watched
    .map((at) => {
      try {
        const { size, mtimeMs, ino } = statSync(at);
        return `${at} ${ino} ${size} ${mtimeMs} ${isFolder(at) ? readdirSync(at).length : ''}`;
      } catch {
        return at;
      }
    })
    .join('\n');
}
