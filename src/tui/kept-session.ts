// The actions of a session, kept at its end for --resume.
import type { Action } from '../app/action.ts';
import { actionLine, SESSION_HEAD } from '../app/session.ts';
import { keepSession } from '../io/last-session.ts';

/** A session of more actions is kept from its start to here: what comes later builds on it. */
const MOST = 20_000;

export class KeptSession {
  private readonly lines: string[] = [];
  private paths: readonly string[] = [];

  opened(paths: readonly string[]): void {
    this.paths = paths;
  }

  add(action: Action): void {
    if (this.lines.length < MOST && action.type !== 'quit') this.lines.push(actionLine(action));
  }

  /** Standard input cannot be read again. */
  keep(): void {
    if (this.paths.length > 0 && !this.paths.includes('-'))
      keepSession(this.paths, `${[SESSION_HEAD, ...this.lines].join('\n')}\n`);
  }
}
