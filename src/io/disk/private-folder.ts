// Folders that belong only to the user, for files that no one else may supply: caches, code, and the user's consents.
import { chmodSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { isFolder } from '../stat.ts';

/** Kinds of folders: `cache` may be deleted at any time, `state` must be kept, `config` is also edited by the user. */
const BASE_FOLDERS = {
  cache: ['XDG_CACHE_HOME', '.cache'],
  state: ['XDG_STATE_HOME', '.local/state'],
  config: ['XDG_CONFIG_HOME', '.config'],
} as const;

/** The user's home folder; undefined if it is unknown: the user may have no entry in the system's list. */
export const homeFolder = (): string | undefined => {
  const home = attempt(homedir);
  return home !== undefined && isAbsolute(home) ? home : undefined;
};

/** The path with `~` replaced by the home folder, if that folder is known. */
export const expandHome = (path: string): string => path.replace(/^~(?=\/|$)/, homeFolder() ?? '~');

/** The folder's path, whether it exists or not; undefined if the user's home folder is unknown. */
export function folderForPurpose(purpose: keyof typeof BASE_FOLDERS): string | undefined {
  const [variable, usual] = BASE_FOLDERS[purpose];
  const given = process.env[variable];
  // The XDG specification says that relative paths are ignored. HOME may be empty or relative to the current folder.
  if (given && isAbsolute(given)) return join(given, 'proftui');
  const home = homeFolder();
  return home === undefined ? undefined : join(home, usual, 'proftui');
}

/** True if others could replace a folder: a folder in its path is theirs, or writable by all without the sticky bit. */
function canOthersReplace(folder: string, uid: number): boolean {
  const others = (owner: number) => owner !== uid && owner !== 0;
  // Checks the path before links are resolved, since the owner of a link could point it elsewhere.
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (others(lstatSync(at).uid)) return true;
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    const stat = statSync(at);
    const sticky = (stat.mode & 0o1000) !== 0;
    if (others(stat.uid) || ((stat.mode & 0o022) !== 0 && !sticky)) return true;
    if (at === dirname(at)) return false;
  }
}

/**
 * The user's folder for a purpose, or a folder in it, created if necessary. It has mode 0700, is no link, belongs to the
 * user, and nobody else can replace it. undefined if that is impossible: then nothing is kept.
 */
export function privateFolder(purpose: keyof typeof BASE_FOLDERS, inner = ''): string | undefined {
  const uid = process.getuid?.();
  const top = folderForPurpose(purpose);
  if (uid === undefined || top === undefined) return undefined;
  // Fails if the home folder is read-only or missing, or a file is in the way.
  return attempt(() => {
    makeParents(dirname(top));
    if (canOthersReplace(dirname(top), uid)) return undefined;
    for (const folder of inner === '' ? [top] : [top, join(top, inner)]) if (!makeOwnFolder(folder, uid)) return undefined;
    return join(top, inner);
  });
}

/**
 * Makes the missing folders of a path, at most two: `.local` and `state`. A home folder that does not exist is never made. Not by the recursive
 * mkdir, which tries for ever where the system claims that a folder is missing that cannot be made (/proc).
 */
function makeParents(folder: string): void {
  const missing = [folder, dirname(folder), dirname(dirname(folder))].filter((path) => !isFolder(path)).reverse();
  const home = homeFolder();
  if (missing.length > 2 || missing.some((path) => path === home)) throw new Error(`${folder} cannot be made`);
  for (const path of missing) mkdirSync(path, { mode: 0o700 });
}

/** Makes the folder if it is missing. Returns false if others could write to it. */
function makeOwnFolder(folder: string, uid: number): boolean {
  // If it exists or cannot be made, the checks below will show that.
  attempt(() => mkdirSync(folder, { mode: 0o700 }));
  const stat = lstatSync(folder);
  // If others could write to the folder, they may have put files into it.
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o022) !== 0) return false;
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return true;
}
