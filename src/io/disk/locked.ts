// Changes small files that several proftui may change at once: each reads, changes and replaces the file under a lock, so no change is lost.
import { closeSync, linkSync, lstatSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { RefusedError } from './regular.ts';
import { createFile, isRunning, randomName, removeQuietly, writeAll } from './writing.ts';

/** A change takes milliseconds. A lock this old was left by a program that was killed, here or on another machine. */
const STALE_MS = 10_000;
const GIVE_UP_MS = 15_000;
const PAUSE_MS = 5;

/** Runs `change` while no other proftui changes the file. Throws RefusedError if another one never ends, and system errors as they are. */
export function whileLocked<T>(path: string, change: () => T): T {
  const lock = join(dirname(path), `.${basename(path)}.lock`);
  const until = Date.now() + GIVE_UP_MS;
  while (!tryLock(lock)) {
    if (Date.now() > until) throw new RefusedError(`another proftui is changing it (${lock})`);
    removeStale(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS * (0.5 + Math.random()));
  }
  try {
    return change();
  } finally {
    removeQuietly(lock);
  }
}

function tryLock(lock: string): boolean {
  try {
    const fd = createFile(lock);
    writeAll(fd, Buffer.from(String(process.pid)));
    closeSync(fd);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes a stale lock away by renaming it, which only one of several can do. One that turns out to be fresh is put back. */
function removeStale(lock: string): void {
  if (!isStale(lock)) return;
  const taken = `${lock}-${randomName()}`;
  attempt(() => renameSync(lock, taken));
  if (!isStale(taken)) attempt(() => linkSync(taken, lock));
  removeQuietly(taken);
}

function isStale(lock: string): boolean {
  const stat = attempt(() => lstatSync(lock));
  if (!stat) return false;
  if (Date.now() - stat.mtimeMs > STALE_MS) return true;
  // The number is written right after the file is created.
  const pid = Number(attempt(() => readFileSync(lock, 'latin1')) || process.pid);
  return !isRunning(pid);
}
