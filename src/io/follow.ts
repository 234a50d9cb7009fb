// Finds the files to read while they are being written, and detects whether they have changed.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../base/attempt.ts';
import { loaders } from '../formats/index.ts';
import { filesOfRun, keptBuilds, resolvePaths } from './find.ts';
import { folderLoader, openFolder } from './folder.ts';
import { isFolder } from './stat.ts';

/**
 * The folder or files to read now. For a build tree whose build has ended and was kept: that kept build. For a folder that
 * no loader reads as a whole: its newest profile. Throws FormatError if there is none.
 */
export function pathsToFollow(path: string): string[] {
  if (!isFolder(path)) return filesOfRun(path);
  const loader = folderLoader(path);
  if (!loader) {
    const resolved = resolvePaths([path]);
    return 'paths' in resolved ? resolved.paths : resolved.found.slice(0, 1).map((found) => found.path);
  }
  if (loader.isLive && !loader.isLive(openFolder(path))) {
    const [newest] = keptBuilds(path);
    if (newest) return [newest.path];
  }
  return [path];
}

/**
 * A text that changes when the input changes: sizes and times of the files, and of the folders that a loader watches.
 * `read`: the files read last, which may grow while their folder does not change.
 */
export function inputStamp(path: string, read: readonly string[] = []): string {
  const watched = isFolder(path)
    ? [...['', ...loaders.flatMap((l) => l.watchedFolders ?? [])].map((name) => join(path, name)), ...read]
    : filesOfRun(path);
  return watched
    .map((at) =>
      attempt(() => {
        const { size, mtimeMs, ino } = statSync(at);
        return `${at} ${ino} ${size} ${mtimeMs} ${isFolder(at) ? readdirSync(at).length : ''}`;
      }, at),
    )
    .join('\n');
}
