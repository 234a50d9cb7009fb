// Names of keys, from Node's keypress events. Several keys may arrive in one read; each yields a separate event.

export interface Keypress {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

const NAMES: Record<string, string> = { return: 'enter', enter: 'enter', escape: 'esc', linefeed: 'enter' };

/** `j`, `G`, `down`, `ctrl-d`, `shift-tab`, `space`; undefined for anything else (a reply from the terminal). */
export function keyName(typed: string | undefined, key: Keypress): string | undefined {
  const { name } = key;
  if (key.ctrl && name) return name === 'space' || name === '`' ? undefined : `ctrl-${name}`;
  if (name === 'tab') return key.shift ? 'shift-tab' : 'tab';
  if (name === 'space') return 'space';
  if (name && NAMES[name]) return NAMES[name];
  if (name && name.length > 1 && name !== 'undefined') return name;
  // Alt combinations are not commands, and must not act as the plain letter.
  if (key.meta) return undefined;
  return typed !== undefined && typed >= ' ' && typed !== '\u007f' ? typed : undefined;
}
