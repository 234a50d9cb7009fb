// The actions of a session, kept at its end for --resume.
import type { Action } from '../app/action.ts';
import { actionLine, SESSION_HEAD } from '../app/session.ts';
import { attempt } from '../base/attempt.ts';
import { keepSession } from '../io/user/last-session.ts';
import { type NoteRow, readNotes } from '../io/user/notes.ts';

/** A session of more actions, or characters, is kept from its start to here: what comes later builds on it. */
const MOST = 20_000;
const MOST_CHARACTERS = 1_000_000;

export class KeptSession {
  private readonly lines: string[] = [];
  private characters = 0;
  private paths: readonly string[] = [];

  /** `folder`: of the session that is played, whose actions come first here, too. Absent: this one. */
  constructor(private readonly folder?: string) {}

  opened(paths: readonly string[]): void {
    this.paths = paths;
  }

  add(action: Action): void {
    if (action.type === 'quit' || this.lines.length >= MOST || this.characters > MOST_CHARACTERS) return;
    const line = actionLine(action);
    this.characters += line.length;
    if (this.characters <= MOST_CHARACTERS) this.lines.push(line);
  }

  /** Standard input cannot be read again. */
  keep(): void {
    if (this.paths.length > 0 && !this.paths.includes('-'))
      keepSession(this.paths, `${[SESSION_HEAD, ...this.lines].join('\n')}\n`, this.folder);
  }
}

// Notes that lie beside a profile, when it is opened.

/** None where they cannot be read: a profile opens all the same. Then writing notes says why, and leaves the file as it is. */
export const notesBeside = (paths: readonly string[]): NoteRow[] => attempt(() => readNotes(paths), []);
