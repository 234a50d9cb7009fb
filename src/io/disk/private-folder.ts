// Folders of the user's own, for what must not come from anybody else: caches, code, and what the user said yes to.
import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** `cache`: may be deleted at any time; `state`: is kept. */
export type Purpose = 'cache' | 'state';

const BASES = { cache: ['XDG_CACHE_HOME', '.cache'], state: ['XDG_STATE_HOME', '.local/state'] } as const;

/** The folder's path, whether it is there or not. */
function pathOf(purpose: Purpose): string {
  const [variable, usual] = BASES[purpose];
  const given = process.env[variable];
  // The XDG specification: a relative path is to be ignored.
  return join(given && isAbsolute(given) ? given : join(homedir(), usual), 'proftui');
}

/** Others could rename what is in the folder, or put something else there. */
function isShared(folder: string, uid: number): boolean {
  const stat = statSync(folder);
  const sticky = (stat.mode & 0o1000) !== 0;
  return (stat.uid !== uid && stat.uid !== 0) || ((stat.mode & 0o022) !== 0 && !sticky);
}

/**
 * The user's folder for a purpose, made if need be, or a folder in it: mode 0700, no link, owned by the user, in a folder where nobody
 * else can replace it. undefined if there can be no such folder: then nothing is kept.
 */
export function privateFolder(purpose: Purpose, inner = ''): string | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  try {
    const top = pathOf(purpose);
    mkdirSync(dirname(top), { recursive: true, mode: 0o700 });
    if (isShared(dirname(top), uid)) return undefined;
    for (const folder of inner === '' ? [top] : [top, join(top, inner)]) if (!isOwn(folder, uid)) return undefined;
    return join(top, inner);
  } catch {
    // A read-only home, none at all, or a file where the folder should be.
    return undefined;
  }
}

/** Makes the folder if need be. False if it is not only the user's. */
function isOwn(folder: string, uid: number): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It is there already, or cannot be made: what is there is looked at.
  }
  const stat = lstatSync(folder);
  // Others may have put something into a folder that they could write.
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o022) !== 0) return false;
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return true;
}
