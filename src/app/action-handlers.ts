// The handlers of actions: each returns the state after its action, or that state with effects.
import type { AppActions } from './action.ts';
import type { AppState, UpdateResult } from './state.ts';

export type ActionHandlers = {
  readonly [T in keyof AppActions]: (state: AppState, action: AppActions[T]) => AppState | UpdateResult;
};
