// Key names from Node's keypress events. If several keys arrive in one read, each has its own event.

export interface Keypress {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

const KEY_NAMES: Record<string, string> = { return: 'enter', enter: 'enter', escape: 'esc', linefeed: 'enter' };

/** The name of a key: `j`, `G`, `down`, `ctrl-d`, `space`; undefined for other input, such as a terminal reply. */
export function keyName(typed: string | undefined, key: Keypress): string | undefined {
  const { name } = key;
  if (key.ctrl && name) return name === 'space' || name === '`' ? undefined : `ctrl-${name}`;
  if (name === 'tab') return key.shift ? 'shift-tab' : 'tab';
  if (name && KEY_NAMES[name]) return KEY_NAMES[name];
  if (name && name.length > 1 && name !== 'undefined') return name;
  // Alt with a letter is no command, and must not act like the letter without Alt.
  if (key.meta) return undefined;
  return typed !== undefined && typed >= ' ' && typed !== '\u007f' ? typed : undefined;
}
