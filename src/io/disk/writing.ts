// Writes files completely or not at all, and never through a link.
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
import { attempt } from '../../base/attempt.ts';
import { isPathBelow } from '../../base/paths.ts';
import { realPath, statOf } from '../stat.ts';
import { fileTypeOf, RefusedError } from './regular.ts';

/** The names that draftPath() makes. Drafts remain if the program is killed. */
const DRAFT_NAME = /^(\.[^/]{1,200}-)(\d{1,10})-[0-9a-f]{12}\.tmp$/;

/** The path of a draft: a temporary name beside the file, used until the file is complete. */
export const draftPath = (path: string): string => join(dirname(path), `${draftPrefix(path)}${process.pid}-${randomName()}.tmp`);

/** The first part of the names of a file's drafts, before the process id. */
function draftPrefix(path: string): string {
  // Names have at most 255 bytes, and the system counts them in UTF-8.
  const name = Buffer.from(basename(path)).toString('utf8', 0, 150);
  return `.${name.replace(/\ufffd{1,3}$/, '')}-`;
}

/** A random name of 12 hexadecimal digits. Uses the global `crypto`, which Node loads on first use. */
export const randomName = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');

/** Removes drafts that killed programs left: the user's own, of ended processes, and too old to be another machine's. */
function removeLeftoverDrafts(path: string): void {
  const folder = dirname(path);
  const drafts = draftPrefix(path);
  try {
    for (const name of readdirSync(folder)) {
      const [, start, pid] = DRAFT_NAME.exec(name) ?? [];
      if (start !== drafts) continue;
      const stat = stateOf(join(folder, name));
      if (!stat?.isFile() || stat.uid !== process.getuid?.() || Date.now() - stat.mtimeMs < STALE_DRAFT_MS) continue;
      if (!isProcessRunning(Number(pid))) removeQuietly(join(folder, name));
    }
  } catch {
    // A folder that cannot be listed may still be writable.
  }
}

/** A draft older than this (milliseconds) is left over from a killed program. */
const STALE_DRAFT_MS = 24 * 3600 * 1000;

/** True for a draft that is left over from a killed program, on whatever machine that ran. */
export const isStaleDraft = (name: string, { mtimeMs }: Pick<Stats, 'mtimeMs'>): boolean =>
  DRAFT_NAME.test(name) && Date.now() - mtimeMs > STALE_DRAFT_MS;

/** True if a process with this id exists, even if it belongs to another user. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Creates a file that must not exist yet, by default readable only by the user. Throws system errors unchanged. */
export const createFile = (path: string, mode = 0o600): number =>
  openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode);

/** Writes all bytes, because the system may write only a part of them in one call. */
export function writeAll(fd: number, data: Uint8Array): void {
  for (let at = 0; at < data.length; ) at += writeSync(fd, data, at);
}

/** Removes a file if it exists, and ignores errors. */
export function removeQuietly(path: string): void {
  // The earlier error is reported, not this one.
  attempt(() => rmSync(path, { force: true }));
}

const stateOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/**
 * Creates or replaces a file atomically: readers see the old text or the new one. An existing file keeps its mode; `newMode` is that of a new
 * one. Throws RefusedError if the existing file is a link, not regular, or another user's; system errors as they are. No partial file remains.
 */
export function replaceFile(path: string, data: string | Uint8Array, newMode = 0o600): void {
  const there = stateOf(path);
  checkReplaceable(there);
  const mode = there ? there.mode & 0o777 : newMode;
  removeLeftoverDrafts(path);
  writeDraftAndRename(path, mode, [typeof data === 'string' ? Buffer.from(data) : data], true);
}

/**
 * Writes a draft, and gives it its final name once it is on the disk. `exactly`: its mode is that, whatever the user's mask. Throws system
 * errors; no partial file remains.
 */
export function writeDraftAndRename(path: string, mode: number, pieces: readonly Uint8Array[], exactly = false): void {
  const draft = draftPath(path);
  try {
    const fd = createFile(draft, mode);
    try {
      if (exactly) fchmodSync(fd, mode);
      for (const piece of pieces) writeAll(fd, piece);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
}

/** Makes the folders of a relative path inside a folder, none of them a link. Throws RefusedError and system errors. */
export function makeFoldersInside(folder: string, relative: string): string {
  let at = folder;
  mkdirSync(folder, { recursive: true });
  for (const name of relative.split('/')) {
    at = join(at, name);
    const there = stateOf(at);
    if (!there) mkdirSync(at);
    else if (!there.isDirectory())
      throw new RefusedError(`${at} is ${there.isSymbolicLink() ? 'a link' : fileTypeOf(there)}, not a folder`);
  }
  return at;
}

/** Drafts that are being written, which are removed if the program ends. */
const openDrafts = new Set<string>();
process.on('exit', () => {
  for (const path of openDrafts) removeQuietly(path);
});

/** Signals that end the program without an exit event. The screen has its own listeners. */
const ENDING_SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;
const exitOnSignal = (signal: NodeJS.Signals, number: number): void => {
  if (process.listenerCount(signal) <= 1) process.exit(128 + number);
};

function untrackDraft(path: string): void {
  openDrafts.delete(path);
  if (openDrafts.size === 0) for (const signal of ENDING_SIGNALS) process.off(signal, exitOnSignal);
}

/** Throws RefusedError for a file that must not be replaced: a link, not a regular file, or another user's. */
function checkReplaceable(there: Stats | undefined): void {
  if (there?.isSymbolicLink()) throw new RefusedError('a symbolic link; proftui does not write through links');
  if (there && !there.isFile()) throw new RefusedError(`${fileTypeOf(there)}, not a regular file`);
  if (there && there.uid !== (process.getuid?.() ?? there.uid)) throw new RefusedError('a file of another user');
}

/** A file written under a temporary name until finish() renames it. It must not exist yet, unless it is to be replaced. */
export class NewFile {
  private readonly draft: string;
  private readonly fd: number;

  /** Creates the draft. Throws system errors (EEXIST if the path is in use), and RefusedError if it must not be replaced. */
  constructor(
    private readonly path: string,
    private readonly replace = false,
  ) {
    this.draft = draftPath(path);
    const there = stateOf(path);
    if (replace) checkReplaceable(there);
    else if (there) throw alreadyExistsError();
    // A user who may not write to the file may not replace it either, even if the folder's mode allows it.
    if (there) accessSync(path, constants.W_OK);
    removeLeftoverDrafts(path);
    // The draft is registered before it is created, because a signal in between would leave the file.
    if (openDrafts.size === 0) for (const signal of ENDING_SIGNALS) process.on(signal, exitOnSignal);
    openDrafts.add(this.draft);
    try {
      this.fd = createFile(this.draft, 0o666);
    } catch (error) {
      untrackDraft(this.draft);
      throw error;
    }
    if (there) fchmodSync(this.fd, there.mode & 0o777);
  }

  write(data: Uint8Array): void {
    writeAll(this.fd, data);
  }

  /** Gives the file its final name. Throws system errors unchanged; then no file is left. */
  finish(): void {
    try {
      closeSync(this.fd);
      if (this.replace) renameSync(this.draft, this.path);
      else moveIfAbsent(this.draft, this.path);
    } finally {
      this.removeDraft();
    }
  }

  /** Deletes the draft, so that no file is left. */
  abandon(): void {
    closeSync(this.fd);
    this.removeDraft();
  }

  private removeDraft(): void {
    removeQuietly(this.draft);
    untrackDraft(this.draft);
  }
}

const alreadyExistsError = () => Object.assign(new Error('it already exists'), { code: 'EEXIST' });

/** Gives a draft its final name, which must not be in use. */
function moveIfAbsent(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    // Some file systems do not support hard links.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    if (stateOf(path)) throw alreadyExistsError();
    renameSync(draft, path);
  }
}

/** The inputs of the program: files, and folders with all their contents. */
interface FilesInUse {
  readonly paths: Iterable<string>;
  readonly searched: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** The input that writing to `output` would overwrite, under any name (a link, a hard link); undefined if there is none. */
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
