// A session as JSON lines: first the version, then the screen size, then one action per line. Recorded sessions can be
// replayed with or without a terminal.
import { SessionError } from '../base/session-error.ts';
import type { Profile } from '../model/profile.ts';
import { viewNamed } from '../views/index.ts';
import { type Action, CHANGES, COMMANDS, PANELS } from './action.ts';
import { type StartOptions, startState } from './first-state.ts';
import type { AppState, Effect } from './state.ts';
import { update } from './update.ts';

/** Actions may mean something else, or nothing, in other versions. */
const VERSION = 3;

/** The first line of a recorded session. */
export const SESSION_HEAD = JSON.stringify({ session: VERSION });

export function actionLine(action: Action): string {
  return JSON.stringify(action);
}

export function parseSession(text: string): Action[] {
  const lines = text
    .split('\n')
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'));
  const [head, ...rest] = lines;
  const found = head && fieldsOf(jsonOf(head.line, head.number)).get('session');
  if (found !== VERSION) {
    const what = found === undefined ? 'none' : `version ${String(found)}`;
    throw new SessionError(`line ${head?.number ?? 1}: expected a session of version ${VERSION}, found ${what}`);
  }
  return rest.map(({ line, number }) => {
    const value = jsonOf(line, number);
    if (!isAction(value)) throw new SessionError(`line ${number}: expected an action, found ${line.slice(0, 60)}`);
    return value;
  });
}

function jsonOf(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new SessionError(`line ${number}: expected a JSON object, found "${line.slice(0, 40)}"`);
  }
}

type Check = (value: unknown) => boolean;

const text: Check = (v) => typeof v === 'string';
const number: Check = (v) => typeof v === 'number';
const maybeNumber: Check = (v) => v === undefined || typeof v === 'number';
/** A size of the screen: the largest terminal has fewer. */
const size: Check = (v) => Number.isInteger(v) && Number(v) >= 1 && Number(v) <= 10_000;
const whole: Check = (v) => Number.isSafeInteger(v);
const cell: Check = (v) => Number.isInteger(v) && Number(v) >= 0;
const viewId: Check = (v) => typeof v === 'string' && viewNamed(v) !== undefined;
/** Actions of views hold values, and at most objects of such. */
const isFlat = (v: unknown, depth: number): boolean =>
  typeof v !== 'object' || v === null || (depth > 0 && Object.values(v).every((inner) => isFlat(inner, depth - 1)));
const object: Check = (v) => typeof v === 'object' && v !== null && isFlat(v, 4);
const oneOf =
  (...choices: readonly string[]): Check =>
  (v) =>
    typeof v === 'string' && choices.includes(v);

const NOTHING = {};
/** The fields of each action besides its type. */
const SHAPES: { readonly [T in Action['type']]: Readonly<Record<string, Check>> } = {
  none: NOTHING,
  work: NOTHING,
  redraw: NOTHING,
  quit: NOTHING,
  suspend: NOTHING,
  escape: NOTHING,
  back: NOTHING,
  leave: NOTHING,
  forward: NOTHING,
  percent: NOTHING,
  names: NOTHING,
  'all-parts': NOTHING,
  'panel-toggle': NOTHING,
  accept: NOTHING,
  grain: NOTHING,
  unknowns: NOTHING,
  edit: NOTHING,
  copy: NOTHING,
  'copy-command': NOTHING,
  reload: NOTHING,
  'follow-file': NOTHING,
  merge: NOTHING,
  'show-source': NOTHING,
  measure: NOTHING,
  'accept-guess': NOTHING,
  'choose-base': NOTHING,
  'base-before': NOTHING,
  'no-base': NOTHING,
  follow: NOTHING,
  'only-own': NOTHING,
  split: { how: oneOf('beside', 'below', 'next') },
  'split-wide': NOTHING,
  'undo-transforms': NOTHING,
  'keep-transforms': NOTHING,
  'take-kept': NOTHING,
  transform: { text },
  'change-transform': { at: whole, change: oneOf(...CHANGES) },
  'panel-change': { change: oneOf(...CHANGES) },
  'go-to': { number: whole },
  resize: { width: size, height: size },
  say: { text },
  wait: { kind: oneOf('mark', 'to-mark') },
  mark: { letter: text },
  'to-mark': { letter: text },
  digit: { digit: text },
  view: { view: viewId },
  'next-view': { by: whole },
  show: { view: viewId, routine: number, context: maybeNumber },
  event: { name: text },
  'extra-event': { name: text },
  'toggle-part': { part: whole },
  'only-part': { part: whole },
  prompt: { kind: oneOf('search', 'filter', 'write', 'export', 'derive') },
  panel: { kind: oneOf(...PANELS) },
  'panel-move': { by: whole },
  input: { text },
  'input-set': { text },
  'input-older': { by: whole },
  'input-edit': { edit: oneOf('backspace', 'delete', 'left', 'right', 'home', 'end', 'clear', 'word') },
  command: { name: oneOf(...COMMANDS.map((c) => c.name)), argument: text },
  ask: { view: viewId, command: text },
  'view-command': { view: viewId, name: text, argument: text },
  search: { by: whole },
  favourite: { name: text },
  'want-disassembly': { routine: whole },
  'open-profile': { path: text },
  click: { x: cell, y: cell },
  wheel: { by: (v) => v === 1 || v === -1, x: cell, y: cell },
  // The view looks up the key with this action, and ignores it if there is none.
  'in-view': { view: viewId, action: object },
};
const CHECKS: ReadonlyMap<string, Readonly<Record<string, Check>>> = new Map(Object.entries(SHAPES));

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function isAction(value: unknown): value is Action {
  const fields = fieldsOf(value);
  const type = fields.get('type');
  const shape = typeof type === 'string' ? CHECKS.get(type) : undefined;
  return shape !== undefined && Object.entries(shape).every(([name, check]) => check(fields.get(name)));
}

/** All states of a replay, the first before any action. Effects go to `effect`, which may return another state. */
export function replay(
  profile: Profile,
  options: StartOptions,
  actions: readonly Action[],
  effect: (state: AppState, effect: Effect) => AppState = (s) => s,
): AppState[] {
  const states: AppState[] = [];
  let [state] = update(startState(profile, options), { type: 'none' });
  states.push(state);
  for (const action of actions) {
    const [next, effects] = update(state, action);
    state = effects.reduce(effect, next);
    states.push(state);
  }
  return states;
}
