// Saves the actions of a session when it ends, for --resume.
import type { Action } from '../app/action.ts';
import { SESSION_HEAD } from '../app/session.ts';
import { saveSession } from '../io/user/last-session.ts';

/** Longer sessions are saved only up to this many actions, because later actions depend on earlier ones. */
const MAX_SAVED_ACTIONS = 20_000;
const MAX_SAVED_CHARACTERS = 1_000_000;

export class KeptSession {
  private readonly lines: string[] = [];
  private characters = 0;
  /** The files of the shown profile. */
  paths: readonly string[] = [];

  /** `folder`: the folder of the replayed session, whose actions are saved, too. Absent: the current folder. */
  constructor(private readonly folder?: string) {}

  add(action: Action): void {
    if (action.type === 'quit' || this.lines.length >= MAX_SAVED_ACTIONS || this.characters > MAX_SAVED_CHARACTERS) return;
    const line = JSON.stringify(action);
    this.characters += line.length;
    if (this.characters <= MAX_SAVED_CHARACTERS) this.lines.push(line);
  }

  /** Saves the session. A profile from standard input cannot be read again, so its session is not saved. */
  save(): void {
    if (this.paths.length > 0 && !this.paths.includes('-'))
      saveSession(this.paths, `${[SESSION_HEAD, ...this.lines].join('\n')}\n`, this.folder);
  }
}
