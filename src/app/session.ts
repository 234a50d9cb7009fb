// A session as JSON lines: first the version, then the screen size, then one action per line. Recorded sessions can be
// replayed with or without a terminal.
import { SessionError } from '../base/errors.ts';
import { type Action, isAction } from './action.ts';

/** Must be incremented when an action changes its meaning or is removed. */
const SESSION_VERSION = 5;

/** The first line of a recorded session. */
export const SESSION_HEAD = JSON.stringify({ session: SESSION_VERSION });

export function parseSession(text: string): Action[] {
  const lines = text
    .split('\n')
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'));
  const [head, ...rest] = lines;
  const first = head && parseJsonLine(head.line, head.number);
  const found = typeof first === 'object' && first !== null && 'session' in first ? first.session : undefined;
  if (found !== SESSION_VERSION) {
    const what = found === undefined ? 'none' : `version ${String(found)}`;
    throw new SessionError(`line ${head?.number ?? 1}: expected a session of version ${SESSION_VERSION}, found ${what}`);
  }
  return rest.map(({ line, number }) => {
    const value = parseJsonLine(line, number);
    if (!isAction(value)) throw new SessionError(`line ${number}: expected an action, found ${line.slice(0, 60)}`);
    return value;
  });
}

function parseJsonLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new SessionError(`line ${number}: expected a JSON object, found "${line.slice(0, 40)}"`);
  }
}
