// The session file of --record. It has only complete lines, even if the disk is full.
import { appendFileSync, existsSync, lstatSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { Action } from '../app/action.ts';
import { parseSession, SESSION_HEAD } from '../app/session.ts';
import { SessionError } from '../base/errors.ts';
import { systemReason } from '../base/problem.ts';
import { readStart, refusalText } from '../io/disk/regular.ts';

export class Recording {
  /** The size of all complete lines in bytes; undefined once a write has failed. */
  private wholeBytes: number | undefined;

  /**
   * Creates the file, or overwrites an earlier session. Throws SessionError if it cannot be written, or is not a session;
   * a file that did not exist before is then removed.
   */
  constructor(private readonly path: string) {
    // A dangling symlink counts as existing.
    const existed = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    try {
      if (existed) checkSession(path);
      writeFileSync(path, `${SESSION_HEAD}\n`);
    } catch (error) {
      if (!existed) rmSync(path, { force: true });
      throw new SessionError(`--record ${path}: ${refusalText(error)}`);
    }
    this.wholeBytes = SESSION_HEAD.length + 1;
  }

  /** Appends an action. Returns an error message for the first failed write; after that, actions are ignored. */
  add(action: Action): string | undefined {
    if (this.wholeBytes === undefined) return undefined;
    const line = Buffer.from(`${JSON.stringify(action)}\n`);
    try {
      appendFileSync(this.path, line);
      this.wholeBytes += line.length;
      return undefined;
    } catch (error) {
      const incompleteText = this.removePartialLine(this.wholeBytes, line.length) ? '' : '; its last line is incomplete';
      this.wholeBytes = undefined;
      return `--record ${this.path}: ${systemReason(error)}${incompleteText}; nothing more is recorded`;
    }
  }

  /** Removes a partial line of up to `length` bytes behind the first `whole` bytes; false if that fails. */
  private removePartialLine(whole: number, length: number): boolean {
    try {
      const { size } = statSync(this.path);
      // A different size means that another program has changed the file.
      if (size > whole && size < whole + length) truncateSync(this.path, whole);
      return true;
    } catch {
      return !existsSync(this.path);
    }
  }
}

/** Throws SessionError if the file is no session, so that no other file is overwritten. Also throws errors of readStart(). */
function checkSession(path: string): void {
  const head = readStart(path, SESSION_START.length, 'none').toString();
  if (head !== '' && head !== SESSION_START)
    throw new SessionError('expected a new file or a session, found another file, which would be lost');
}

/** The first characters of a session file, in every version. */
const SESSION_START = '{"session":';

/** Reads the actions of a session file. Throws SessionError for other files and other versions. */
export function readSession(path: string): Action[] {
  try {
    // Drop `quit`, which is usually the last recorded action.
    return parseSession(readFileSync(path, 'utf8')).filter((action) => action.type !== 'quit');
  } catch (error) {
    throw new SessionError(`--play ${path}: ${systemReason(error)}`);
  }
}
