// The file of --record: whole lines only, whatever becomes of the disk.
import {
  appendFileSync,
  closeSync,
  existsSync,
  lstatSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { Action } from '../app/action.ts';
import { actionLine, parseSession, SESSION_HEAD } from '../app/session.ts';
import { SessionError } from '../base/errors.ts';
import { systemReason } from '../base/problem.ts';
import { openRegular, refusal } from '../io/disk/regular.ts';

export class Recording {
  /** The bytes of all whole lines; undefined once nothing more can be written. */
  private whole: number | undefined;

  /**
   * Starts the file anew, if it is a session already. Throws SessionError if it cannot be written, and for any other file; then no file is
   * left that was not there.
   */
  constructor(private readonly path: string) {
    // A link that leads nowhere is there, too.
    const before = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    try {
      if (before) checkSession(path);
      writeFileSync(path, `${SESSION_HEAD}\n`);
    } catch (error) {
      if (!before) rmSync(path, { force: true });
      throw new SessionError(`--record ${path}: ${error instanceof SessionError ? error.message : refusal(error)}`);
    }
    this.whole = SESSION_HEAD.length + 1;
  }

  /** Adds an action; the first time that it cannot, the result says why. */
  add(action: Action): string | undefined {
    if (this.whole === undefined) return undefined;
    const line = Buffer.from(`${actionLine(action)}\n`);
    try {
      appendFileSync(this.path, line);
      this.whole += line.length;
      return undefined;
    } catch (error) {
      const lost = this.removePart(this.whole, line.length) ? '' : '; its last line is incomplete';
      this.whole = undefined;
      return `--record ${this.path}: ${systemReason(error)}${lost}; nothing more is recorded`;
    }
  }

  /** Cuts off what was written of a line of `length` bytes behind the first `whole` bytes; false if it could not. */
  private removePart(whole: number, length: number): boolean {
    try {
      const { size } = statSync(this.path);
      // Any other size is not that of the file as it was written.
      if (size > whole && size < whole + length) truncateSync(this.path, whole);
      return true;
    } catch {
      return !existsSync(this.path);
    }
  }
}

/** Throws SessionError for a file that is not a session, and what openRegular() throws: what is there would be lost. */
function checkSession(path: string): void {
  const { fd, stat } = openRegular(path, 'none');
  try {
    const head = Buffer.alloc(Math.min(stat.size, SESSION_START.length));
    readSync(fd, head, 0, head.length, 0);
    if (stat.size > 0 && head.toString() !== SESSION_START)
      throw new SessionError('expected a new file or a session, found another file, which would be lost');
  } finally {
    closeSync(fd);
  }
}

/** Sessions of all versions begin like this. */
const SESSION_START = '{"session":';

/** Throws SessionError if it is not a session of this version. */
export function readSession(path: string): Action[] {
  try {
    // The last action recorded is usually the one that quit.
    return parseSession(readFileSync(path, 'utf8')).filter((action) => action.type !== 'quit');
  } catch (error) {
    throw new SessionError(`--play ${path}: ${error instanceof SessionError ? error.message : systemReason(error)}`);
  }
}
