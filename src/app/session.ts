// A session as JSON lines: the first says the size of the screen, each of the others is an action. What was recorded can be
// replayed, with a terminal or without.
import type { Profile } from '../model/profile.ts';
import type { Action } from '../views/view.ts';
import { type AppState, type Effect, type StartOptions, startState } from './state.ts';
import { update } from './update.ts';

export function actionLine(action: Action): string {
  return JSON.stringify(action);
}

/** Thrown for a line that is no action; says which. */
export class SessionError extends Error {}

export function parseSession(text: string): Action[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new SessionError(`line ${i + 1}: expected a JSON object, found "${line.slice(0, 40)}"`);
    }
    if (typeof value !== 'object' || value === null || typeof (value as Action).type !== 'string') {
      throw new SessionError(`line ${i + 1}: expected an action with a type, found ${line.slice(0, 40)}`);
    }
    return [value as Action];
  });
}

/** All states of a replay, the first before any action. Effects go to `effect`, which may answer by another state. */
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
