// Changes small files under a lock, so that no change is lost if several proftui processes change a file at the same time.
import { closeSync, linkSync, lstatSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { RefusedError } from './regular.ts';
import { createFile, isProcessRunning, randomName, removeQuietly, writeAll } from './writing.ts';

/** Age of a stale lock. A change takes milliseconds, so an older lock was left by a killed program, here or elsewhere. */
const STALE_LOCK_MS = 10_000;
const LOCK_TIMEOUT_MS = 15_000;
const LOCK_RETRY_MS = 5;

/** Runs `change` while no other proftui changes the file. Throws system errors, and RefusedError after LOCK_TIMEOUT_MS. */
export function whileLocked<T>(path: string, change: () => T): T {
  const lock = join(dirname(path), `.${basename(path)}.lock`);
  const until = Date.now() + LOCK_TIMEOUT_MS;
  while (!tryLock(lock)) {
    if (Date.now() > until) throw new RefusedError(`another proftui is changing it (${lock})`);
    removeStaleLock(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS * (0.5 + Math.random()));
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
    // On a full disk, the lock is empty; the change itself reports the error.
    attempt(() => writeAll(fd, Buffer.from(String(process.pid))));
    closeSync(fd);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a stale lock by renaming it, which only one process can do. A lock that turns out to be fresh is restored. */
function removeStaleLock(lock: string): void {
  if (!isStaleLock(lock)) return;
  const taken = `${lock}-${randomName()}`;
  attempt(() => renameSync(lock, taken));
  if (!isStaleLock(taken)) attempt(() => linkSync(taken, lock));
  removeQuietly(taken);
}

function isStaleLock(lock: string): boolean {
  const stat = attempt(() => lstatSync(lock));
  if (!stat) return false;
  if (Date.now() - stat.mtimeMs > STALE_LOCK_MS) return true;
  // The process id is written right after the file is created, so an empty file counts as a lock of this process.
  const pid = Number(attempt(() => readFileSync(lock, 'latin1')) || process.pid);
  return !isProcessRunning(pid);
}
