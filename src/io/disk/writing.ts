// Writes files whole or not at all, and never through a link.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { kindOf, RefusedError } from './regular.ts';

const DRAFT = /^(\.[^/]{1,200}-)(\d{1,10})-[0-9a-f]{12}\.tmp$/;

/** Whether a name is one that draftOf() gives: leftovers of a program that was killed. */
export const isDraft = (name: string): boolean => DRAFT.test(name);

/** A new name beside a file, for what becomes it when it is whole. */
export const draftOf = (path: string): string => join(dirname(path), `${draftsOf(path)}${process.pid}-${unguessed()}.tmp`);

/** How the names of a file's drafts begin: the process that writes follows. */
function draftsOf(path: string): string {
  // Names have 255 bytes at most, and the system counts them as UTF-8.
  const name = Buffer.from(basename(path))
    .subarray(0, 150)
    .toString()
    .replace(/\ufffd{1,3}$/, '');
  return `.${name}-`;
}

/** Twelve hexadecimal digits. Of the global `crypto`, which is loaded with its first use. */
export function unguessed(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
}

/**
 * Removes the drafts of a file that a killed program has left: the user's own, of processes that are gone, and so old that no other machine still
 * writes them.
 */
function discardLeftovers(path: string): void {
  const folder = dirname(path);
  const drafts = draftsOf(path);
  try {
    for (const name of readdirSync(folder)) {
      const [, start, pid] = DRAFT.exec(name) ?? [];
      if (start !== drafts) continue;
      const stat = stateOf(join(folder, name));
      if (!stat?.isFile() || stat.uid !== process.getuid?.() || Date.now() - stat.mtimeMs < STALE_MS) continue;
      if (!runs(Number(pid))) discard(join(folder, name));
    }
  } catch {
    // A folder that cannot be listed can still be written to.
  }
}

/** How long nobody can have written to a draft that is a leftover. */
export const STALE_MS = 24 * 3600 * 1000;

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Opens a file that must not be there yet, for the user alone. Throws what the system throws. */
export function openNew(path: string, mode = 0o600): number {
  return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode);
}

/** Writes all bytes: the system may take a part of them only. */
export function writeAll(fd: number, data: Uint8Array): void {
  for (let at = 0; at < data.length; ) at += writeSync(fd, data, at);
}

/** Removes a file that may not be there, and says nothing if it cannot. */
export function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The earlier failure is worth a message, this one is not.
  }
}

function stateOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/**
 * Replaces a file, or makes it, at once: readers see the old text or the new one. Throws RefusedError if what is there is a link, no
 * regular file, or another user's; and what the system throws. Nothing half-written stays.
 */
export function replaceFile(path: string, data: string | Uint8Array, mode = 0o600): void {
  checkReplaced(path);
  discardLeftovers(path);
  const draft = draftOf(path);
  try {
    const fd = openNew(draft, mode);
    try {
      // The mode of a new file depends on the user's mask.
      fchmodSync(fd, mode);
      writeAll(fd, typeof data === 'string' ? Buffer.from(data) : data);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
  } catch (error) {
    discard(draft);
    throw error;
  }
}

/** Makes the folders of a relative path below a folder, none of them a link. Throws RefusedError, and what the system throws. */
export function foldersInside(folder: string, relative: string): string {
  let at = folder;
  mkdirSync(folder, { recursive: true });
  for (const name of relative.split('/')) {
    at = join(at, name);
    const there = stateOf(at);
    if (!there) mkdirSync(at);
    else if (!there.isDirectory())
      throw new RefusedError(`${at} is ${there.isSymbolicLink() ? 'a link' : kindOf(there)}, not a folder`);
  }
  return at;
}

/** Files that are being written, to be removed if the program ends. */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) discard(path);
});

/** Signals that would end the program without its exit. The screen has listeners of its own. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 } as const;
const ended = (signal: NodeJS.Signals, number: number): void => {
  if (process.listenerCount(signal) <= 1) process.exit(128 + number);
};

function beginUnfinished(path: string): void {
  if (unfinished.size === 0) for (const signal of Object.keys(SIGNALS)) process.on(signal, ended);
  unfinished.add(path);
}

function endUnfinished(path: string): void {
  unfinished.delete(path);
  if (unfinished.size === 0) for (const signal of Object.keys(SIGNALS)) process.off(signal, ended);
}

/** Checks for what may not be replaced: links, irregular files, other users' files. Throws RefusedError. */
function checkReplaced(path: string): void {
  const there = stateOf(path);
  if (there?.isSymbolicLink()) throw new RefusedError('a symbolic link; proftui does not write through links');
  if (there && !there.isFile()) throw new RefusedError(`${kindOf(there)}, not a regular file`);
  if (there && there.uid !== (process.getuid?.() ?? there.uid)) throw new RefusedError('a file of another user');
}

/**
 * A file that must not be there yet, unless it is to be replaced; written piece by piece under another name. It has its own name once it is
 * whole.
 */
export class NewFile {
  private readonly replace: boolean;
  private readonly draft: string;
  private readonly fd: number;

  /** Throws what the system throws: with code EEXIST if there is such a file, or a link; RefusedError for what is not replaced. */
  constructor(
    private readonly path: string,
    replace = false,
  ) {
    this.replace = replace;
    this.draft = draftOf(path);
    const there = stateOf(path);
    if (replace) checkReplaced(path);
    else if (there) throw alreadyThere();
    // Whoever may not write the file may not replace it, though its folder would let them.
    if (there) accessSync(path, constants.W_OK);
    discardLeftovers(path);
    // A signal between the two would leave the file.
    beginUnfinished(this.draft);
    try {
      this.fd = openNew(this.draft, 0o666);
    } catch (error) {
      endUnfinished(this.draft);
      throw error;
    }
    if (there) fchmodSync(this.fd, there.mode & 0o777);
  }

  write(data: Uint8Array): void {
    writeAll(this.fd, data);
  }

  /** Throws what the system throws; then nothing is left. */
  finish(): void {
    try {
      closeSync(this.fd);
      if (this.replace) renameSync(this.draft, this.path);
      else nameNew(this.draft, this.path);
    } finally {
      this.forget();
    }
  }

  /** Removes what has been written. */
  abandon(): void {
    closeSync(this.fd);
    this.forget();
  }

  private forget(): void {
    discard(this.draft);
    endUnfinished(this.draft);
  }
}

const alreadyThere = () => Object.assign(new Error('it already exists'), { code: 'EEXIST' });

/** Gives a file its name, which nothing may have. */
function nameNew(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    // Not every file system can have two names for a file for a moment.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    if (stateOf(path)) throw alreadyThere();
    renameSync(draft, path);
  }
}
