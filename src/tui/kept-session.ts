// Saves the actions of a session at its end, for --resume.
import type { Action } from '../app/action.ts';
import { actionLine, SESSION_HEAD } from '../app/session.ts';
import { attempt } from '../base/attempt.ts';
import { saveSession } from '../io/user/last-session.ts';
import { type NoteRow, readNotes } from '../io/user/notes.ts';

/** Only the first actions of a longer session are saved: the later ones depend on them. */
const MOST_ACTIONS = 20_000;
const MOST_CHARACTERS = 1_000_000;

export class KeptSession {
  private readonly lines: string[] = [];
  private characters = 0;
  private paths: readonly string[] = [];

  /** `folder`: the folder of the replayed session, whose actions are also saved. Absent: the current folder. */
  constructor(private readonly folder?: string) {}

  setPaths(paths: readonly string[]): void {
    this.paths = paths;
  }

  add(action: Action): void {
    if (action.type === 'quit' || this.lines.length >= MOST_ACTIONS || this.characters > MOST_CHARACTERS) return;
    const line = actionLine(action);
    this.characters += line.length;
    if (this.characters <= MOST_CHARACTERS) this.lines.push(line);
  }

  /** Saves the session, unless it came from standard input, which cannot be read again. */
  save(): void {
    if (this.paths.length > 0 && !this.paths.includes('-'))
      saveSession(this.paths, `${[SESSION_HEAD, ...this.lines].join('\n')}\n`, this.folder);
  }
}

// Reads the notes file of a profile that is opened.

/** Empty if the notes cannot be read: the profile still opens, and saving a note reports the error. */
export const readProfileNotes = (paths: readonly string[]): NoteRow[] => attempt(() => readNotes(paths), []);
