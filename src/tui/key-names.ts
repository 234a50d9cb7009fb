// Names of keys, from Node's keypress events. Several keys may arrive in one read: each gives an event of its own.

export interface Keypress {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

const NAMES: Record<string, string> = { return: 'enter', enter: 'enter', escape: 'esc', linefeed: 'enter' };

/** `j`, `G`, `down`, `ctrl-d`, `shift-tab`, `space`; undefined for what is no key (an answer of the terminal). */
export function keyName(typed: string | undefined, key: Keypress): string | undefined {
  const { name } = key;
  if (key.ctrl && name) return name === 'space' || name === '`' ? undefined : `ctrl-${name}`;
  if (name === 'tab') return key.shift ? 'shift-tab' : 'tab';
  if (name === 'space') return 'space';
  if (name && NAMES[name]) return NAMES[name];
  if (name && name.length > 1 && name !== 'undefined') return name;
  // Letters with Alt are no commands of ours; their letter alone must not become one.
  if (key.meta) return undefined;
  return typed !== undefined && typed >= ' ' && typed !== '\u007f' ? typed : undefined;
}
