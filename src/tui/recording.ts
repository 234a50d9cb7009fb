// The file of --record: whole lines only, whatever becomes of the disk.
import { appendFileSync, existsSync, lstatSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { Action } from '../app/action.ts';
import { actionLine, parseSession, SESSION_HEAD } from '../app/session.ts';
import { systemReason } from '../base/problem.ts';
import { SessionError } from '../base/session-error.ts';

export class Recording {
  /** The bytes of all whole lines; undefined once nothing more can be written. */
  private whole: number | undefined;

  /** Starts the file anew. Throws SessionError if it cannot be written; then no file is left that was not there. */
  constructor(private readonly path: string) {
    // A link that leads nowhere is there, too.
    const before = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    try {
      writeFileSync(path, `${SESSION_HEAD}\n`);
    } catch (error) {
      if (!before) rmSync(path, { force: true });
      throw new SessionError(`--record ${path}: ${systemReason(error)}`);
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

/** Throws SessionError if it is not a session of this version. */
export function readSession(path: string): Action[] {
  try {
    // The last action recorded is usually the one that quit.
    return parseSession(readFileSync(path, 'utf8')).filter((action) => action.type !== 'quit');
  } catch (error) {
    throw new SessionError(`--play ${path}: ${error instanceof SessionError ? error.message : systemReason(error)}`);
  }
}
